//! Entities and facts by static token vectors: cosine to the question (Eq. 10, first and second line) at the cost of
//! one inner product a token of the vocabulary, not one a name.
//!
//! A static vector is the sum of its tokens' vectors. So the cosine of a name to the question is the sum of its tokens'
//! inner products with the question, over the length of the name's vector; that of a triple is the sum over head,
//! relation and tail, over the length of their sum. Only token ids and lengths are kept.

use crate::rows::Rows;
use banyan_engine::embed::{Embedder, StaticEmbedder, dot};
use banyan_engine::index::Fact;
use banyan_engine::{EntityId, Knowledge};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tokens and lengths of all names and facts of a knowledge.
pub(crate) struct TokenVectorIndex {
    embedder: Arc<StaticEmbedder>,
    entities: Rows,
    /// Tokens that occur in them, ascending.
    used: Vec<u32>,
    /// What facts say of their ends.
    relations: Rows,
    /// For each triple its entry in `relations` and the length of its vector.
    triples: Vec<(u32, f32)>,
    /// The same for each association; one without words says nothing.
    associations: Vec<(u32, f32)>,
}

/// A question's inner products with every entity and relation.
pub(crate) struct QuestionCosines<'a> {
    index: &'a TokenVectorIndex,
    entities: Vec<f32>,
    relations: Vec<f32>,
}

impl TokenVectorIndex {
    /// Tokens and lengths of the names and facts of `knowledge`. Cost O(d · facts).
    pub(crate) fn new(knowledge: &Knowledge, embedder: Arc<StaticEmbedder>) -> Self {
        let mut index = Self {
            embedder,
            entities: Rows::default(),
            relations: Rows::default(),
            used: Vec::new(),
            triples: Vec::new(),
            associations: Vec::new(),
        };
        let graph = &knowledge.graph;
        let tokens = |text: &str, embedder: &StaticEmbedder| {
            let mut tokens = Vec::new();
            embedder.tokenizer().for_each(text, |token| tokens.push(token));
            tokens
        };
        for entity in graph.entities() {
            index.entities.push(tokens(&entity.name, &index.embedder));
        }
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        let mut kind = |text: String| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known.entry(text).or_insert_with_key(|text| {
                index.relations.push(tokens(text, &index.embedder));
                next
            })
        };
        let triples = graph.triples().iter().map(|triple| {
            let name = knowledge.schema.relation_name(triple.relation).replace('_', " ");
            let phrase = triple.phrases.first().map_or("", String::as_str);
            (kind(format!("{name} {phrase}")), triple.head, triple.tail)
        });
        let triples: Vec<_> = triples.collect();
        let associations = graph.associations().iter().map(|one| {
            let phrase = one.phrases.first().cloned().unwrap_or_default();
            (kind(phrase), one.a, one.b)
        });
        let associations: Vec<_> = associations.collect();
        let tokens = index.entities.values().iter().chain(index.relations.values());
        index.used = tokens.copied().collect::<BTreeSet<u32>>().into_iter().collect();
        index.triples = index.lengths(&triples);
        index.associations = index.lengths(&associations);
        index
    }

    /// What each fact says, and the length of its vector; 0 of one that says nothing.
    fn lengths(&self, facts: &[(u32, EntityId, EntityId)]) -> Vec<(u32, f32)> {
        let length = |(kind, head, tail): &(u32, EntityId, EntityId)| {
            let said = self.relations.row(*kind as usize);
            let mut sum = vec![0.0; self.embedder.dimension()];
            if !said.is_empty() {
                for tokens in [self.entities.row(head.index()), said, self.entities.row(tail.index())] {
                    self.add(tokens, &mut sum);
                }
            }
            (*kind, dot(&sum, &sum).sqrt())
        };
        facts.par_iter().with_min_len(1_024).map(length).collect()
    }

    pub(crate) fn embedder(&self) -> &StaticEmbedder {
        &self.embedder
    }

    /// Adds the vectors of tokens to a sum.
    fn add(&self, tokens: &[u32], sum: &mut [f32]) {
        for token in tokens {
            let vector = self.embedder.token(*token);
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
    }

    /// Reads a question. Cost O(vocabulary · d + tokens of all names).
    pub(crate) fn ask(&self, text: &str) -> QuestionCosines<'_> {
        let mut vector = vec![0.0; self.embedder.dimension()];
        self.add(&self.embedder.tokenizer().encode(text), &mut vector);
        banyan_engine::embed::normalize(&mut vector);
        let product = |token: &u32| (*token, dot(self.embedder.token(*token), &vector));
        let products: Vec<(u32, f32)> = self.used.par_iter().with_min_len(1_024).map(product).collect();
        let mut dots = vec![0.0; self.used.last().map_or(0, |last| *last as usize + 1)];
        for (token, product) in products {
            dots[token as usize] = product;
        }
        let sums = |rows: &Rows| -> Vec<f32> {
            let sum = |at| rows.row(at).iter().map(|token| dots[*token as usize]).sum();
            (0..rows.len()).into_par_iter().with_min_len(4_096).map(sum).collect()
        };
        QuestionCosines {
            index: self,
            entities: sums(&self.entities),
            relations: sums(&self.relations),
        }
    }
}

impl QuestionCosines<'_> {
    /// Cosine of the question to head, relation and tail of a fact together, -1..=1; 0 without a known token.
    pub(crate) fn fact(&self, fact: Fact, [head, tail]: [EntityId; 2]) -> f32 {
        let (relation, length) = match fact {
            Fact::Triple(id) => self.index.triples[id.index()],
            Fact::Association(at) => self.index.associations[at],
        };
        let sum = self.entities[head.index()] + self.relations[relation as usize] + self.entities[tail.index()];
        if length > 0.0 { sum / length } else { 0.0 }
    }
}

//! Entities and triples by static token vectors: cosine to the question (Eq. 10, first and second line) at the cost of
//! one inner product a token of the vocabulary, not one a name.
//!
//! A static vector is the sum of its tokens' vectors. So the cosine of a name to the question is the sum of its tokens'
//! inner products with the question, over the length of the name's vector; that of a triple is the sum over head,
//! relation and tail, over the length of their sum. Only token ids and lengths are kept.

use banyan_engine::embed::{Embedder, StaticEmbedder, dot};
use banyan_engine::{EntityId, Knowledge, TripleId};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tokens and lengths of all names and triples of a knowledge.
pub(crate) struct TokenVectorIndex {
    embedder: Arc<StaticEmbedder>,
    entities: Texts,
    /// Tokens that occur in them, ascending.
    used: Vec<u32>,
    relations: Texts,
    /// For each triple its entry in `relations` and the length of its vector.
    triples: Vec<(u32, f32)>,
}

/// Texts as token ids, one row each.
#[derive(Default)]
struct Texts {
    tokens: Vec<u32>,
    ends: Vec<u32>,
}

/// A question's inner products with every entity and relation.
pub(crate) struct QuestionCosines<'a> {
    index: &'a TokenVectorIndex,
    /// Its unit vector.
    vector: Vec<f32>,
    entities: Vec<f32>,
    relations: Vec<f32>,
}

impl TokenVectorIndex {
    /// Tokens and lengths of the names and triples of `knowledge`. Cost O(d · triples).
    pub(crate) fn new(knowledge: &Knowledge, embedder: Arc<StaticEmbedder>) -> Self {
        let mut index = Self {
            embedder,
            entities: Texts::default(),
            relations: Texts::default(),
            used: Vec::new(),
            triples: Vec::new(),
        };
        let graph = &knowledge.graph;
        for entity in graph.entities() {
            index.entities.push(&entity.name, &index.embedder);
        }
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        let mut kinds = Vec::with_capacity(graph.triples().len());
        for triple in graph.triples() {
            let name = knowledge.schema.relation_name(triple.relation).replace('_', " ");
            let phrase = triple.phrases.first().map_or("", String::as_str);
            let text = format!("{name} {phrase}");
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            let kind = *known.entry(text).or_insert_with_key(|text| {
                index.relations.push(text, &index.embedder);
                next
            });
            kinds.push(kind);
        }
        let tokens = index.entities.tokens.iter().chain(&index.relations.tokens);
        index.used = tokens.copied().collect::<BTreeSet<u32>>().into_iter().collect();
        let lengths = graph
            .triples()
            .par_iter()
            .zip(&kinds)
            .with_min_len(1_024)
            .map(|(triple, kind)| {
                let mut sum = vec![0.0; index.embedder.dimension()];
                index.add(index.entities.row(triple.head.index()), &mut sum);
                index.add(index.relations.row(*kind as usize), &mut sum);
                index.add(index.entities.row(triple.tail.index()), &mut sum);
                (*kind, dot(&sum, &sum).sqrt())
            });
        index.triples = lengths.collect();
        index
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
        QuestionCosines {
            vector,
            index: self,
            entities: self.entities.dots(&dots),
            relations: self.relations.dots(&dots),
        }
    }
}

impl Texts {
    fn push(&mut self, text: &str, embedder: &StaticEmbedder) {
        embedder.tokenizer().for_each(text, |token| self.tokens.push(token));
        self.ends.push(u32::try_from(self.tokens.len()).unwrap_or(u32::MAX));
    }

    fn row(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.tokens[start as usize..self.ends[at] as usize]
    }

    fn dots(&self, dots: &[f32]) -> Vec<f32> {
        let sum = |at| self.row(at).iter().map(|token| dots[*token as usize]).sum();
        (0..self.ends.len())
            .into_par_iter()
            .with_min_len(4_096)
            .map(sum)
            .collect()
    }
}

impl QuestionCosines<'_> {
    /// Cosine of the question to a text, -1..=1. Cost O(d · tokens).
    pub(crate) fn text(&self, text: &str) -> f32 {
        let mut sum = vec![0.0; self.vector.len()];
        self.index.add(&self.index.embedder.tokenizer().encode(text), &mut sum);
        banyan_engine::embed::normalize(&mut sum);
        dot(&sum, &self.vector)
    }

    /// Cosine of the question to head, relation and tail of a triple together, -1..=1; 0 without a known token.
    pub(crate) fn triple(&self, id: TripleId, head: EntityId, tail: EntityId) -> f32 {
        let (relation, length) = self.index.triples[id.index()];
        let sum = self.entities[head.index()] + self.relations[relation as usize] + self.entities[tail.index()];
        if length > 0.0 { sum / length } else { 0.0 }
    }
}

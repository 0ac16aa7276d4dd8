//! Facts by static token vectors: cosine to the question (Eq. 10, second line), for those facts that a route looks at.
//!
//! A static vector is the sum of its tokens' vectors, so that of a fact is the sum over head, relation and tail.

use banyan_engine::embed::{Embedder, StaticEmbedder, dot, normalize};
use banyan_engine::index::Fact;
use banyan_engine::{EntityId, Knowledge};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A question's cosines with facts.
pub(crate) struct QuestionCosines<'a> {
    embedder: &'a StaticEmbedder,
    knowledge: &'a Knowledge,
    question: Vec<f32>,
    /// Tokens of the names that were looked at: many facts share them.
    names: Mutex<HashMap<EntityId, Arc<[u32]>>>,
}

impl<'a> QuestionCosines<'a> {
    /// Reads a question. Cost O(d · tokens).
    pub(crate) fn new(embedder: &'a StaticEmbedder, knowledge: &'a Knowledge, question: &str) -> Self {
        let mut sum = vec![0.0; embedder.dimension()];
        add(embedder, &embedder.tokenizer().encode(question), &mut sum);
        normalize(&mut sum);
        Self {
            embedder,
            knowledge,
            question: sum,
            names: Mutex::default(),
        }
    }

    /// Cosine of the question to head, relation and tail of a fact together, -1..=1; 0 without a known token, and of an
    /// association without words. Cost O(d · tokens).
    pub(crate) fn fact(&self, fact: Fact, ends: [EntityId; 2]) -> f32 {
        let graph = &self.knowledge.graph;
        let said = match fact {
            Fact::Triple(id) => {
                let triple = graph.triple(id);
                let name = self.knowledge.schema.relation_name(triple.relation).replace('_', " ");
                let phrase = triple.phrases.first().map_or("", String::as_str);
                self.embedder.tokenizer().encode(&format!("{name} {phrase}"))
            }
            Fact::Association(at) => {
                let phrases = &graph.association(at).phrases;
                let phrase = phrases.first().map_or("", String::as_str);
                self.embedder.tokenizer().encode(phrase)
            }
        };
        if said.is_empty() {
            return 0.0;
        }
        let mut sum = vec![0.0; self.embedder.dimension()];
        add(self.embedder, &said, &mut sum);
        for end in ends {
            add(self.embedder, &self.name(end), &mut sum);
        }
        normalize(&mut sum);
        dot(&sum, &self.question)
    }

    fn name(&self, id: EntityId) -> Arc<[u32]> {
        let names = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names().get(&id) {
            return Arc::clone(known);
        }
        let tokens: Arc<[u32]> = self
            .embedder
            .tokenizer()
            .encode(&self.knowledge.graph.entity(id).name)
            .into();
        names().insert(id, Arc::clone(&tokens));
        tokens
    }
}

/// Adds the vectors of tokens to a sum.
fn add(embedder: &StaticEmbedder, tokens: &[u32], sum: &mut [f32]) {
    for token in tokens {
        let vector = embedder.token(*token);
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
    }
}

//! What the corpus says for each option of a multiple choice.

use super::item::Item;
use super::sentence::{Sentences, Weighted, in_chunks};
use crate::evidence::Evidence;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, EntityId};
use std::collections::BTreeSet;

/// Names of the features, in their order.
pub const FEATURES: [&str; 7] = [
    "sentence",
    "window",
    "clause",
    "last_clause",
    "passages",
    "graph",
    "frequency",
];

/// Parts of a question that are shorter, in bytes, state nothing by themselves. Arbitrary.
const MIN_CLAUSE_CHARS: usize = 12;

/// The features of one option.
pub type Features = [f64; FEATURES.len()];

/// A corpus as support is read from it.
pub(super) struct Support<'a> {
    searcher: &'a Searcher,
    sentences: Sentences,
}

impl<'a> Support<'a> {
    /// Cost O(total length).
    pub(super) fn new(searcher: &'a Searcher) -> Self {
        Self {
            searcher,
            sentences: Sentences::new(searcher.knowledge()),
        }
    }

    /// The features of each option, each as the option's share of the sum over all options (a quarter each where nothing
    /// speaks for any):
    ///
    /// | feature | the largest, over all sentences, of the product of |
    /// |---|---|
    /// | `sentence` | the question's and the option's words that the sentence has, by rarity |
    /// | `window` | the same, the option's words also in a neighbour at half weight |
    /// | `clause`, `last_clause` | the same with one clause of the question; with its last |
    ///
    /// `passages`: the option's words in what search finds for the question, by its scores; `graph`: triples between what
    /// the question and what the option names; `frequency`: how many passages name the option. Cost O(clauses · sentences).
    pub(super) fn features(&self, item: &Item, evidence: &Evidence) -> Vec<Features> {
        let whole = self.sentences.scores(&self.sentences.weighted(&item.stem));
        let clauses: Vec<Vec<f32>> = clauses(&item.stem)
            .into_iter()
            .map(|clause| self.sentences.scores(&self.sentences.weighted(clause)))
            .collect();
        let chunks: Vec<ChunkId> = evidence.passages.iter().map(|passage| passage.chunk).collect();
        let asked: BTreeSet<EntityId> = self.searcher.named_in(&item.stem);
        let raw: Vec<Features> = item
            .options
            .iter()
            .map(|(_, option)| {
                let option_terms = self.sentences.weighted(option);
                let held = self.sentences.scores(&option_terms);
                let around = self.sentences.around(&held);
                let named = self.searcher.named_in(option);
                [
                    joint(&whole, &held),
                    joint(&whole, &around),
                    clauses.iter().map(|clause| joint(clause, &held)).fold(0.0, f64::max),
                    clauses.last().map_or(0.0, |clause| joint(clause, &around)),
                    self.passages(evidence, &chunks, &option_terms),
                    self.graph(&asked, &named),
                    self.frequency(&named),
                ]
            })
            .collect();
        shares(&raw)
    }

    fn passages(&self, evidence: &Evidence, chunks: &[ChunkId], option: &Weighted) -> f64 {
        let held = in_chunks(&self.sentences, self.searcher.knowledge(), chunks, option);
        let products = evidence.passages.iter().zip(held);
        products.map(|(passage, held)| f64::from(passage.score * held)).sum()
    }

    /// Triples between two sets of entities, by the rarity of the asked one.
    fn graph(&self, asked: &BTreeSet<EntityId>, named: &BTreeSet<EntityId>) -> f64 {
        let graph = &self.searcher.knowledge().graph;
        let mut score = 0.0;
        for entity in named.iter().filter(|entity| !asked.contains(entity)) {
            let other = |triple| {
                let triple = graph.triple(triple);
                if triple.head == *entity {
                    triple.tail
                } else {
                    triple.head
                }
            };
            for near in graph.incident(*entity).into_iter().map(other) {
                if asked.contains(&near) {
                    score += f64::from(self.searcher.rarity(near));
                }
            }
        }
        score
    }

    fn frequency(&self, named: &BTreeSet<EntityId>) -> f64 {
        let counts = named.iter().map(|entity| self.searcher.incidence().frequency(*entity));
        counts.map(|n| (1.0 + n as f64).ln()).sum()
    }
}

/// The largest product of two scores of one sentence.
fn joint(a: &[f32], b: &[f32]) -> f64 {
    f64::from(a.iter().zip(b).map(|(a, b)| a * b).fold(0.0, f32::max))
}

/// The parts of a question between semicolons and ends of sentences that are long enough to say something.
fn clauses(stem: &str) -> Vec<&str> {
    let parts = stem.split([';', '；', '。', '.', '?', '？', '!', '！', ':', '：', '\n']);
    let mut parts: Vec<&str> = parts.filter(|part| part.len() >= MIN_CLAUSE_CHARS).collect();
    // The question itself asks "who is it" of what stands before it.
    if parts.len() > 1 {
        parts.pop();
    }
    parts
}

fn shares(raw: &[Features]) -> Vec<Features> {
    let n = raw.len().max(1) as f64;
    let mut shared = raw.to_vec();
    for feature in 0..FEATURES.len() {
        let sum: f64 = raw.iter().map(|option| option[feature]).sum();
        for (option, raw) in shared.iter_mut().zip(raw) {
            option[feature] = if sum > 0.0 { raw[feature] / sum } else { 1.0 / n };
        }
    }
    shared
}

//! What the corpus says for each option of a multiple choice.

use super::item::Item;
use super::kin::Kin;
use super::sentence::{Sentences, Weighted, in_chunks};
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId};
use banyan_retrieve::evidence::Evidence;
use banyan_retrieve::searcher::Searcher;
use std::collections::BTreeSet;

/// Names of the features, in their order.
pub const FEATURES: [&str; 10] = [
    "sentence",
    "window",
    "clause",
    "last_clause",
    "kindred",
    "chunk",
    "lift",
    "passages",
    "graph",
    "frequency",
];

/// Parts of a question that are shorter, in bytes, state nothing by themselves. Arbitrary.
const MIN_CLAUSE_CHARS: usize = 12;

/// Terms from which on the last sentence of a question says something itself. Arbitrary.
const MIN_TERMS: usize = 3;

/// The features of one option.
pub type Features = [f64; FEATURES.len()];

/// A corpus as support is read from it.
pub(super) struct Support<'a> {
    searcher: &'a Searcher,
    sentences: Sentences,
    chunks: Sentences,
    kin: Option<Kin<'a>>,
}

impl<'a> Support<'a> {
    /// Cost O(total length).
    pub(super) fn new(searcher: &'a Searcher) -> Self {
        let knowledge = searcher.knowledge();
        let texts = knowledge.documents.iter().map(|document| document.text.as_str());
        Self {
            searcher,
            sentences: Sentences::new(knowledge),
            chunks: Sentences::of_chunks(knowledge),
            kin: searcher.tokens().map(|embedder| Kin::new(texts, embedder)),
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
    /// | `kindred` | `window`, where words that mean nearly the same count, too (English, with vectors) |
    /// | `chunk` | `sentence` for whole chunks |
    ///
    /// `lift`: the mean of the squared share of the question's words over the chunks that name the option, by how much of it
    /// they have; `passages`: the option's words in what search finds for the question, by its scores; `graph`: triples between what
    /// the question and what the option names; `frequency`: how many passages name the option. Cost O(clauses · sentences).
    pub(super) fn features(&self, item: &Item, evidence: &Evidence) -> Vec<Features> {
        let whole = self.sentences.scores(&self.sentences.weighted(&item.stem));
        let kindred = self.kindred(&item.stem);
        let in_chunks = self.chunks.scores(&self.chunks.weighted(&item.stem));
        let clauses: Vec<Vec<f32>> = clauses(&item.stem)
            .into_iter()
            .map(|clause| self.sentences.scores(&self.sentences.weighted(clause)))
            .collect();
        let found: Vec<(ChunkId, f32)> = evidence.passages.iter().map(|one| (one.chunk, one.score)).collect();
        let asked: BTreeSet<EntityId> = self.searcher.named_in(&item.stem);
        let raw: Vec<Features> = item
            .options
            .iter()
            .map(|(_, option)| {
                let option_terms = self.sentences.weighted(option);
                let held = self.sentences.scores(&option_terms);
                let around = self.sentences.around(&held);
                let named = self.searcher.named_in(option);
                let chunks = self.chunks.scores(&self.chunks.weighted(option));
                [
                    joint(&whole, &held),
                    joint(&whole, &around),
                    clauses.iter().map(|clause| joint(clause, &held)).fold(0.0, f64::max),
                    clauses.last().map_or(0.0, |clause| joint(clause, &around)),
                    joint(&kindred, &self.sentences.around(&self.kindred(option))),
                    joint(&in_chunks, &chunks),
                    lift(&in_chunks, &chunks),
                    self.passages(&found, &option_terms),
                    self.graph(&asked, &named),
                    self.frequency(&named),
                ]
            })
            .collect();
        shares(&raw)
    }

    /// The share of a text's words, or of words that mean nearly the same, that each sentence has.
    fn kindred(&self, text: &str) -> Vec<f32> {
        let weighted = self.sentences.weighted(text);
        match &self.kin {
            Some(kin) => self.sentences.kindred(&weighted, &kin.of(text)),
            None => self.sentences.scores(&weighted),
        }
    }

    /// The words of an option in scored passages. Cost O(length of the passages).
    pub(super) fn among(&self, passages: &[(ChunkId, f32)], option: &str) -> f64 {
        self.passages(passages, &self.sentences.weighted(option))
    }

    fn passages(&self, passages: &[(ChunkId, f32)], option: &Weighted) -> f64 {
        let chunks: Vec<ChunkId> = passages.iter().map(|(chunk, _)| *chunk).collect();
        let held = in_chunks(&self.sentences, self.searcher.knowledge(), &chunks, option);
        let products = passages.iter().zip(held);
        products.map(|((_, score), held)| f64::from(score * held)).sum()
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

/// The mean of the squares of `a`, weighted by `b`; 0 where `b` is.
fn lift(a: &[f32], b: &[f32]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        sum += f64::from(a * a * b);
        weights += f64::from(*b);
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

/// The parts of a question between semicolons and ends of sentences that are long enough to say something.
fn clauses(stem: &str) -> Vec<&str> {
    let parts = stem.split([';', '；', '。', '.', '?', '？', '!', '！', ':', '：', '\n']);
    let mut parts: Vec<&str> = parts.filter(|part| part.len() >= MIN_CLAUSE_CHARS).collect();
    // "Who is it?" asks of what stands before it; "Where did she live?" says something itself.
    let is_bare = |part: &&str| term::distinct(part).len() < MIN_TERMS;
    if parts.len() > 1 && parts.last().is_some_and(is_bare) {
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

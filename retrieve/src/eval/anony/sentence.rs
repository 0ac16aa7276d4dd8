//! The sentences of a corpus by their terms: which of them speak of what.

use banyan_engine::index::term;
use banyan_engine::{ChunkId, Knowledge};
use rayon::prelude::*;
use std::collections::HashMap;

/// Every sentence of a corpus with its terms, each document's in order. Derived, never stored.
pub(super) struct Sentences {
    numbers: HashMap<String, u32>,
    /// Term → sentences that have it, ascending.
    postings: Vec<Vec<u32>>,
    /// Position of a sentence's document.
    document: Vec<u32>,
}

/// Terms with their weights; the sum of the weights is 1 unless there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weighted {
    terms: Vec<(u32, f32)>,
    /// Share of the weight that the corpus knows at all.
    pub(super) known: f32,
}

impl Sentences {
    /// Cuts every document into sentences. Cost O(total length), in parallel.
    pub(super) fn new(knowledge: &Knowledge) -> Self {
        let read: Vec<Vec<Vec<String>>> = knowledge
            .documents
            .par_iter()
            .map(|document| {
                let spans = banyan_extract::sentence::split(&document.text);
                spans
                    .into_iter()
                    .map(|span| term::distinct(span.of(&document.text)))
                    .collect()
            })
            .collect();
        let mut sentences = Self {
            numbers: HashMap::new(),
            postings: Vec::new(),
            document: Vec::new(),
        };
        for (document, parts) in (0..).zip(read) {
            for terms in parts {
                sentences.add(document, terms);
            }
        }
        sentences
    }

    fn add(&mut self, document: u32, terms: Vec<String>) {
        let sentence = u32::try_from(self.document.len()).unwrap_or(u32::MAX);
        self.document.push(document);
        for term in terms {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(term).or_insert(next);
            if number == next {
                self.postings.push(Vec::new());
            }
            self.postings[number as usize].push(sentence);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.document.len()
    }

    /// The distinct terms of a text by rarity among the sentences (`ln(1 + n/df)`); unknown ones weigh as much as those of
    /// one sentence. O(terms).
    pub(super) fn weighted(&self, text: &str) -> Weighted {
        let n = self.len().max(1) as f32;
        let weight = |df: usize| (1.0 + n / df.max(1) as f32).ln();
        let terms = term::distinct(text);
        let known: Vec<(u32, f32)> = terms
            .iter()
            .filter_map(|term| self.numbers.get(term))
            .map(|number| (*number, weight(self.postings[*number as usize].len())))
            .collect();
        let sum: f32 = known.iter().map(|(_, weight)| weight).sum();
        let total = sum + (terms.len() - known.len()) as f32 * weight(1);
        if total <= 0.0 {
            return Weighted::default();
        }
        Weighted {
            terms: known
                .into_iter()
                .map(|(number, weight)| (number, weight / total))
                .collect(),
            known: sum / total,
        }
    }

    /// For each sentence the weight of the terms that it has, 0..=1. Cost O(sentences + postings).
    pub(super) fn scores(&self, weighted: &Weighted) -> Vec<f32> {
        let mut scores = vec![0.0; self.len()];
        for (term, weight) in &weighted.terms {
            for sentence in &self.postings[*term as usize] {
                scores[*sentence as usize] += weight;
            }
        }
        scores
    }

    /// The largest score of each sentence and its neighbours in the same document, those at half weight. O(sentences).
    pub(super) fn around(&self, scores: &[f32]) -> Vec<f32> {
        let near = |at: usize, other: Option<usize>| {
            let other = other.filter(|other| self.document.get(*other) == self.document.get(at));
            other
                .and_then(|other| scores.get(other))
                .map_or(0.0, |score| score / 2.0)
        };
        (0..scores.len())
            .map(|at| scores[at].max(near(at, at.checked_sub(1))).max(near(at, Some(at + 1))))
            .collect()
    }
}

/// The weight of the terms of `weighted` that each of these chunks has, in their order. Cost O(length of the chunks).
pub(super) fn in_chunks(
    sentences: &Sentences,
    knowledge: &Knowledge,
    chunks: &[ChunkId],
    weighted: &Weighted,
) -> Vec<f32> {
    let has = |chunk: &ChunkId| {
        let terms = term::distinct(&knowledge.passage(*chunk));
        let numbers: Vec<u32> = terms
            .iter()
            .filter_map(|term| sentences.numbers.get(term).copied())
            .collect();
        let held = weighted.terms.iter().filter(|(term, _)| numbers.contains(term));
        held.map(|(_, weight)| weight).sum()
    };
    chunks.iter().map(has).collect()
}

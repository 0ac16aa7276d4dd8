//! Okapi BM25 over passages.

use super::term;
use rayon::prelude::*;
use std::collections::HashMap;

/// Saturation of repeated terms; the usual 1.2.
const K1: f32 = 1.2;
/// Strength of length normalisation; the usual 0.75.
const B: f32 = 0.75;

/// Passages counted at once; arbitrary, it bounds the memory of indexing.
const ROUND: usize = 4_096;

/// An inverted index with term weights worked out in advance.
#[derive(Clone, Debug, Default)]
pub struct Bm25 {
    /// By term: how rare it is, and its postings.
    terms: HashMap<String, (f32, Vec<(u32, f32)>)>,
    n_passages: usize,
}

impl Bm25 {
    /// Indexes `passages` in their order. Cost O(total length), in parallel; the same for any number of threads.
    pub fn new(passages: &[String]) -> Self {
        Self::of(passages.len(), |passage| passages[passage].as_str())
    }

    /// Indexes the `n` passages that `text` gives, a few thousand at a time, so that they need not all be in memory.
    /// Cost as of [`Bm25::new`].
    pub fn of<T: AsRef<str>>(n: usize, text: impl Fn(usize) -> T + Sync) -> Self {
        let mut terms: HashMap<String, (f32, Vec<(u32, f32)>)> = HashMap::new();
        let mut lengths: Vec<usize> = Vec::with_capacity(n);
        for first in (0..n).step_by(ROUND) {
            let round = (first..n.min(first + ROUND)).into_par_iter();
            let counted: Vec<(Vec<(String, u32)>, usize)> =
                round.map(|passage| count(text(passage).as_ref())).collect();
            for (counts, length) in counted {
                let passage = u32::try_from(lengths.len()).unwrap_or(u32::MAX);
                lengths.push(length);
                for (word, times) in counts {
                    terms.entry(word).or_default().1.push((passage, times as f32));
                }
            }
        }
        let mean = (lengths.iter().sum::<usize>() as f32 / n.max(1) as f32).max(1.0);
        #[expect(clippy::iter_over_hash_type, reason = "each term is weighed by itself")]
        for (idf, postings) in terms.values_mut() {
            let df = postings.len() as f32;
            *idf = ((n as f32 - df + 0.5) / (df + 0.5)).ln_1p();
            for (passage, tf) in postings {
                let norm = K1 * (1.0 - B + B * lengths[*passage as usize] as f32 / mean);
                *tf = *tf * (K1 + 1.0) / (*tf + norm) * *idf;
            }
        }
        Self { terms, n_passages: n }
    }

    /// Number of passages.
    pub fn len(&self) -> usize {
        self.n_passages
    }

    /// Whether nothing was indexed.
    pub fn is_empty(&self) -> bool {
        self.n_passages == 0
    }

    /// Inverse document frequency of a term, ≥ 0; for an unknown one that of a term in half a passage.
    pub fn idf(&self, word: &str) -> f32 {
        let unknown = || (2.0 * self.n_passages as f32 + 1.0).ln();
        self.terms.get(word).map_or_else(unknown, |(idf, _)| *idf)
    }

    /// In how many passages a term occurs.
    pub fn document_frequency(&self, word: &str) -> usize {
        self.postings(word).0.len()
    }

    /// Where a term stands; empty for an unknown one.
    pub fn postings(&self, word: &str) -> Postings<'_> {
        Postings(self.terms.get(word).map_or(&[], |(_, postings)| postings))
    }

    /// The score of every passage `(n_passages)` for the terms given, higher is better. Cost O(length of the postings).
    pub fn scores<'a>(&self, terms: impl IntoIterator<Item = &'a String>) -> Vec<f32> {
        let mut scores = vec![0.0; self.n_passages];
        for word in terms {
            for (passage, weight) in self.postings(word).iter() {
                scores[passage] += weight;
            }
        }
        scores
    }
}

/// The passages that hold one term, ascending, each with the term's share of its score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Postings<'a>(&'a [(u32, f32)]);

impl<'a> Postings<'a> {
    /// The passages, ascending, each with the term's share of its score.
    pub fn iter(self) -> impl Iterator<Item = (usize, f32)> + 'a {
        self.0.iter().map(|(passage, weight)| (*passage as usize, *weight))
    }

    /// The term's share of one passage's score; `None` where the passage does not hold it. Cost O(log length).
    pub fn weight_in(self, passage: usize) -> Option<f32> {
        let place = self.0.binary_search_by_key(&passage, |(passage, _)| *passage as usize);
        place.ok().map(|place| self.0[place].1)
    }
}

fn count(text: &str) -> (Vec<(String, u32)>, usize) {
    let mut terms = term::terms(text);
    let length = terms.len();
    terms.sort_unstable();
    let mut counts: Vec<(String, u32)> = Vec::new();
    for word in terms {
        match counts.last_mut() {
            Some((last, n)) if *last == word => *n += 1,
            _ => counts.push((word, 1)),
        }
    }
    (counts, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_case_agrees() {
        let passages = ["red ship", "blue ship", "blue whale"].map(str::to_owned);
        let index = Bm25::new(&passages);
        // Every length is the mean, so the weight is tf·2.2/(tf+1.2) = 1 times idf = ln(1 + (3 − 1 + .5)/(1 + .5)).
        let expected = (1.0_f32 + 2.5 / 1.5).ln();
        let scores = index.scores(&term::distinct("the red whales"));
        assert!((scores[0] - expected).abs() < 1e-6 && (scores[2] - expected).abs() < 1e-6);
        assert!(scores[1].abs() < 1e-6);
        let whale = term::distinct("whale").concat();
        let weights = [0, 1, 2].map(|passage| index.postings(&whale).weight_in(passage));
        assert_eq!(weights, [None, None, Some(scores[2])]);
    }
}

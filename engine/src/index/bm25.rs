//! Okapi BM25 over passages.

use super::term;
use crate::paged::{Grow, Lazy, Sorted};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// Saturation of repeated terms; the usual 1.2.
const K1: f32 = 1.2;
/// Strength of length normalisation; the usual 0.75.
const B: f32 = 0.75;

/// Passages counted at once; arbitrary, it bounds the memory of indexing.
const ROUND: usize = 4_096;

/// An inverted index.
#[derive(Clone, Debug, Default)]
pub struct Bm25 {
    pub(crate) terms: Sorted<String, Occurrences>,
    /// Terms of each passage.
    pub(crate) lengths: Lazy<Vec<u32>>,
    pub(crate) extent: Extent,
    /// Passages that hold nothing any more, ascending.
    pub(crate) gone: Arc<[u32]>,
}

/// How much was indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    pub(crate) n_passages: usize,
    pub(crate) n_terms: usize,
}

impl Extent {
    /// Mean number of terms of a passage, at least 1.
    fn mean(self) -> f32 {
        (self.n_terms as f32 / self.n_passages.max(1) as f32).max(1.0)
    }

    /// Both together.
    pub(crate) fn with(self, more: Self) -> Self {
        Self {
            n_passages: self.n_passages + more.n_passages,
            n_terms: self.n_terms + more.n_terms,
        }
    }

    /// What is left of it without some of it.
    pub(crate) fn without(self, less: Self) -> Self {
        Self {
            n_passages: self.n_passages.saturating_sub(less.n_passages),
            n_terms: self.n_terms.saturating_sub(less.n_terms),
        }
    }
}

/// The passages that hold a term, ascending, with how often. Stored as the gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Gaps", into = "Gaps")]
pub(crate) struct Occurrences(Vec<(u32, u32)>);

type Gaps = Vec<(u32, u32)>;

impl Occurrences {
    /// The same where passages are counted from `first`.
    pub(crate) fn moved(&self, first: usize) -> Self {
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        let moved = self
            .0
            .iter()
            .map(|(passage, times)| (passage.saturating_add(first), *times));
        Self(moved.collect())
    }
}

impl Grow for Occurrences {
    fn grow(&mut self, more: &Self) {
        self.0.extend(&more.0);
    }
}

impl From<Gaps> for Occurrences {
    fn from(mut gaps: Gaps) -> Self {
        let mut last = 0_u32;
        for (passage, _) in &mut gaps {
            last = last.saturating_add(*passage);
            *passage = last;
        }
        Self(gaps)
    }
}

impl From<Occurrences> for Gaps {
    fn from(Occurrences(mut places): Occurrences) -> Self {
        let mut last = 0;
        for (passage, _) in &mut places {
            let gap = *passage - last;
            last = *passage;
            *passage = gap;
        }
        places
    }
}

impl Bm25 {
    /// Indexes `passages` in their order. Cost O(total length), in parallel; the same for any number of threads.
    pub fn new(passages: &[String]) -> Self {
        Self::of(passages.len(), |passage| passages[passage].as_str())
    }

    /// Indexes the `n` passages that `text` gives, a few thousand at a time, so that they need not all be in memory.
    /// Cost as of [`Bm25::new`].
    pub fn of<T: AsRef<str>>(n: usize, text: impl Fn(usize) -> T + Sync) -> Self {
        let mut terms: HashMap<String, Gaps> = HashMap::new();
        let mut lengths: Vec<u32> = Vec::with_capacity(n);
        for first in (0..n).step_by(ROUND) {
            let round = (first..n.min(first + ROUND)).into_par_iter();
            let counted: Vec<(Vec<(String, u32)>, u32)> = round.map(|passage| count(text(passage).as_ref())).collect();
            for (counts, length) in counted {
                let passage = u32::try_from(lengths.len()).unwrap_or(u32::MAX);
                lengths.push(length);
                for (word, times) in counts {
                    terms.entry(word).or_default().push((passage, times));
                }
            }
        }
        let extent = Extent {
            n_passages: n,
            n_terms: lengths.iter().map(|length| *length as usize).sum(),
        };
        Self {
            terms: terms
                .into_iter()
                .map(|(word, places)| (word, Occurrences(places)))
                .collect(),
            lengths: lengths.into(),
            extent,
            gone: Arc::default(),
        }
    }

    /// Number of passages.
    pub fn len(&self) -> usize {
        self.extent.n_passages
    }

    /// Passages that hold nothing any more, ascending; they are not counted.
    pub fn gone(&self) -> &[u32] {
        &self.gone
    }

    /// Whether nothing was indexed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Inverse document frequency of a term, ≥ 0; for an unknown one that of a term in half a passage.
    pub fn idf(&self, word: &str) -> f32 {
        let unknown = || (2.0 * self.len() as f32 + 1.0).ln();
        self.places(word).map_or_else(unknown, |(_, df)| self.rarity(df))
    }

    fn rarity(&self, df: usize) -> f32 {
        let (n, df) = (self.len() as f32, df as f32);
        ((n - df + 0.5) / (df + 0.5)).ln_1p()
    }

    /// Where a term stands or stood, and in how many passages it still does, at least one.
    fn places(&self, word: &str) -> Option<(&Gaps, usize)> {
        let Occurrences(places) = self.terms.get(word)?;
        let held = |passage: &&u32| places.binary_search_by_key(*passage, |(one, _)| *one).is_ok();
        let df = places.len() - self.gone.iter().filter(held).count();
        (df > 0).then_some((places, df))
    }

    /// In how many passages a term occurs.
    pub fn document_frequency(&self, word: &str) -> usize {
        self.places(word).map_or(0, |(_, df)| df)
    }

    /// Where a term stands; empty for an unknown one.
    pub fn postings(&self, word: &str) -> Postings<'_> {
        self.places(word)
            .map_or_else(Postings::default, |(places, df)| Postings {
                places,
                gone: &self.gone,
                idf: self.rarity(df),
                lengths: &self.lengths,
                mean: self.extent.mean(),
            })
    }

    /// The score of every passage, those that are gone too `(n_passages)` for the terms given, higher is better. Cost O(length of the postings).
    pub fn scores<'a>(&self, terms: impl IntoIterator<Item = &'a String>) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        for word in terms {
            for (passage, weight) in self.postings(word).iter() {
                if let Some(score) = scores.get_mut(passage) {
                    *score += weight;
                }
            }
        }
        scores
    }
}

/// The passages that hold one term, ascending, each with the term's share of its score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Postings<'a> {
    places: &'a [(u32, u32)],
    gone: &'a [u32],
    idf: f32,
    lengths: &'a [u32],
    mean: f32,
}

impl<'a> Postings<'a> {
    /// The passages, ascending, each with the term's share of its score.
    pub fn iter(self) -> impl Iterator<Item = (usize, f32)> + 'a {
        let held = self
            .places
            .iter()
            .filter(move |(passage, _)| self.gone.binary_search(passage).is_err());
        held.map(move |(passage, times)| (*passage as usize, self.weight(*passage as usize, *times)))
    }

    /// The term's share of one passage's score; `None` where the passage does not hold it or is gone. Cost O(log length).
    pub fn weight_in(self, passage: usize) -> Option<f32> {
        let place = self
            .places
            .binary_search_by_key(&passage, |(passage, _)| *passage as usize);
        let (held, times) = self.places[place.ok()?];
        let is_gone = self.gone.binary_search(&held).is_ok();
        (!is_gone).then(|| self.weight(passage, times))
    }

    fn weight(self, passage: usize, times: u32) -> f32 {
        let (tf, length) = (times as f32, self.lengths.get(passage).copied().unwrap_or(0) as f32);
        let norm = K1 * (1.0 - B + B * length / self.mean);
        tf * (K1 + 1.0) / (tf + norm) * self.idf
    }
}

fn count(text: &str) -> (Vec<(String, u32)>, u32) {
    let mut terms = term::terms(text);
    let length = u32::try_from(terms.len()).unwrap_or(u32::MAX);
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

//! The sentences of a corpus by their terms: which of them speak of what.

use banyan_engine::index::term;
use banyan_engine::{ChunkId, Document, Knowledge};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Every sentence of a corpus with its terms, each document's in order. Derived, never stored.
pub(super) struct Sentences {
    numbers: HashMap<String, u32>,
    /// The terms by number.
    names: Vec<String>,
    /// Term → sentences that have it, ascending.
    postings: Vec<Vec<u32>>,
    /// Position of a sentence's document.
    document: Vec<u32>,
}

/// Terms with their weights; the sum of the weights is 1 unless there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weighted {
    terms: Vec<(u32, f32)>,
    /// Terms that the corpus does not have.
    unknown: Vec<(String, f32)>,
}

impl Sentences {
    /// Cuts every document into sentences. Cost O(total length), in parallel.
    pub(super) fn new(knowledge: &Knowledge) -> Self {
        let read = |document: &Document| {
            let spans = banyan_extract::sentence::split(&document.text).into_iter();
            spans.map(|span| term::distinct(span.of(&document.text))).collect()
        };
        Self::of(knowledge.documents.par_iter().map(read).collect())
    }

    /// The same with whole chunks in place of sentences: position for position those of the knowledge.
    pub(super) fn of_chunks(knowledge: &Knowledge) -> Self {
        let read = |at: usize| vec![term::distinct(&knowledge.passage(ChunkId::at(at)))];
        Self::of((0..knowledge.chunks.len()).into_par_iter().map(read).collect())
    }

    fn of(read: Vec<Vec<Vec<String>>>) -> Self {
        let mut sentences = Self {
            numbers: HashMap::new(),
            names: Vec::new(),
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
            let number = *self.numbers.entry(term.clone()).or_insert(next);
            if number == next {
                self.postings.push(Vec::new());
                self.names.push(term);
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
        let mut weighted = Weighted::default();
        for term in term::distinct(text) {
            match self.numbers.get(&term) {
                Some(number) => {
                    let df = self.postings[*number as usize].len();
                    weighted.terms.push((*number, weight(df)));
                }
                None => weighted.unknown.push((term, weight(1))),
            }
        }
        let known = weighted.terms.iter().map(|(_, weight)| weight);
        let total: f32 = known.chain(weighted.unknown.iter().map(|(_, weight)| weight)).sum();
        weighted.terms.iter_mut().for_each(|(_, weight)| *weight /= total);
        weighted.unknown.iter_mut().for_each(|(_, weight)| *weight /= total);
        weighted
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

    /// [`Self::scores`] where kindred words count, too, by their likeness: of a term and its kin the best that a sentence has.
    /// Cost O(sentences + postings).
    pub(super) fn kindred(&self, weighted: &Weighted, kin: &BTreeMap<String, Vec<(&str, f32)>>) -> Vec<f32> {
        let mut scores = self.scores(weighted);
        let known = weighted
            .terms
            .iter()
            .map(|(term, weight)| (self.names[*term as usize].as_str(), *weight));
        let unknown = weighted.unknown.iter().map(|(term, weight)| (term.as_str(), *weight));
        for (term, weight) in known.chain(unknown) {
            let mut best: BTreeMap<u32, f32> = BTreeMap::new();
            for (other, likeness) in kin.get(term).into_iter().flatten() {
                for sentence in self.postings(other) {
                    let slot = best.entry(*sentence).or_default();
                    *slot = slot.max(*likeness);
                }
            }
            let own = self.postings(term);
            for (sentence, likeness) in best {
                if own.binary_search(&sentence).is_err() {
                    scores[sentence as usize] += weight * likeness;
                }
            }
        }
        scores
    }

    fn postings(&self, term: &str) -> &[u32] {
        let number = self.numbers.get(term);
        number.map_or(&[], |number| &self.postings[*number as usize])
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

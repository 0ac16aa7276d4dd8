//! Words of a corpus that mean nearly what a word of a question means: "rescued" to "saved".

use banyan_engine::embed::{Embedder, StaticEmbedder, dot, normalize};
use banyan_engine::index::term;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Cosine below which two words have nothing in common, as in `answer::likeness`.
const UNLIKE: f32 = 0.3;
/// Least likeness of a kindred word, on the scale on which [`UNLIKE`] is 0. Arbitrary: "sea" and "ocean" lie above it.
const KINDRED: f32 = 0.4;
/// Most kindred words of one word. Arbitrary.
const MAX_KIN: usize = 8;
/// Shortest word that has kin, in bytes: shorter ones are parts of others.
const MIN_BYTES: usize = 3;

/// The English words of a corpus as static vectors.
pub(super) struct Kin<'a> {
    embedder: &'a StaticEmbedder,
    /// Term and the unit vector of the first word that has it, by term.
    words: Vec<(String, Vec<f32>)>,
}

impl<'a> Kin<'a> {
    /// The words of these texts. Cost O(length + words · d).
    pub(super) fn new<'t>(texts: impl Iterator<Item = &'t str>, embedder: &'a StaticEmbedder) -> Self {
        let mut spelled: BTreeMap<String, String> = BTreeMap::new();
        for text in texts {
            for (term, word) in words(text) {
                spelled.entry(term).or_insert(word);
            }
        }
        let words = spelled.into_par_iter();
        let words = words.map(|(term, word)| (term, vector(embedder, &word))).collect();
        Self { embedder, words }
    }

    /// For each English word of a text its term with the terms of kindred words, each with its likeness, in ]0, 1[; best
    /// first, ties by term. Cost O(words of the text · words · d).
    pub(super) fn of(&self, text: &str) -> BTreeMap<String, Vec<(&str, f32)>> {
        words(text)
            .map(|(term, word)| (term.clone(), self.near(&term, &word)))
            .collect()
    }

    fn near(&self, own: &str, word: &str) -> Vec<(&str, f32)> {
        let vector = vector(self.embedder, word);
        let like = |(term, other): &'_ (String, Vec<f32>)| {
            let likeness = (dot(&vector, other) - UNLIKE) / (1.0 - UNLIKE);
            (term != own && likeness >= KINDRED).then_some(likeness.min(1.0))
        };
        let mut near: Vec<(&str, f32)> = self
            .words
            .iter()
            .filter_map(|word| Some((word.0.as_str(), like(word)?)))
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        near.truncate(MAX_KIN);
        near
    }
}

/// The English content words of a text in small letters, with their terms.
fn words(text: &str) -> impl Iterator<Item = (String, String)> {
    let parts = text.split(|ch: char| !ch.is_ascii_alphabetic());
    parts.filter(|word| word.len() >= MIN_BYTES).filter_map(|word| {
        let word = word.to_ascii_lowercase();
        Some((term::terms(&word).pop()?, word))
    })
}

/// The unit vector of a word; zeros where no token of it is known.
fn vector(embedder: &StaticEmbedder, word: &str) -> Vec<f32> {
    let mut sum = vec![0.0; embedder.dimension()];
    for token in embedder.tokenizer().encode(word) {
        let part = embedder.token(token);
        sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    normalize(&mut sum);
    sum
}

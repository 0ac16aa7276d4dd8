//! The sentences of the evidence by how likely they answer a question: what is cited first, and what is the answer where
//! no shorter one is sure.
//!
//! A conditional logit: of all sentences of the best passages the one that answers is to have the largest share of
//! exp(w · x). Where there are vectors, the first few are ranked once more, with how near they are to the question. How
//! likely the best is right is a logistic model over that share and what the sentence holds. `banyan-eval calibrate --fit`
//! fits it all to questions over whole folders.

use super::calibration::{Calibration, Logistic};
use crate::evidence::{Evidence, LEAST_ODDS};
use crate::question::Question;
use crate::searcher::Searcher;
use crate::sentence::{self, N_FEATURES, NEAR, Row, SCORE, Sentence};
use banyan_engine::ChunkId;
use banyan_engine::embed::{EmbedError, Embedder, dot};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Passages that are read for an answer: as many as `query` ranks.
pub const MAX_PASSAGES: usize = 10;
/// Sentences that are compared by vectors, too. Measured on questions over 18 corpora: with 8 the first sentence is
/// evidence for .51 of the questions instead of .46.
pub const N_NEAR: usize = 8;

/// How many signs there are.
pub const N_SIGNS: usize = N_FEATURES + 2;

/// What tells whether the best of `ranked` holds the answer: the log-odds of its share, the share of the best three, and
/// its features; `None` without sentences.
pub fn signs(ranked: &[Sentence]) -> Option<[f64; N_SIGNS]> {
    let best = ranked.first()?;
    let share = f64::from(best.share).clamp(1e-6, 1.0 - 1e-6);
    let three = ranked.iter().take(3).map(|sentence| f64::from(sentence.share)).sum();
    let mut signs = [0.0; N_SIGNS];
    (signs[0], signs[1]) = ((share / (1.0 - share)).ln(), three);
    for (sign, value) in signs[2..].iter_mut().zip(best.row) {
        *sign = f64::from(value);
    }
    Some(signs)
}

/// Ranks sentences, and tells how likely the first holds the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranker {
    /// Weight of each feature, in the order of [`Row`].
    pub weights: Vec<f32>,
    /// How likely the first holds the answer, by [`signs`].
    pub certain: Logistic,
}

impl Ranker {
    /// Gives each sentence its share by these weights, and brings the best to the front.
    pub fn order(&self, sentences: &mut [Sentence]) {
        let score = |row: &Row| {
            row.iter()
                .zip(&self.weights)
                .map(|(value, weight)| value * weight)
                .sum()
        };
        let scores: Vec<f32> = sentences.iter().map(|sentence| score(&sentence.row)).collect();
        let top = scores.iter().copied().fold(f32::MIN, f32::max);
        let all: f32 = scores.iter().map(|score| (score - top).exp()).sum();
        for (sentence, score) in sentences.iter_mut().zip(&scores) {
            sentence.share = (score - top).exp() / all;
        }
        let place = |sentence: &Sentence| (sentence.chunk, sentence.span);
        sentences.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| place(a).cmp(&place(b))));
    }

    /// How likely the first of `ranked` holds the answer, 0..=1; 0 without sentences.
    pub fn certainty(&self, ranked: &[Sentence]) -> f64 {
        signs(ranked).map_or(0.0, |signs| self.certain.probability(&signs))
    }
}

/// The sentences of the first `n` passages of evidence, in text order of each; those that were not read before are read
/// now. Cost nothing, or that of [`sentence::sentences`].
pub fn sentences(searcher: &Searcher, question: &Question, evidence: &Evidence, n: usize) -> Vec<Sentence> {
    let scores: BTreeMap<ChunkId, f32> = evidence
        .passages
        .iter()
        .take(n)
        .map(|passage| (passage.chunk, 1.0 - passage.log_odds() / LEAST_ODDS))
        .collect();
    let known = evidence.sentences.iter();
    let mut found: Vec<Sentence> = known
        .filter(|sentence| scores.contains_key(&sentence.chunk))
        .cloned()
        .collect();
    let read: BTreeSet<ChunkId> = found.iter().map(|sentence| sentence.chunk).collect();
    let missing: Vec<ChunkId> = scores.keys().filter(|chunk| !read.contains(chunk)).copied().collect();
    found.extend(sentence::sentences(searcher, question, &missing));
    for sentence in &mut found {
        sentence.row[SCORE] = scores.get(&sentence.chunk).copied().unwrap_or(0.0);
    }
    found
}

/// The sentences of the first `n` passages, best first, by all that is known without embedding any. Cost that of
/// [`sentences`].
pub fn ranked(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    calibration: &Calibration,
    n: usize,
) -> Vec<Sentence> {
    let mut ranked = sentences(searcher, question, evidence, n);
    let ranker = if has_vectors(searcher, question) {
        &calibration.vectors
    } else {
        &calibration.words
    };
    ranker.order(&mut ranked);
    ranked
}

/// How likely the first of [`ranked`] holds the answer, 0..=1. With the corpus's `embedder` the first [`N_NEAR`] are
/// embedded and ranked once more.
///
/// # Errors
/// When `embedder` fails.
pub fn certainty(
    searcher: &Searcher,
    question: &Question,
    ranked: &mut [Sentence],
    calibration: &Calibration,
    embedder: Option<&dyn Embedder>,
) -> Result<f64, EmbedError> {
    if !has_vectors(searcher, question) {
        return Ok(calibration.words.certainty(ranked));
    }
    if let Some(embedder) = embedder {
        approach(searcher, question, embedder, ranked, N_NEAR)?;
    }
    Ok(again(calibration, ranked))
}

/// Whether sentences are compared with a question by vectors.
fn has_vectors(searcher: &Searcher, question: &Question) -> bool {
    question.vector.is_some() && searcher.tokens().is_some()
}

/// Ranks the first few of `ranked` once more, now that their nearness is known; how likely the first holds the answer.
pub fn again(calibration: &Calibration, ranked: &mut [Sentence]) -> f64 {
    let n = ranked.len().min(N_NEAR);
    let (near, far) = ranked.split_at_mut(n);
    calibration.vectors.order(near);
    for sentence in far {
        sentence.share = 0.0;
    }
    calibration.vectors.certainty(near)
}

/// Sets down how near the first `n` sentences are to a question that has a vector.
///
/// # Errors
/// When `embedder` fails.
pub fn approach(
    searcher: &Searcher,
    question: &Question,
    embedder: &dyn Embedder,
    sentences: &mut [Sentence],
    n: usize,
) -> Result<(), EmbedError> {
    let Some(vector) = &question.vector else {
        return Ok(());
    };
    let n = sentences.len().min(n);
    let first = &mut sentences[..n];
    let knowledge = searcher.knowledge();
    let text = |sentence: &Sentence| {
        let document = knowledge.document(knowledge.chunk(sentence.chunk).document);
        let (section, said) = (document.section(sentence.span.start), sentence.span.of(&document.text));
        format!("{} {section}: {said}", document.title)
    };
    let texts: Vec<String> = first.iter().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts)?;
    for (sentence, row) in first.iter_mut().zip(vectors.rows()) {
        sentence.row[NEAR] = dot(vector, row);
    }
    Ok(())
}

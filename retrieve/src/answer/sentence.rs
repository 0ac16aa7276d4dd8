//! The sentences of the evidence that are nearest to a question: what is cited, and how much of the question they cover.

use crate::evidence::{Evidence, Passage};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, Span};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Passages that are read for sentences.
pub(super) const MAX_PASSAGES: usize = 6;
/// Passages that may cover the question together: as many as a path of three hops has.
const MAX_COVERING: usize = 4;
/// A passage that scores above a perfect direct match counts as this much, so that it does not outweigh the words.
const MAX_PASSAGE_SCORE: f32 = 1.2;

/// A sentence of the evidence with its support for the question.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) chunk: ChunkId,
    pub(super) span: Span,
    /// Score of its passage times the share of the question's words that it holds.
    pub(super) score: f32,
}

/// The sentences of the best passages, best first.
///
/// A sentence scores by the share of the question's words that it or its title holds. In a passage that a path reached,
/// half of that is the share of the words that the path before it did not hold: the last fact answers what is left.
pub(super) fn sentences(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Vec<Sentence> {
    let weights = weights(searcher, &question.terms);
    let read = evidence.passages.iter().take(MAX_PASSAGES);
    let mut sentences: Vec<Sentence> = read
        .flat_map(|passage| of_passage(searcher, question, passage, &weights))
        .collect();
    sentences.sort_by(best_first);
    sentences
}

/// The sentence of each passage that is nearest to the question; `None` where a passage has none.
pub(super) fn best_of_each(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Vec<Option<Sentence>> {
    let weights = weights(searcher, &question.terms);
    let best = |passage| {
        let sentences = of_passage(searcher, question, passage, &weights);
        sentences.into_iter().min_by(best_first)
    };
    evidence.passages.iter().map(best).collect()
}

fn best_first(a: &Sentence, b: &Sentence) -> Ordering {
    let place = |sentence: &Sentence| (sentence.chunk, sentence.span);
    b.score.total_cmp(&a.score).then(place(a).cmp(&place(b)))
}

fn of_passage(
    searcher: &Searcher,
    question: &Question,
    passage: &Passage,
    weights: &BTreeMap<String, f32>,
) -> Vec<Sentence> {
    let knowledge = searcher.knowledge();
    let document = knowledge.document(knowledge.chunk(passage.chunk).document);
    let title: BTreeSet<String> = term::terms(&document.title).into_iter().collect();
    let left = left_over(searcher, passage, question);
    let scored = |span: Span| {
        let mut held: BTreeSet<String> = term::terms(span.of(&document.text)).into_iter().collect();
        held.extend(title.iter().cloned());
        let whole = share(weights, &held);
        let support = if left.is_empty() {
            whole
        } else {
            f32::midpoint(whole, share(&left, &held))
        };
        Sentence {
            chunk: passage.chunk,
            span,
            score: passage.score.min(MAX_PASSAGE_SCORE) * (0.1 + support),
        }
    };
    searcher.sentences(passage.chunk).into_iter().map(scored).collect()
}

/// The question's words that the passages before the last of a path do not hold; none for a passage that no path reached.
fn left_over(searcher: &Searcher, passage: &Passage, question: &Question) -> BTreeMap<String, f32> {
    let Some(path) = passage.path.as_ref().filter(|_| passage.is_by_path()) else {
        return BTreeMap::new();
    };
    let before = path.chunks[..path.chunks.len() - 1].iter();
    let held: BTreeSet<String> = before
        .flat_map(|chunk| term::terms(&searcher.knowledge().passage(*chunk)))
        .collect();
    weights(searcher, question.terms.iter().filter(|word| !held.contains(*word)))
}

/// The weight of the words held.
fn share(weights: &BTreeMap<String, f32>, held: &BTreeSet<String>) -> f32 {
    let held = weights.iter().filter(|(word, _)| held.contains(*word));
    held.map(|(_, weight)| weight).sum()
}

/// Terms with their share of the inverse document frequency; shares sum to 1.
fn weights<'a>(searcher: &Searcher, terms: impl IntoIterator<Item = &'a String>) -> BTreeMap<String, f32> {
    let idf = terms
        .into_iter()
        .map(|word| (word.clone(), searcher.passages().idf(word)));
    let mut weights: BTreeMap<String, f32> = idf.collect();
    let total: f32 = weights.values().sum();
    for weight in weights.values_mut() {
        *weight /= total.max(f32::MIN_POSITIVE);
    }
    weights
}

/// How well the evidence covers a question: the share of its words, weighted by rarity, that the best passages hold
/// together, 0..=1. A name that the corpus does not know weighs most, so that questions about something else score low.
pub(super) fn coverage(searcher: &Searcher, question: &Question, evidence: &Evidence) -> f32 {
    let best = evidence.passages.iter().take(MAX_COVERING);
    let held = best.flat_map(|passage| term::terms(&searcher.knowledge().passage(passage.chunk)));
    support(searcher, question, &held.collect())
}

/// The share of the question's words, by inverse document frequency, that are held, 0..=1.
pub(super) fn support(searcher: &Searcher, question: &Question, held: &BTreeSet<String>) -> f32 {
    share(&weights(searcher, &question.terms), held).min(1.0)
}

//! An answer from evidence without a language model: the best-supported entity or value of the kind asked for.

use crate::agent::{self, Sink, Thought};
use crate::evidence::Evidence;
use crate::read::Reading;
use crate::searcher::Searcher;
use banyan_engine::index::term::is_ideograph;
use banyan_engine::{ChunkId, Schema, Span};
use serde::Serialize;

mod alternative;
pub mod calibration;
mod compare;
mod han;
mod role;
pub mod score;
mod sentence;
mod subject;
mod yes_no;

use calibration::{Calibration, Signals};

pub use crate::citation::Citation;
pub(crate) use crate::citation::cite;
pub use crate::question::{Expected, Question};
pub use crate::read::{Weights, WeightsError};

/// What to do when the evidence is weak (Youtu-GraphRAG §4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Answer with the best there is.
    Open,
    /// Say that the corpus does not tell.
    #[default]
    Reject,
}

/// What the engine says to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The answer; `None` where nothing fits or reject mode refused.
    pub text: Option<String>,
    /// What kind of thing was looked for.
    pub expected: Expected,
    /// The likeliest answer, stated or not; `None` where nothing fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeliest: Option<String>,
    /// How likely the answer is right, 0..=1; of an answer that is not judged yet, how well the evidence covers the
    /// question.
    pub sufficiency: f32,
    /// Whether reject mode held an answer back.
    pub is_rejected: bool,
    /// The sentences that support the answer, or the nearest ones where there is none; strongest first.
    pub citations: Vec<Citation>,
    /// The steps that led to it (H in Eq. 9); none where things were compared instead.
    pub history: Vec<Thought>,
}

const MAX_CITATIONS: usize = 3;

/// Answers from `evidence` with the shipped weights and the built-in calibration. Cost O(words of the passages read).
/// Empty evidence gives no answer and no citation.
pub fn answer(searcher: &Searcher, question: &Question, evidence: &Evidence, mode: Mode) -> Answer {
    let found = answer_with(searcher, question, evidence, &Weights::shipped(), &mut |_| {});
    let signals = Signals::of(searcher, question, evidence, &found);
    Calibration::default().judge(mode, &signals, found)
}

/// The best answer by these weights, however likely; every step is told to `sink` when it is done. Its sufficiency is how
/// much of the question the evidence covers: whether it is to be given, [`Calibration::judge`] decides.
pub fn answer_with(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    weights: &Weights,
    sink: Sink<'_>,
) -> Answer {
    let mut history: Vec<Thought> = Vec::new();
    let expected = Expected::of(&question.text, &searcher.knowledge().schema);
    let sufficiency = sentence::coverage(searcher, question, evidence);
    let sentences = sentence::sentences(searcher, question, evidence);
    let mut told = |thought: &Thought| {
        sink(thought);
        history.push(thought.clone());
    };
    let found = find(searcher, question, evidence, expected, &sentences, weights, &mut told);
    let nearest = sentences.iter().map(|sentence| (sentence.chunk, sentence.span));
    let support = found.iter().flat_map(|found| found.support.iter().copied());
    let mut citations: Vec<Citation> = Vec::new();
    for (chunk, span) in support.chain(nearest) {
        let citation = cite(searcher, chunk, span);
        if citations.len() < MAX_CITATIONS && !citations.contains(&citation) {
            citations.push(citation);
        }
    }
    // Many a corpus comes from pages.
    let text = found.map(|found| html_escape::decode_html_entities(&found.text).into_owned());
    Answer {
        likeliest: text.clone(),
        text,
        expected,
        sufficiency,
        is_rejected: false,
        citations,
        history,
    }
}

/// Whether a question is decided by comparing things rather than read from a passage.
fn is_decided(question: &str, schema: &Schema) -> bool {
    Expected::of(question, schema) == Expected::YesNo || compare::is_choice(question)
}

/// The possible answers to each step of a question that is read from passages, best first: what weights are fitted to.
/// `None` for a question that is decided by comparing things, and for one in text without spaces.
pub fn possible(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    weights: &Weights,
) -> Option<Vec<Vec<Reading>>> {
    let is_read = !is_decided(&question.text, &searcher.knowledge().schema);
    is_read.then(|| agent::follow(searcher, question, evidence, weights, &mut |_| {}))
}

#[derive(Clone, Debug, PartialEq)]
struct Found {
    text: String,
    /// Strongest first.
    support: Vec<(ChunkId, Span)>,
}

fn find(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    expected: Expected,
    sentences: &[sentence::Sentence],
    weights: &Weights,
    sink: Sink<'_>,
) -> Option<Found> {
    if expected == Expected::YesNo {
        return yes_no::decide(searcher, question, evidence, weights);
    }
    // The reader sees words between spaces.
    if question.text.contains(is_ideograph) {
        return han::best(searcher, question, evidence, expected, sentences);
    }
    if compare::is_choice(&question.text)
        && let Some(chosen) = compare::choose(searcher, question, weights)
    {
        return Some(chosen);
    }
    let steps = agent::follow(searcher, question, evidence, weights, sink);
    let best = steps.last()?.first()?;
    let mut support = vec![(best.chunk, best.sentence)];
    support.extend(&best.before);
    Some(Found {
        text: best.text.clone(),
        support,
    })
}

/// The sentence of each passage of the evidence that is nearest to the question, in the order of the passages. Cost
/// O(words of the passages).
pub fn best_of_each(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Vec<Option<Citation>> {
    let best = sentence::best_of_each(searcher, question, evidence).into_iter();
    best.map(|found| found.map(|sentence| cite(searcher, sentence.chunk, sentence.span)))
        .collect()
}

/// How well the evidence covers a question, and the sentences nearest to it, best first, where nothing answers it.
pub(crate) fn nearest(searcher: &Searcher, question: &Question, evidence: &Evidence) -> (f32, Vec<Citation>) {
    let sentences = sentence::sentences(searcher, question, evidence);
    let best = sentences.iter().take(MAX_CITATIONS);
    let citations = best.map(|sentence| cite(searcher, sentence.chunk, sentence.span));
    (sentence::coverage(searcher, question, evidence), citations.collect())
}

//! An answer from evidence without a language model: the best-supported entity or value of the kind asked for.

use crate::agent::{self, Sink, Thought};
use crate::calibration::{Calibration, Signals};
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term::is_ideograph;
use banyan_engine::{ChunkId, Document, Schema, Span};

use serde::{Deserialize, Serialize};

mod alternative;
pub(crate) mod ask;
mod candidate;
pub(crate) mod choice;
mod claim;
mod command;
mod common;
mod compare;
mod count;
mod date;
pub(crate) mod difference;
mod expected;
pub(crate) mod feature;
pub mod learn;
mod likeness;
pub(crate) mod page;
mod polar;
pub(crate) mod reader;
mod role;
pub mod score;
mod spelling;
mod subject;
pub(crate) mod sufficiency;
mod value;
pub(crate) mod weight;

pub use expected::Expected;
pub use weight::{Weights, WeightsError};

/// What to do when the evidence is weak (Youtu-GraphRAG §4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Answer with the best there is.
    #[default]
    Open,
    /// Say that the corpus does not tell.
    Reject,
}

/// Words of a document that support an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// Title of the document.
    pub title: String,
    /// File, with the record's id where the file holds several.
    pub origin: String,
    /// Bytes of the quote in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte in the document's text, from 1.
    #[serde(default)]
    pub line: u32,
    /// Its column: characters of that line up to it, itself included.
    #[serde(default)]
    pub column: u32,
    /// The words, verbatim.
    pub quote: String,
}

/// What the engine says to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The answer; `None` where nothing fits or reject mode refused.
    pub text: Option<String>,
    /// What kind of thing was looked for.
    pub expected: Expected,
    /// How likely the answer is right, 0..=1; of an answer that is not judged yet, how well the evidence covers the question.
    pub sufficiency: f32,
    /// Whether reject mode held an answer back.
    pub is_rejected: bool,
    /// The sentences that support the answer, or the nearest ones where there is none; strongest first.
    pub citations: Vec<Citation>,
    /// The steps that led to it (H in Eq. 9); none where things were compared instead.
    pub history: Vec<Thought>,
}

/// Sentences to cite.
const MAX_CITATIONS: usize = 3;

/// Answers from `evidence` with the shipped weights and the built-in calibration. Cost O(words of the passages read). Empty evidence gives no answer and
/// no citation.
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
    let sufficiency = sufficiency::sufficiency(searcher, question, evidence);
    let sentences = candidate::sentences(searcher, question, evidence);
    let found = find(
        searcher,
        question,
        evidence,
        expected,
        &sentences,
        weights,
        &mut |thought| {
            sink(thought);
            history.push(thought.clone());
        },
    );
    let nearest = sentences.iter().map(|sentence| (sentence.chunk, sentence.span));
    let support = found.iter().flat_map(|found| found.support.iter().copied());
    let mut citations: Vec<Citation> = Vec::new();
    for (chunk, span) in support.chain(nearest) {
        let citation = cite(searcher, chunk, span);
        if citations.len() < MAX_CITATIONS && !citations.contains(&citation) {
            citations.push(citation);
        }
    }
    Answer {
        text: found.map(|found| unescaped(&found.text)),
        expected,
        sufficiency,
        is_rejected: false,
        citations,
        history,
    }
}

/// A text with marks in place of what HTML writes for them; many a corpus comes from pages.
fn unescaped(text: &str) -> String {
    let marks = [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    let plain = |text: String, (written, mark): &(&str, &str)| text.replace(written, mark);
    marks.iter().fold(text.to_owned(), plain)
}

/// Whether a question is decided by comparing things rather than read from a passage.
pub(crate) fn is_decided(question: &str, schema: &Schema) -> bool {
    Expected::of(question, schema) == Expected::YesNo || compare::is_choice(question)
}

/// An answer with the sentences that support it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) text: String,
    /// Strongest first.
    pub(crate) support: Vec<(ChunkId, Span)>,
}

fn find(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    expected: Expected,
    sentences: &[candidate::Sentence],
    weights: &Weights,
    sink: Sink<'_>,
) -> Option<Found> {
    // The reader sees words between spaces.
    if question.text.contains(is_ideograph) {
        return match expected {
            Expected::YesNo => polar::decide(searcher, question),
            _ => candidate::best(searcher, question, evidence, expected, sentences),
        };
    }
    let chosen = match expected {
        Expected::YesNo => {
            return claim::judge(searcher, question, evidence).or_else(|| polar::decide(searcher, question));
        }
        _ if compare::is_choice(&question.text) => compare::choose(searcher, question, weights),
        _ => difference::compute(searcher, question).or_else(|| common::facts(searcher, &question.text)),
    };
    if chosen.is_some() {
        return chosen;
    }
    let mut filled = String::new();
    let read = agent::find(searcher, question, evidence, weights, &mut |thought| {
        filled = thought.filled.first().cloned().unwrap_or_default();
        sink(thought);
    });
    let is_said = |found: &Found| count::is_said(searcher, &question.text, found);
    if expected != Expected::Number || read.as_ref().is_some_and(is_said) {
        return read;
    }
    // One fact alone is more likely the only one read than the only one there is; a length is no number of things at all.
    let is_measure = |found: &Found| found.text.contains(char::is_alphabetic);
    let least = if read.as_ref().is_none_or(is_measure) { 1 } else { 2 };
    count::count(searcher, &question.text, &filled, least).or(read)
}

/// How well the evidence covers a question, and the sentences nearest to it, best first, where nothing answers it.
pub(crate) fn nearest(searcher: &Searcher, question: &Question, evidence: &Evidence) -> (f32, Vec<Citation>) {
    let sentences = candidate::sentences(searcher, question, evidence);
    let best = sentences.iter().take(MAX_CITATIONS);
    let citations = best.map(|sentence| cite(searcher, sentence.chunk, sentence.span));
    (
        sufficiency::sufficiency(searcher, question, evidence),
        citations.collect(),
    )
}

pub(crate) fn cite(searcher: &Searcher, chunk: ChunkId, span: Span) -> Citation {
    let knowledge = searcher.knowledge();
    Citation::of(knowledge.document(knowledge.chunk(chunk).document), span)
}

impl Citation {
    /// The words of a document at `span`, with their place. Cost O(bytes before them).
    pub fn of(document: &Document, span: Span) -> Self {
        let (line, column) = place(&document.text, span.start as usize);
        Self {
            title: document.title.clone(),
            origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
            start: span.start,
            end: span.end,
            line,
            column,
            quote: span.of(&document.text).to_owned(),
        }
    }
}

/// Line and column, from 1, of a byte of `text`. Cost O(byte).
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    (
        count(before.matches('\n').count()),
        count(before[line_start..].chars().count()),
    )
}

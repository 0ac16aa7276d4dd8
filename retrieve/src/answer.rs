//! An answer from evidence without a language model: the best-supported entity or value of the kind asked for.

use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, Span};
use serde::Serialize;

mod candidate;
mod compare;
mod expected;
mod polar;
mod sufficiency;

pub use expected::Expected;

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

/// Sufficiency below which reject mode refuses: arbitrary, not calibrated. It refuses questions about what the corpus does
/// not name, and misses facts that are absent about things it does name.
pub const SUFFICIENT: f32 = 0.6;

/// Words of a document that support an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Citation {
    /// Title of the document.
    pub title: String,
    /// File, with the record's id where the file holds several.
    pub origin: String,
    /// Bytes of the quote in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
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
    /// How well the evidence covers the question, 0..=1.
    pub sufficiency: f32,
    /// Whether reject mode held an answer back.
    pub is_rejected: bool,
    /// The sentences that support the answer, or the nearest ones where there is none; strongest first.
    pub citations: Vec<Citation>,
}

/// Sentences to cite.
const MAX_CITATIONS: usize = 3;

/// Answers from `evidence`. Cost O(words of the best passages). Empty evidence gives no answer and no citation.
pub fn answer(searcher: &Searcher, question: &Question, evidence: &Evidence, mode: Mode) -> Answer {
    let expected = Expected::of(&question.text, &searcher.knowledge().schema);
    let sufficiency = sufficiency::sufficiency(searcher, question, evidence);
    let sentences = candidate::sentences(searcher, question, evidence);
    let found = match expected {
        Expected::YesNo => polar::decide(searcher, question, &sentences),
        _ if compare::is_choice(&question.text) => compare::choose(searcher, question, &sentences)
            .or_else(|| candidate::best(searcher, question, evidence, expected, &sentences)),
        _ => candidate::best(searcher, question, evidence, expected, &sentences),
    };
    let is_rejected = mode == Mode::Reject && sufficiency < SUFFICIENT;
    let support = found.as_ref().map(|found| found.sentence);
    let cited = support.into_iter().chain(0..sentences.len());
    let mut citations: Vec<Citation> = Vec::new();
    for position in cited {
        let citation = cite(searcher, sentences[position].chunk, sentences[position].span);
        if citations.len() < MAX_CITATIONS && !citations.contains(&citation) {
            citations.push(citation);
        }
    }
    Answer {
        text: found.map(|found| found.text).filter(|_| !is_rejected),
        expected,
        sufficiency,
        is_rejected,
        citations,
    }
}

fn cite(searcher: &Searcher, chunk: ChunkId, span: Span) -> Citation {
    let knowledge = searcher.knowledge();
    let document = knowledge.document(knowledge.chunk(chunk).document);
    Citation {
        title: document.title.clone(),
        origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
        start: span.start,
        end: span.end,
        quote: span.of(&document.text).to_owned(),
    }
}

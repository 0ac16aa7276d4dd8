//! The history H of Eq. 9: what was asked at each step, what was found, and what is believed.

use crate::answer::feature::Feature;
use crate::answer::reader::Reading;
use crate::answer::{Citation, Expected, cite};
use crate::decompose::SubQuery;
use crate::searcher::Searcher;
use banyan_engine::ChunkId;
use serde::Serialize;

/// Answers of a step that are told.
const MAX_BELIEFS: usize = 3;

/// One step of thinking: a sub-question, how it was asked, and what it brought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// Number of the step, from 1.
    pub step: usize,
    /// The sub-question with its variables.
    pub asked: String,
    /// The kind of answer.
    pub expected: Expected,
    /// It with the answers of earlier steps filled in, most likely first.
    pub filled: Vec<String>,
    /// Passages that were read.
    pub n_passages: usize,
    /// Passages that each of [`Self::filled`] found, best first; none where the step is the only one.
    #[serde(skip)]
    pub sought: Vec<Vec<ChunkId>>,
    /// The best answers, best first; none where the passages hold no possible one.
    pub beliefs: Vec<Belief>,
}

impl Thought {
    /// A step of which nothing is known yet.
    pub(super) fn of(step: &SubQuery) -> Self {
        Self {
            step: 0,
            asked: step.text.clone(),
            expected: step.expected,
            filled: Vec::new(),
            n_passages: 0,
            sought: Vec::new(),
            beliefs: Vec::new(),
        }
    }
}

/// A possible answer to a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Belief {
    /// The answer.
    pub text: String,
    /// Its share of belief among all possible answers, 0..=1; a rank within the step, not a probability of being right.
    pub share: f32,
    /// The sentence that says so.
    pub citation: Citation,
    /// The learned score; higher is better, only its distance to others of the step means anything by itself.
    #[serde(skip)]
    pub score: f32,
    /// Whether the passage of that sentence names what the step asks about, or the step names nothing known.
    #[serde(skip)]
    pub is_anchored: bool,
}

/// The best of some readings with their shares.
pub(super) fn beliefs(searcher: &Searcher, readings: &[Reading]) -> Vec<Belief> {
    let top = readings.first().map_or(0.0, |reading| reading.score);
    let total: f32 = readings.iter().map(|reading| (reading.score - top).exp()).sum();
    let best = readings.iter().take(MAX_BELIEFS);
    best.map(|reading| Belief {
        text: reading.text.clone(),
        share: (reading.score - top).exp() / total,
        citation: cite(searcher, reading.chunk, reading.sentence),
        score: reading.score,
        is_anchored: reading.row[Feature::PassageNamesAnchor as usize] > 0.0
            || reading.row[Feature::AboutAnchor as usize] > 0.0,
    })
    .collect()
}

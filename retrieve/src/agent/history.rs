//! The history H of Eq. 9: what was asked at each step, what was found, and what is believed.

use crate::citation::{Citation, cite};
use crate::decompose::SubQuery;
use crate::evidence::{Evidence, Passage};
use crate::question::Expected;
use crate::read::Reading;
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
}

/// Logarithm of the share of belief in each reading among all of them, in their order.
pub(super) fn log_shares(readings: &[Reading]) -> Vec<f32> {
    let top = readings.first().map_or(0.0, |reading| reading.score);
    let total: f32 = readings.iter().map(|reading| (reading.score - top).exp()).sum();
    readings
        .iter()
        .map(|reading| reading.score - top - total.ln())
        .collect()
}

/// The best of some readings with their shares.
pub(super) fn beliefs(searcher: &Searcher, readings: &[Reading]) -> Vec<Belief> {
    let shares = log_shares(readings);
    let best = readings.iter().zip(shares).take(MAX_BELIEFS);
    best.map(|(reading, share)| Belief {
        text: reading.text.clone(),
        share: share.exp(),
        citation: cite(searcher, reading.chunk, reading.sentence),
    })
    .collect()
}

/// Passages of the whole question that stay before those of its steps. Measured: with 2, 3 and 4 recall@5 of musique100
/// is .843, .838 and .830 against .804 without the steps, and hotpot100 and 2wiki51 stay within .005; with 2, recall@2
/// of 2wiki51 falls from .784 to .775.
const BEFORE_STEPS: usize = 3;

impl Evidence {
    /// The evidence with the best passage of each step of a question behind the first three of the whole question, the
    /// last step first. The number of passages stays. Measured: a second passage of each step costs recall@10.
    #[must_use]
    pub fn with_steps(mut self, history: &[Thought]) -> Self {
        let n = self.passages.len();
        let mut at = n.min(BEFORE_STEPS);
        for thought in history.iter().rev() {
            let Some(chunk) = thought.sought.first().and_then(|sought| sought.first()) else {
                continue;
            };
            let known = self.passages.iter().position(|passage| passage.chunk == *chunk);
            if known.is_some_and(|known| known < at) {
                continue;
            }
            let mut passage = known.map_or_else(|| of_step(*chunk), |known| self.passages.remove(known));
            passage.step = Some(thought.step);
            passage.score = at
                .checked_sub(1)
                .map_or(passage.score, |before| self.passages[before].score);
            self.passages.insert(at, passage);
            at += 1;
        }
        self.n_cut += self.passages.len().saturating_sub(n.max(at));
        self.passages.truncate(n.max(at));
        self
    }
}

/// A passage that no route found for the whole question.
fn of_step(chunk: ChunkId) -> Passage {
    Passage {
        chunk,
        score: 0.0,
        fused: 0.0,
        direct: 0.0,
        path: None,
        by_route: Vec::new(),
        step: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds the order of the chunks 0..n of a whole question once the steps have found `sought`, the first step first.
    fn check(n: usize, sought: &[&[usize]], expected: &[usize], n_cut: usize) {
        let passages = (0..n).map(|at| of_step(ChunkId::at(at))).collect();
        let whole = Evidence {
            passages,
            ..Evidence::default()
        };
        let thought = |(at, chunks): (usize, &&[usize])| Thought {
            step: at + 1,
            asked: String::new(),
            expected: Expected::Any,
            filled: Vec::new(),
            n_passages: 0,
            sought: vec![chunks.iter().map(|chunk| ChunkId::at(*chunk)).collect()],
            beliefs: Vec::new(),
        };
        let history: Vec<Thought> = sought.iter().enumerate().map(thought).collect();
        let found = whole.with_steps(&history);
        let chunks: Vec<usize> = found.passages.iter().map(|passage| passage.chunk.index()).collect();
        assert_eq!((chunks.as_slice(), found.n_cut), (expected, n_cut), "{n} {sought:?}");
    }

    #[test]
    fn the_best_passage_of_each_step_stands_behind_the_first_three_the_last_step_first() {
        check(6, &[&[9, 8], &[7]], &[0, 1, 2, 7, 9, 3], 2);
        // One that is there already moves up or stays.
        check(6, &[&[5], &[1]], &[0, 1, 2, 5, 3, 4], 0);
        check(6, &[&[7], &[7]], &[0, 1, 2, 7, 3, 4], 1);
        check(2, &[&[7]], &[0, 1, 7], 0);
        check(0, &[&[7]], &[7], 0);
        check(3, &[&[]], &[0, 1, 2], 0);
        check(3, &[], &[0, 1, 2], 0);
    }
}

//! What became of each passage.

use super::{Passage, Tokens};
use crate::stated::Stated;
use banyan_engine::llm::LlmError;
use banyan_engine::stated::{Quarantine, QuarantineReason};
use serde::{Deserialize, Serialize};

/// Longest excerpt of a reply in characters. Arbitrary: enough to see what went wrong.
const MAX_EXCERPT_CHARS: usize = 500;

/// What a run gives.
#[derive(Debug)]
pub struct Run {
    /// For every passage, in the order in which they were given.
    pub chunks: Vec<Extracted>,
    /// Calls that were answered, whatever the answer.
    pub n_calls: usize,
    /// Why the run ended before all passages were asked about; none for a complete run.
    pub stopped: Option<LlmError>,
}

impl Run {
    /// Passages that wait in quarantine, in order.
    pub fn quarantined(&self) -> impl Iterator<Item = &Quarantine> {
        self.chunks.iter().filter_map(|chunk| match &chunk.outcome {
            Outcome::Quarantined(quarantine) => Some(quarantine),
            _ => None,
        })
    }

    /// Tokens of all calls.
    pub fn tokens(&self) -> Tokens {
        self.chunks.iter().map(|chunk| chunk.tokens).sum()
    }

    /// Facts of all passages: triples and attributes.
    pub fn n_facts(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.stated.n_facts()).sum()
    }
}

/// What is known of one passage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extracted {
    /// What the model states of it, with what was wrong. Something may be stated of a passage in quarantine or pending, too.
    pub stated: Stated,
    /// What became of it.
    pub outcome: Outcome,
    /// Its share of the tokens of the calls that it was part of; the shares of all passages add up to all tokens.
    pub tokens: Tokens,
}

impl Extracted {
    /// Tokens for each fact; none where there is no fact.
    pub fn tokens_per_fact(&self) -> Option<f64> {
        let n_facts = self.stated.n_facts();
        (n_facts > 0).then(|| self.tokens.total() as f64 / n_facts as f64)
    }
}

/// What became of a passage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was read to its end.
    Done,
    /// It could not be read; asking again may help.
    Quarantined(Quarantine),
    /// The run ended first.
    #[default]
    Pending,
}

/// A passage with the reason why it is not done.
pub(super) fn quarantine(passage: &Passage<'_>, reason: QuarantineReason, detail: String, reply: &str) -> Quarantine {
    Quarantine {
        document: passage.document,
        span: passage.span,
        reason,
        detail,
        excerpt: reply.chars().take(MAX_EXCERPT_CHARS).collect(),
    }
}

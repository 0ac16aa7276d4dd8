//! The history H of Eq. 9 where a model reasons: what was asked, shown, thought and found, round by round.

use crate::decompose::{Decomposition, Target};
use banyan_engine::stated::DefectCounts;
use serde::Serialize;

/// Everything between question and answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trail {
    /// The sub-questions, and who made them.
    pub plan: Decomposition,
    /// The rounds, in order; at least one.
    pub rounds: Vec<Round>,
    /// Passages shown with the last prompt.
    pub n_shown: usize,
    /// Passages found for which it had no room.
    pub n_cut: usize,
    /// Passages among those shown that give orders to their reader; they were shown as text and not obeyed.
    pub n_orders: usize,
    /// Whether at least one quote of the answer stands in a passage.
    pub is_cited: bool,
    /// What was wrong with all replies together.
    pub defects: DefectCounts,
}

/// One round of retrieving, reasoning and reflecting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// Its number, from 1.
    pub number: usize,
    /// The sub-questions that passages were sought for, in order.
    pub asked: Vec<Asked>,
    /// Passages shown.
    pub n_shown: usize,
    /// What the model makes of the evidence, in its words.
    pub assessment: String,
    /// Answers to sub-questions.
    pub found: Vec<Finding>,
    /// Whether the model holds the evidence to be sufficient.
    pub is_sufficient: bool,
    /// Sub-questions that it wants asked beside those of the plan.
    pub next: Vec<String>,
    /// Why this was the last round; `None` where another one followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// What was wrong with the reply.
    #[serde(skip_serializing_if = "DefectCounts::is_empty")]
    pub defects: DefectCounts,
}

/// A sub-question as it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Its number, from 1.
    pub step: usize,
    /// Its words, with earlier answers filled in.
    pub text: String,
    /// The level that it asks.
    pub target: Target,
    /// Passages found.
    pub n_passages: usize,
}

/// An answer to a sub-question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Number of the sub-question.
    pub step: usize,
    /// The answer, in the model's words.
    pub answer: String,
    /// Title of the passage that it names for it.
    pub title: String,
}

/// Why no further round follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The evidence suffices, says the model.
    Sufficient,
    /// No sub-question is left that could be asked.
    NothingToAsk,
    /// R rounds are done.
    Rounds,
}

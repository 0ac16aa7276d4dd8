//! From evidence to an answer (Eq. 9, Youtu-GraphRAG): whoever reasons, reads and decides whether it suffices.
//!
//! [`EmbeddedReasoner`] follows the steps of a question with a learned score ([`crate::agent`]). [`ModelReasoner`] lets a
//! language model do both halves of `A(t) = f_LLM(q, H(t−1))`: reasoning over the evidence so far, and reflection on
//! what is still missing, for at most R rounds.

use crate::agent::Thought;
use crate::answer::{Answer, Mode, Weights, consider};
use crate::calibration::Calibration;
use crate::decompose::Decomposition;
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::embed::{EmbedError, Embedder};
use banyan_engine::llm::LlmError;
use serde::Serialize;

mod conclude;
mod context;
mod inquiry;
mod model;
mod prompt;
mod quote;
mod reflect;
mod retrieve;
mod trail;

#[cfg(test)]
mod tests;

pub use model::{ModelReasoner, Models, Options};
pub use trail::{Asked, Finding, Round, Stop, Trail};

/// What is to be answered, from what.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The knowledge, opened.
    pub searcher: &'a Searcher,
    /// The question; it is never rewritten.
    pub question: &'a Question,
    /// What the whole question found.
    pub evidence: &'a Evidence,
    /// What to do when the evidence is weak.
    pub mode: Mode,
    /// What embeds sub-questions; `None` without dense vectors.
    pub embedder: Option<&'a dyn Embedder>,
}

/// What is told while reasoning, as it happens.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Told<'a> {
    /// The sub-questions.
    Plan(&'a Decomposition),
    /// A step that is done.
    Step(&'a Thought),
    /// A round that is done.
    Round(&'a Round),
}

/// Who hears it.
pub type Listener<'a> = &'a mut dyn FnMut(Told<'_>);

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The answer, with citations.
    pub answer: Answer,
    /// The evidence, with the passages that sub-questions found: the best of each behind the first of the whole question
    /// ([`Evidence::with_steps`]), or where a model reasons all of them behind those of the whole question.
    pub evidence: Evidence,
    /// What a model made of it round by round; `None` where no model was asked.
    pub trail: Option<Trail>,
}

/// Why there is no conclusion.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReasonError {
    /// There is no reply to be had from the model.
    #[error("the model gave no reply to `{stage}`")]
    Model {
        /// What it was asked to do.
        stage: &'static str,
        /// Why there is none.
        source: Box<LlmError>,
    },
    /// The reply that was to hold the answer is none.
    #[error(
        "the model's reply to `answer` cannot be used: expected one JSON object with {expected}, found {found:?}; ask again or use another model"
    )]
    Unusable {
        /// The fields of the object.
        expected: &'static str,
        /// The beginning of the reply.
        found: String,
    },
    /// A sub-question cannot be embedded.
    #[error("cannot embed a sub-question")]
    Embed(#[from] EmbedError),
}

impl ReasonError {
    /// Whether every further question would fail alike; otherwise the error concerns one question.
    pub fn ends_job(&self) -> bool {
        match self {
            Self::Model { source, .. } => source.ends_job(),
            Self::Unusable { .. } => false,
            Self::Embed(_) => true,
        }
    }
}

/// Who reasons.
pub trait Reasoner: Sync {
    /// Reasons about a question over evidence, telling `listener` what is done. The same evidence and replies give the
    /// same conclusion, for any number of threads.
    ///
    /// # Errors
    /// [`ReasonError`] where a model or an embedder is asked and fails.
    fn conclude(&self, task: &Task<'_>, listener: Listener<'_>) -> Result<Conclusion, ReasonError>;

    /// The evidence of that conclusion, for who answers otherwise.
    ///
    /// # Errors
    /// As [`Self::conclude`].
    fn gather(&self, task: &Task<'_>) -> Result<Evidence, ReasonError> {
        self.conclude(task, &mut |_| {}).map(|concluded| concluded.evidence)
    }
}

/// The learned score: [`consider`] and a calibration that decides in reject mode. Fails where the embedder does.
#[derive(Clone, Debug)]
pub struct EmbeddedReasoner {
    /// How readings are weighed.
    pub weights: Weights,
    /// How sure an answer must be in reject mode.
    pub calibration: Calibration,
}

impl Default for EmbeddedReasoner {
    /// The shipped weights and the built-in calibration.
    fn default() -> Self {
        Self {
            weights: Weights::shipped(),
            calibration: Calibration::default(),
        }
    }
}

impl Reasoner for EmbeddedReasoner {
    fn conclude(&self, task: &Task<'_>, listener: Listener<'_>) -> Result<Conclusion, ReasonError> {
        let Task {
            searcher,
            question,
            evidence,
            mode,
            embedder,
        } = *task;
        let mut sink = |thought: &Thought| listener(Told::Step(thought));
        let by = (&self.weights, &self.calibration);
        let found = consider(searcher, question, evidence, by, embedder, &mut sink)?;
        let answer = found.judge(searcher, &self.calibration, mode);
        Ok(Conclusion {
            evidence: evidence.clone().with_steps(&answer.history),
            answer,
            trail: None,
        })
    }
}

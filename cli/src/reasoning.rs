//! The one place that chooses who reasons: the program itself, or a language model.

use crate::environment::Environment;
use crate::language::{Language, Spent, Worker};
use anyhow::Result;
use banyan_engine::llm::{LanguageModel, Tally};
use banyan_engine::table::TableSchema;
use banyan_retrieve::Mode;
use banyan_retrieve::answer::Weights;
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::decompose::ModelDecomposer;
use banyan_retrieve::reason::{EmbeddedReasoner, ModelReasoner, Models, Options, Reasoner};
use banyan_retrieve::router::Method;
use std::path::Path;

mod forecast;

pub use forecast::QuestionPlan;
pub(crate) use forecast::forecast;

/// Names of the stages under which calls are counted.
const STAGES: [&str; 3] = ["decompose", "reason", "answer"];

/// How a question is answered.
#[derive(Clone, Debug)]
pub struct AskOptions {
    /// Whether a weak answer is given or refused.
    pub mode: Mode,
    /// The system that answers; `None` lets the question decide.
    pub method: Option<Method>,
    /// Passages of evidence wanted.
    pub top_k: usize,
    /// Who takes the question apart, reasons and answers.
    pub reasoner: Worker,
    /// Most rounds in which a model looks up what is missing.
    pub max_rounds: usize,
    /// What [`Mode::Reject`] decides by.
    pub calibration: Calibration,
    /// Columns of records; predicted from the documents where none are given.
    pub columns: Option<TableSchema>,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            method: None,
            top_k: 5,
            reasoner: Worker::Embedded,
            max_rounds: 5,
            calibration: Calibration::default(),
            columns: None,
        }
    }
}

/// How somebody is found who reasons.
pub(crate) struct Reasoning<'a> {
    pub options: &'a AskOptions,
    pub env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub store: &'a Path,
}

impl Reasoning<'_> {
    /// Lets `work` reason, by the model that is asked and counted where one is, and tells afterwards what was asked and
    /// paid, also where it failed.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&dyn Reasoner, Option<&Language>) -> Result<T>) -> Result<T> {
        if self.options.reasoner == Worker::Embedded {
            let reasoner = EmbeddedReasoner {
                weights: Weights::shipped(),
                calibration: self.options.calibration.clone(),
            };
            return work(&reasoner, None);
        }
        let language = Language::open(self.env, self.store, Spent::default())?;
        let stages = STAGES.map(|stage| language.stage(stage));
        let [decompose, reason, answer] = stages.each_ref().map(|stage| stage as &dyn LanguageModel);
        let done = asking(decompose, reason, answer, &self.options(&language), |reasoner| {
            work(reasoner, Some(&language))
        });
        // Calls that were answered, paid or not.
        let calls = |(stage, tally): (&String, &Tally)| format!("{stage} {}", tally.n_paid + tally.n_replayed);
        let by_stage: Vec<String> = language.ledger().stages.iter().map(calls).collect();
        language.report(&by_stage.join(", "), self.env);
        done
    }

    fn options(&self, language: &Language) -> Options {
        let limits = language.limits();
        Options {
            max_rounds: self.options.max_rounds,
            max_prompt_tokens: limits.max_prompt_tokens,
            max_reply_tokens: limits.max_reply_tokens,
            ..Options::default()
        }
    }
}

/// Lets `work` reason with these models.
fn asking<T>(
    decompose: &dyn LanguageModel,
    reason: &dyn LanguageModel,
    answer: &dyn LanguageModel,
    options: &Options,
    work: impl FnOnce(&dyn Reasoner) -> Result<T>,
) -> Result<T> {
    let decomposer = ModelDecomposer::new(decompose, options.max_reply_tokens)?;
    let models = Models {
        decomposer: &decomposer,
        reason,
        answer,
    };
    work(&ModelReasoner::new(models, *options)?)
}

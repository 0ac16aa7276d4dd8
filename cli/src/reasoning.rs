//! The one place that chooses who reasons: the program itself, or a language model.

use crate::config::{Config, Llm};
use crate::environment::Environment;
use crate::language::{self, Language, Spent, Tape};
use anyhow::Result;
use banyan_engine::llm::{LanguageModel, Ledger, Tally};
use banyan_retrieve::answer::Weights;
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::decompose::ModelDecomposer;
use banyan_retrieve::reason::{EmbeddedReasoner, ModelReasoner, Models, Options, Reasoner};
use std::num::NonZeroUsize;
use std::path::Path;

mod forecast;

pub use forecast::QuestionPlan;
pub(crate) use forecast::forecast;

/// Names of the stages under which calls are counted.
const STAGES: [&str; 3] = ["decompose", "reason", "answer"];

/// Who takes a question apart, reasons over the evidence and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasonerKind {
    /// The program, by rules and a learned score.
    #[default]
    Embedded,
    /// The configured language model.
    Llm,
}

/// How somebody is found who reasons.
pub(crate) struct Reasoning<'a> {
    pub reasoner: ReasonerKind,
    /// Most rounds in which a model looks up what is missing.
    pub max_rounds: usize,
    pub env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub store: &'a Path,
    /// What the embedded reasoner decides by in reject mode.
    pub calibration: &'a Calibration,
}

/// Who reasons, and what is known of it.
pub(crate) struct Reasoned<'a> {
    pub reasoner: &'a dyn Reasoner,
    /// The model that is asked and counted; `None` where none is.
    pub language: Option<&'a Language>,
    /// Questions that may be under way at once.
    pub concurrency: Option<NonZeroUsize>,
}

impl Reasoning<'_> {
    /// Lets `work` reason, and tells afterwards what was asked and paid, also where it failed.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&Reasoned<'_>) -> Result<T>) -> Result<T> {
        if self.reasoner == ReasonerKind::Embedded {
            let reasoner = EmbeddedReasoner {
                weights: Weights::shipped(),
                calibration: self.calibration.clone(),
            };
            return work(&Reasoned {
                reasoner: &reasoner,
                language: None,
                concurrency: None,
            });
        }
        let config = Config::read(self.env.language.config.as_deref())?;
        let llm = config.llm.as_ref();
        let (tape, budget) = (Tape::of(self.env, self.store), Spent::default().rest_of(self.env));
        let language = language::open(llm, &tape, budget, self.env)?;
        let stages = STAGES.map(|stage| language.stage(stage));
        let [decompose, reason, answer] = stages.each_ref().map(|stage| stage as &dyn LanguageModel);
        let done = asking(decompose, reason, answer, &self.options(llm), |reasoner| {
            work(&Reasoned {
                reasoner,
                language: Some(&language),
                concurrency: Some(llm.map_or(NonZeroUsize::MIN, language::concurrency)),
            })
        });
        self.report(&language.ledger(), llm);
        for concession in language.model().concessions() {
            self.env.progress.remark(&concession);
        }
        done
    }

    fn options(&self, llm: Option<&Llm>) -> Options {
        let defaults = Options {
            max_rounds: self.max_rounds,
            ..Options::default()
        };
        llm.map_or(defaults, |llm| Options {
            max_prompt_tokens: llm.context_tokens - llm.max_reply_tokens,
            max_reply_tokens: llm.max_reply_tokens,
            ..defaults
        })
    }

    /// Tells calls, tokens and cost in one line.
    fn report(&self, ledger: &Ledger, llm: Option<&Llm>) {
        let by_stage = ledger.stages.iter();
        let by_stage: Vec<String> = by_stage
            .map(|(stage, tally)| format!("{stage} {}", calls(tally)))
            .collect();
        let spent = language::spent_line(ledger, llm);
        self.env.progress.remark(&format!("{spent}; {}", by_stage.join(", ")));
    }
}

/// Calls that were answered, paid or not.
fn calls(tally: &Tally) -> u64 {
    tally.n_paid + tally.n_replayed
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

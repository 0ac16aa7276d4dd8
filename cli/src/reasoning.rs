//! The one place that chooses who reasons: the program itself, or a language model.

use crate::args::{ModelArgs, ReasonerKind, Who};
use crate::config::{Config, Llm};
use crate::language::{self, Language, Spent, Tape};
use crate::progress::Progress;
use crate::stop::Stop;
use anyhow::Result;
use banyan_engine::llm::{LanguageModel, Ledger, Tally};
use banyan_retrieve::answer::Weights;
use banyan_retrieve::calibration::Calibration;
use banyan_retrieve::decompose::ModelDecomposer;
use banyan_retrieve::reason::{EmbeddedReasoner, ModelReasoner, Models, Options, Reasoner};
use std::num::NonZeroUsize;
use std::path::Path;

mod forecast;

pub(crate) use forecast::forecast;

/// Names of the stages under which calls are counted.
const STAGES: [&str; 3] = ["decompose", "reason", "answer"];

/// How somebody is found who reasons.
pub struct Reasoning<'a> {
    pub who: &'a Who,
    /// How a model is asked, as the user typed it.
    pub args: &'a ModelArgs,
    /// The store, beside which the cassette lies unless the user names one.
    pub store: &'a Path,
    /// What the embedded reasoner decides by in reject mode.
    pub calibration: &'a Calibration,
    pub progress: Progress,
    pub stop: &'a Stop,
}

/// Who reasons, and what is known of it.
pub struct Reasoned<'a> {
    pub reasoner: &'a dyn Reasoner,
    /// The model that is asked and counted; `None` where none is.
    pub language: Option<&'a Language>,
    /// Questions that may be under way at once.
    pub concurrency: Option<NonZeroUsize>,
}

impl Reasoning<'_> {
    /// Lets `work` reason, and tells afterwards what was asked and paid, also where it failed.
    pub fn with<T>(&self, work: impl FnOnce(&Reasoned<'_>) -> Result<T>) -> Result<T> {
        if self.who.reasoner == ReasonerKind::Embedded {
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
        let config = Config::read(self.args.config.as_deref())?;
        let llm = config.llm.as_ref();
        let (tape, budget) = (Tape::of(self.args, self.store), Spent::default().rest_of(self.args));
        let language = language::open(llm, &tape, budget, self.progress, self.stop)?;
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
            self.progress.remark(&concession);
        }
        done
    }

    fn options(&self, llm: Option<&Llm>) -> Options {
        let defaults = Options {
            max_rounds: self.who.max_rounds.into(),
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
        let total = ledger.total();
        let cost = llm.and_then(language::prices);
        let cost = cost.map(|prices| format!(", cost {:.4}", ledger.cost(&prices)));
        let by_stage = ledger
            .stages
            .iter()
            .map(|(stage, tally)| format!("{stage} {}", calls(tally)));
        let by_stage: Vec<String> = by_stage.collect();
        let failed = if total.n_failed > 0 {
            format!(", {} without a reply", total.n_failed)
        } else {
            String::new()
        };
        self.progress.remark(&format!(
            "model: {} calls paid ({} tokens{}), {} from the cassette{failed}; {}",
            total.n_paid,
            total.tokens(),
            cost.unwrap_or_default(),
            total.n_replayed,
            by_stage.join(", ")
        ));
    }
}

/// Calls that were answered, paid or not.
pub fn calls(tally: &Tally) -> u64 {
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

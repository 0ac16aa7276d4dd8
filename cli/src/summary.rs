//! Who writes about communities: the program itself, or a language model.

use crate::args::ModelArgs;
use crate::build::Timing;
use crate::config::{Config, Llm};
use crate::language::{self, Spent, Tape};
use crate::progress::Progress;
use crate::render::count;
use crate::stop::Stop;
use anyhow::{Result, bail};
use banyan_community::{ModelSummariser, Summarised, SummaryOptions, Touched, summarise};
use banyan_engine::Knowledge;
use banyan_engine::llm::{Ledger, LlmError};
use clap::ValueEnum;
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "summarise";
/// Identity of the embedded texts, as stores record it.
const EMBEDDED: &str = "embedded";
/// What comes before the name of a model.
const LLM: &str = "llm";

/// Who the user wants to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Writer {
    /// The program, from pivotal entities, types and relations
    Embedded,
    /// The configured language model
    Llm,
}

impl Writer {
    /// The writer's identity as stores record it; a cassette alone stands for the model that it was recorded from.
    pub(crate) fn id(self, args: &ModelArgs) -> Result<String> {
        Ok(match (self, Config::read(args.config.as_deref())?.llm) {
            (Self::Embedded, _) => EMBEDDED.to_owned(),
            (Self::Llm, Some(llm)) => format!("{LLM}:{}", llm.model),
            (Self::Llm, None) => LLM.to_owned(),
        })
    }
}

/// How a model that writes is asked.
pub(crate) struct Writing<'a> {
    /// What the user typed.
    pub(crate) args: &'a ModelArgs,
    /// The store, beside which the cassette lies unless the user names one.
    pub(crate) store: &'a Path,
    /// What this run has spent already.
    pub(crate) spent: Spent,
    pub(crate) progress: Progress,
    pub(crate) stop: &'a Stop,
}

impl Writing<'_> {
    /// Lets whoever writes in this store write about the nodes of its tree that are `touched`. What gets no usable text
    /// keeps that of the program, which is told.
    pub(crate) fn write(&self, knowledge: &mut Knowledge, touched: &Touched, timing: &mut Timing) -> Result<()> {
        if !knowledge.settings.summariser.starts_with(LLM) {
            return Ok(());
        }
        let config = Config::read(self.args.config.as_deref())?;
        let llm = config.llm.as_ref();
        let (tape, budget) = (Tape::of(self.args, self.store), self.spent.rest_of(self.args));
        let language = language::open(llm, &tape, budget, self.progress, self.stop)?;
        let model = language.stage(STAGE);
        let is_stopped = || self.stop.is_asked();
        let summariser = ModelSummariser::new(&model, options(llm), &is_stopped)?;
        let weak = banyan_community::Config::for_schema(&knowledge.schema);
        let written = timing.stage(STAGE, || {
            let Knowledge {
                schema, graph, tree, ..
            } = &*knowledge;
            Ok(summarise(schema, graph, tree, &weak, touched, &summariser)?)
        })?;
        self.stop.check()?;
        if let Some(error @ LlmError::Missing { .. }) = written.failure {
            bail!("nothing was built: {error}");
        }
        self.report(&written, &language.ledger(), llm);
        knowledge.tree = written.tree;
        Ok(())
    }

    fn report(&self, written: &Summarised, ledger: &Ledger, llm: Option<&Llm>) {
        let total = ledger.total();
        let cost = llm.and_then(language::prices);
        let cost = cost.map(|prices| format!(", cost {:.4}", ledger.cost(&prices)));
        self.progress.remark(&format!(
            "summaries: {} asked about in {} calls paid ({} tokens{}), {} from the cassette",
            count(written.n_asked, "community"),
            total.n_paid,
            total.tokens(),
            cost.unwrap_or_default(),
            total.n_replayed
        ));
        if written.n_kept > 0 {
            let defects = written.defects.iter();
            let defects: Vec<String> = defects
                .map(|(defect, n)| format!("{n} × {}", defect.as_str()))
                .collect();
            self.progress.remark(&format!(
                "{} without a usable summary keep the text of the program ({})",
                count(written.n_kept, "community"),
                defects.join(", ")
            ));
        }
        if let Some(error) = &written.failure {
            self.progress.remark(&format!("the first call that failed: {error}"));
        }
    }
}

fn options(llm: Option<&Llm>) -> SummaryOptions {
    let defaults = SummaryOptions::default();
    llm.map_or(defaults, |llm| SummaryOptions {
        max_prompt_tokens: llm.context_tokens - llm.max_reply_tokens,
        max_reply_tokens: llm.max_reply_tokens,
        max_concurrent: language::concurrency(llm),
        ..defaults
    })
}

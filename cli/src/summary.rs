//! Who writes about communities: the program itself, or a language model.

use crate::build::Timing;
use crate::config::{Config, Llm};
use crate::environment::Environment;
use crate::language::{self, Spent, Tape};
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_community::{ModelSummariser, Summarised, SummaryOptions, Touched, summarise};
use banyan_engine::Knowledge;
use banyan_engine::llm::{Ledger, LlmError};
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "summarise";
/// Identity of the embedded texts, as stores record it.
const EMBEDDED: &str = "embedded";
/// What comes before the name of a model.
const LLM: &str = "llm";

/// Who writes names and summaries of communities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SummariserKind {
    /// The program, from pivotal entities, types and relations.
    #[default]
    Embedded,
    /// The configured language model.
    Llm,
}

impl SummariserKind {
    /// The writer's identity as stores record it; a cassette alone stands for the model that it was recorded from.
    pub(crate) fn id(self, env: &Environment) -> Result<String> {
        Ok(match (self, Config::read(env.language.config.as_deref())?.llm) {
            (Self::Embedded, _) => EMBEDDED.to_owned(),
            (Self::Llm, Some(llm)) => format!("{LLM}:{}", llm.model),
            (Self::Llm, None) => LLM.to_owned(),
        })
    }
}

/// How a model that writes is asked.
pub(crate) struct Writing<'a> {
    pub(crate) env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub(crate) store: &'a Path,
    /// What this run has spent already.
    pub(crate) spent: Spent,
}

impl Writing<'_> {
    /// Lets whoever writes in this store write about the nodes of its tree that are `touched`. What gets no usable text
    /// keeps that of the program, which is told.
    pub(crate) fn write(&self, knowledge: &mut Knowledge, touched: &Touched, timing: &mut Timing) -> Result<()> {
        if !knowledge.settings.summariser.starts_with(LLM) {
            return Ok(());
        }
        let config = Config::read(self.env.language.config.as_deref())?;
        let llm = config.llm.as_ref();
        let (tape, budget) = (Tape::of(self.env, self.store), self.spent.rest_of(self.env));
        let language = language::open(llm, &tape, budget, self.env)?;
        let model = language.stage(STAGE);
        let is_stopped = || self.env.stop.is_asked();
        let summariser = ModelSummariser::new(&model, options(llm), &is_stopped)?;
        let weak = banyan_community::Config::for_schema(&knowledge.schema);
        let written = timing.stage(STAGE, || {
            let Knowledge {
                schema, graph, tree, ..
            } = &*knowledge;
            Ok(summarise(schema, graph, tree, &weak, touched, &summariser)?)
        })?;
        self.env.stop.check()?;
        if let Some(error @ LlmError::Missing { .. }) = written.failure {
            bail!("nothing was built: {error}");
        }
        self.report(&written, &language.ledger(), llm);
        knowledge.tree = written.tree;
        Ok(())
    }

    fn report(&self, written: &Summarised, ledger: &Ledger, llm: Option<&Llm>) {
        self.env.progress.remark(&format!(
            "summaries: {} asked about; {}",
            counted(written.n_asked, "community"),
            language::spent_line(ledger, llm)
        ));
        if written.n_kept > 0 {
            self.env.progress.remark(&format!(
                "{} without a usable summary keep the text of the program ({})",
                counted(written.n_kept, "community"),
                written.defects
            ));
        }
        if let Some(error) = &written.failure {
            self.env
                .progress
                .remark(&format!("the first call that failed: {error}"));
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

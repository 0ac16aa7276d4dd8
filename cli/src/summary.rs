//! Who writes about communities: the program itself, or a language model.

use crate::build::Timing;
use crate::config::{LLM, Llm};
use crate::environment::Environment;
use crate::language::{Language, Spent};
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_community::{ModelSummariser, Touched, summarise};
use banyan_engine::Knowledge;
use banyan_engine::llm::LlmError;
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "summarise";
/// Identity of the embedded texts, as stores record it.
const EMBEDDED: &str = "embedded";

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
        match self {
            Self::Embedded => Ok(EMBEDDED.to_owned()),
            Self::Llm => Llm::name(env),
        }
    }
}

pub(crate) struct Writing<'a> {
    pub(crate) env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub(crate) store: &'a Path,
    pub(crate) spent: Spent,
}

impl Writing<'_> {
    /// Lets whoever writes in this store write about the nodes of its tree that are `touched`. What gets no usable text
    /// keeps that of the program, which is told.
    pub(crate) fn write(&self, knowledge: &mut Knowledge, touched: &Touched, timing: &mut Timing) -> Result<()> {
        if !knowledge.settings.summariser.starts_with(LLM) {
            return Ok(());
        }
        let language = Language::open(self.env, self.store, self.spent)?;
        let model = language.stage(STAGE);
        let is_stopped = || self.env.stop.is_asked();
        let summariser = ModelSummariser::new(&model, language.limits(), &is_stopped)?;
        let weak = banyan_community::Config::for_schema(&knowledge.schema);
        let written = timing.stage(STAGE, || {
            let Knowledge {
                schema, graph, tree, ..
            } = &*knowledge;
            Ok(summarise(schema, graph, tree, &weak, touched, &summariser)?)
        })?;
        self.env.stop.check()?;
        if let Some(error @ LlmError::Missing(_)) = written.failure {
            bail!("nothing was built: {error}");
        }
        let tell = |line: &str| self.env.progress.remark(line);
        let asked = counted(written.n_asked, "community");
        language.report(&format!("summaries: {asked} asked about"), self.env);
        if written.n_kept > 0 {
            let kept = counted(written.n_kept, "community");
            let defects = &written.defects;
            tell(&format!(
                "{kept} without a usable summary keep the text of the program ({defects})"
            ));
        }
        if let Some(error) = &written.failure {
            tell(&format!("the first call that failed: {error}"));
        }
        knowledge.tree = written.tree;
        Ok(())
    }
}

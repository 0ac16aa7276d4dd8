//! Who writes about communities: the program itself, or a language model.

use crate::config::{LLM, Llm};
use crate::environment::Environment;
use crate::language::{Language, Spent, Worker};
use crate::progress::counted;
use crate::timing::Timing;
use anyhow::{Result, bail};
use banyan_community::{ModelSummariser, Touched, summarise};
use banyan_engine::Knowledge;
use banyan_engine::llm::LlmError;
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "summarise";
/// Identity of the embedded texts, as stores record it.
const EMBEDDED: &str = "embedded";

/// The identity of who writes names and summaries of communities, as stores record it; a cassette alone stands for the
/// model that it was recorded from. The program writes from pivotal entities, types and relations.
pub(crate) fn id(summariser: Worker, env: &Environment) -> Result<String> {
    match summariser {
        Worker::Embedded => Ok(EMBEDDED.to_owned()),
        Worker::Llm => Llm::name(env),
    }
}

/// Lets whoever writes in `store` write about the nodes of its tree that are `touched`; its cassette lies beside it
/// unless the user names one. What gets no usable text keeps that of the program, which is told.
pub(crate) fn write_summaries(
    store: &Path,
    knowledge: &mut Knowledge,
    touched: &Touched,
    spent: Spent,
    env: &Environment,
    timing: &mut Timing,
) -> Result<()> {
    if !knowledge.settings.summariser.starts_with(LLM) {
        return Ok(());
    }
    let language = Language::open(env, store, spent)?;
    let model = language.stage(STAGE);
    let is_stopped = || env.stop.is_asked();
    let summariser = ModelSummariser::new(&model, language.limits(), &is_stopped)?;
    let written = timing.stage(STAGE, || {
        let Knowledge {
            schema, graph, tree, ..
        } = &*knowledge;
        Ok(summarise(schema, graph, tree, touched, &summariser)?)
    })?;
    env.stop.check()?;
    if let Some(error @ LlmError::Missing(_)) = written.failure {
        bail!("nothing was built: {error}");
    }
    let tell = |line: &str| env.progress.remark(line);
    let asked = counted(written.n_asked, "community");
    language.report(&format!("summaries: {asked} asked about"), env);
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

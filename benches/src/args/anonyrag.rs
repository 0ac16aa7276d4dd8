//! `banyan-eval anonyrag` and `banyan eval leakage`, as they are typed.

use super::{mode, reasoner};
use banyan::ReasonerKind;
use banyan_retrieve::Mode;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct AnonyRag {
    /// Questions: parquet or JSON (`question`, `answer`, also `query_type`, `relations`, `entities`), or `questions.jsonl` of
    /// a set of one's own; several with --fit
    #[arg(long, required = true, value_name = "FILE")]
    pub(crate) qa: Vec<PathBuf>,
    /// Texts: parquet or JSON (`idx`, `title`, `chunk`), lines of chunks, or `corpus/` of a set of one's own; one for each --qa
    #[arg(long, required = true, value_name = "PATH")]
    pub(crate) texts: Vec<PathBuf>,
    /// The key of a set of one's own, where it is not `key.json` beside the questions
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    /// Fit the weights of the options to these sets, tell how they do on each set without it, and write them to FILE
    #[arg(long, value_name = "FILE", conflicts_with = "reasoner")]
    pub(crate) fit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Leakage {
    /// Directory that `anonymize` wrote, with its key
    #[arg(long, value_name = "DIR")]
    pub(crate) set: PathBuf,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Who is asked, and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct AskingArgs {
    /// Modes to measure
    #[arg(
        long,
        value_name = "MODE,…",
        value_parser = mode,
        value_delimiter = ',',
        default_value = "open,reject"
    )]
    pub(crate) mode: Vec<Mode>,
    /// Who answers: `embedded` (what the corpus says for each option) or `llm` (the configured language model)
    #[arg(long, default_value = "embedded", value_parser = reasoner)]
    pub(crate) reasoner: ReasonerKind,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

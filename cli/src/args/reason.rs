//! Who reasons between question and answer, as it is typed.

use super::ModelArgs;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Who takes a question apart, reasons over the evidence and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReasonerKind {
    /// The program, by rules and a learned score
    Embedded,
    /// The configured language model
    Llm,
}

/// Who reasons, and how long.
#[derive(Clone, Debug, ClapArgs)]
pub struct Who {
    /// Who takes the question apart, reasons over the evidence and answers
    #[arg(long, value_enum, default_value_t = ReasonerKind::Embedded)]
    pub reasoner: ReasonerKind,
    /// Most rounds in which a model looks up what is missing
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub max_rounds: u16,
}

/// What `query` has beside that.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Reason {
    #[command(flatten)]
    pub(crate) who: Who,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// With --reasoner llm: tell how many calls, tokens and what cost it can come to at most, and ask nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write every step to FILE as JSON; it must not exist
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    pub(crate) save_trace: Option<PathBuf>,
}

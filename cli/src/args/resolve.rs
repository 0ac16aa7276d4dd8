//! `banyan resolve`, as it is typed.

use super::Target;
use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Resolve {
    /// List the names that were joined, with score and evidence, and what was decided
    Log(Log),
    /// Decide that two names are one entity
    Merge(Pair),
    /// Decide that the second name is not the first, nor anything the first is joined with
    Split(Pair),
    /// Take back the last decision
    Undo(Undo),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Log {
    /// Only the entity of this name
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Pair {
    /// A name
    pub(crate) a: String,
    /// Another name
    pub(crate) b: String,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Undo {
    #[command(flatten)]
    pub(crate) target: Target,
}

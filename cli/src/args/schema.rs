//! `banyan schema`, as it is typed.

use super::Target;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// Print a schema: of a file, of a store with how it grew and what is proposed, or the built-in one
    Show(SchemaShow),
    /// Print what changed from one schema to another, and what is proposed for the second
    Diff(SchemaDiff),
    /// Propose a seed schema from a corpus, to be read and edited
    Infer(SchemaInfer),
    /// Accept proposals of a store by name, whatever their confidence, and build it again
    Accept(SchemaDecision),
    /// Turn proposals of a store down, or take back what was accepted, and build it again
    Reject(SchemaDecision),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaShow {
    /// Schema file (JSON or TOML)
    #[arg(value_name = "FILE", conflicts_with = "store")]
    pub(crate) file: Option<PathBuf>,
    /// Directory of a store
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// Print the schema as a JSON file
    #[arg(long, conflicts_with = "toml")]
    pub(crate) json: bool,
    /// Print the schema as a TOML file
    #[arg(long)]
    pub(crate) toml: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaDiff {
    /// Schema file or store
    #[arg(value_name = "A")]
    pub(crate) old: PathBuf,
    /// Schema file or store
    #[arg(value_name = "B")]
    pub(crate) new: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaInfer {
    /// Files (txt, md, json, jsonl) and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// File to write, which must not exist; `.toml` gives TOML, anything else JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Leave out files that cannot be read, and list them, instead of stopping
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaDecision {
    /// Names as `schema show --store` lists them; `type:NAME`, `relation:NAME` or `attribute:NAME` where kinds share one
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
}

//! What people decide on a store and its schema, as it is typed.

use super::Target;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// Print a schema: of a file, of a store with how it grew and what is proposed, or the built-in one
    Show(SchemaShow),
    /// Propose a seed schema from a corpus, to be read and edited
    Infer(SchemaInfer),
    /// Accept proposals of a store whatever their confidence, or turn them down, and build it again
    Decide(SchemaDecide),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaShow {
    /// Schema file or store
    #[arg(value_name = "FILE|DIR")]
    pub(crate) schema: Option<PathBuf>,
    /// Show instead what changed since this schema file or store
    #[arg(long, value_name = "FILE|DIR", requires = "schema")]
    pub(crate) since: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaInfer {
    /// Files and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// File to write, which must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(group(clap::ArgGroup::new("decision").required(true)))]
pub(crate) struct SchemaDecide {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Names as `schema show STORE` lists them; `type:NAME`, `relation:NAME` or `attribute:NAME` where kinds share one
    #[arg(long, value_name = "NAME", num_args = 1.., group = "decision")]
    pub(crate) accept: Vec<String>,
    /// Names to turn down, also such as were accepted
    #[arg(long, value_name = "NAME", num_args = 1.., group = "decision")]
    pub(crate) reject: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(group(clap::ArgGroup::new("decision")))]
pub(crate) struct Resolve {
    /// List only the names of this entity; without it, all names that were joined, with score and evidence
    #[arg(conflicts_with = "decision")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Decide that two names are one entity
    #[arg(long, num_args = 2, value_names = ["A", "B"], group = "decision", allow_hyphen_values = true)]
    pub(crate) merge: Option<Vec<String>>,
    /// Decide that the second name is not the first, nor anything the first is joined with
    #[arg(long, num_args = 2, value_names = ["A", "B"], group = "decision", allow_hyphen_values = true)]
    pub(crate) split: Option<Vec<String>>,
    /// Take back the last decision
    #[arg(long, group = "decision")]
    pub(crate) undo: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "decision")]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Fact {
    /// A fact holds, by the word of whoever says so; it outlives rebuilds, and `banyan remove fact#N` takes it back
    Add {
        /// Whose fact
        head: String,
        /// A relation or attribute of the schema
        relation: String,
        /// The other entity, or the value
        tail: String,
        #[command(flatten)]
        signed: Signed,
    },
    /// A fact does not hold, whichever document states it
    Remove {
        /// Whose fact
        head: String,
        /// The relation or attribute, as `node` and `neighbours` show it
        relation: String,
        /// The other entity, or the value
        tail: String,
        #[command(flatten)]
        signed: Signed,
    },
    /// Several corrections, all or nothing: JSON lines such as `{"deny": {"head": "A", "relation": "born_in", "tail":
    /// "B"}}`, `{"rename": {"entity": "A", "name": "B"}}`, `{"retype": {"entity": "A", "kind": "place"}}`, `{"delete":
    /// {"entity": "A"}}`
    Batch {
        /// The file; `-` is stdin
        file: PathBuf,
        #[command(flatten)]
        signed: Signed,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Entity {
    /// Another name, under which it is shown and found; the old one stays an alias
    Rename {
        /// Which
        entity: String,
        /// The name
        name: String,
        #[command(flatten)]
        signed: Signed,
    },
    /// Another type of the schema
    Retype {
        /// Which
        entity: String,
        /// The type
        kind: String,
        #[command(flatten)]
        signed: Signed,
    },
    /// No entity: it goes with all that is said of it
    Delete {
        /// Which
        entity: String,
        #[command(flatten)]
        signed: Signed,
    },
}

/// Where something is decided, by whom and why.
#[derive(Debug, ClapArgs)]
pub(crate) struct Signed {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Who decides
    #[arg(long, value_name = "WHO", default_value = "")]
    pub(crate) author: String,
    /// Why
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) note: String,
}

//! What shows a store to people and other programs, as it is typed.

use super::Target;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Communities {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Show this one with all of its members
    #[arg(long, value_name = "N")]
    pub(crate) community: Option<usize>,
    /// Show so many of the largest
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Print JSON, of all communities where `--community` names none
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) target: Target,
    /// File to write, which must not exist; for csv a directory, into which nodes.csv and edges.csv go
    #[arg(long, value_name = "PATH")]
    pub(crate) out: PathBuf,
    /// Levels of the knowledge tree to write
    #[arg(long, value_name = "LEVEL", value_enum, value_delimiter = ',', default_value = "all")]
    pub(crate) level: Vec<LevelKind>,
    /// Format; that of the file's extension where it is not named
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<FormatKind>,
    /// Only members of this community, by the number that `communities` and `dump` show
    #[arg(long, value_name = "N")]
    pub(crate) community: Option<usize>,
    /// Only this entity and what is near it
    #[arg(long, value_name = "NAME")]
    pub(crate) entity: Option<String>,
    /// How many triples away from the entity
    #[arg(long, value_name = "D", default_value_t = 1, requires = "entity")]
    pub(crate) depth: usize,
    /// Replace what is there
    #[arg(long)]
    pub(crate) force: bool,
}

/// A level of the tree, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelKind {
    /// Level 4
    Communities,
    /// Level 3
    Keywords,
    /// Level 2
    Triples,
    /// Level 1
    Attributes,
    /// All four
    All,
}

/// A format, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatKind {
    /// One object in node-link form
    Json,
    /// An object a line
    Jsonl,
    /// XML that networkx, yEd and igraph read
    Graphml,
    /// GEXF 1.2, for Gephi
    Gexf,
    /// Graphviz
    Dot,
    /// Two tables
    Csv,
}

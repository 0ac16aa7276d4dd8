//! What shows and checks a store, as it is typed.

use super::Target;
use banyan::global::one_of;
use banyan_engine::Level;
use clap::builder::RangedU64ValueParser;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Print JSON lines of all that is not derived from the rest, of which `banyan load` makes the same store, here or with
    /// a later version
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Load {
    /// What `banyan dump --json` wrote; `-` reads stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) target: Target,
    /// List tokens and facts of every chunk that a model or a recording stated
    #[arg(long)]
    pub(crate) ledger: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Check that every quote of this answer, as `query --json` printed it, stands in the store where it says; `-`
    /// reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) answer: Option<PathBuf>,
    /// Write the store anew from the half of it that is sound
    #[arg(long, conflicts_with = "answer")]
    pub(crate) repair: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "answer")]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Node {
    /// What the entity is called, in any spelling
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which edges count.
#[derive(Debug, ClapArgs)]
pub(crate) struct Edges {
    /// Triples of this relation alone (several times for several), and no associations
    #[arg(long, value_name = "NAME")]
    pub(crate) relation: Vec<String>,
    /// Triples alone: no associations, which say that two are named side by side
    #[arg(long)]
    pub(crate) facts: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Neighbours {
    /// What the entity is called, in any spelling
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) edges: Edges,
    /// Only neighbours of this type or a kind of it
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,
    /// Only triples whose tail it is
    #[arg(long = "in", conflicts_with = "outgoing")]
    pub(crate) incoming: bool,
    /// Only triples whose head it is
    #[arg(long = "out")]
    pub(crate) outgoing: bool,
    /// Show so many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) limit: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Paths {
    /// Where the paths begin
    #[arg(value_name = "FROM")]
    pub(crate) from: String,
    /// Where they end
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) edges: Edges,
    /// Most edges of a path
    #[arg(long, value_name = "D", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) max_depth: u8,
    /// Show so many, the shortest first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) limit: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Match {
    /// Conditions of three parts, with " . " between them: `?film director ?p . ?p born_in "New York"`
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Show so many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) limit: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

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
    /// Levels of the knowledge tree to write: `communities`, `keywords`, `triples`, `attributes` or `all`
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', default_value = "all", value_parser = one_of(LEVELS))]
    pub(crate) level: Vec<Levels>,
    /// `html` (a page to look through all of it), `json` (node-link), `jsonl`, `graphml` (networkx, yEd, igraph), `csv` (two
    /// tables), `cypher` (Neo4j), `ntriples` (RDF) or `obsidian` (a folder of linked notes); that of the extension where not named
    #[arg(long, value_name = "FORMAT")]
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

/// Levels of the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Levels(pub(crate) &'static [Level]);

const LEVELS: &[(&str, Levels)] = &[
    ("communities", Levels(&[Level::Communities])),
    ("keywords", Levels(&[Level::Keywords])),
    ("triples", Levels(&[Level::Triples])),
    ("attributes", Levels(&[Level::Attributes])),
    (
        "all",
        Levels(&[Level::Communities, Level::Keywords, Level::Triples, Level::Attributes]),
    ),
];

/// A format, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatKind {
    Json,
    Jsonl,
    Graphml,
    Csv,
    Cypher,
    Ntriples,
    Obsidian,
    Html,
}

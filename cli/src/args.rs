//! The command line: what was typed, without meaning.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A knowledge engine: builds a four-level knowledge tree from your texts and answers hard questions from it, with
/// evidence, offline.
#[derive(Debug, Parser)]
#[command(name = "banyan", version, propagate_version = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Global {
    /// Dense vectors: `minilm` (all-MiniLM-L6-v2) or `none` (BM25 and graph only)
    #[arg(long, global = true, value_enum, default_value_t = EmbedderKind::Minilm, env = "BANYAN_EMBEDDER")]
    pub(crate) embedder: EmbedderKind,
    /// Directory that holds the embedding model and the ONNX runtime
    #[arg(long, global = true, value_name = "DIR", env = "BANYAN_MODEL_DIR")]
    pub(crate) model_dir: Option<PathBuf>,
    /// Fetch nothing: use only what is on this machine
    #[arg(long, global = true, env = "BANYAN_OFFLINE", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) offline: bool,
    /// Threads to use; all cores by default
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Print only results
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmbedderKind {
    Minilm,
    None,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a knowledge tree from a small corpus that ships with banyan, and ask it three questions
    Demo,
    /// Build a store from files and directories of texts
    Build(Build),
    /// Add documents to a store
    Add(Change),
    /// Remove documents from a store
    Remove(Remove),
    /// Print everything a store knows, in a canonical order
    Dump(Dump),
    /// Ask a store a question
    Query(Query),
    /// Count what a store holds
    Stats(Stats),
    /// See and decide which names are one entity
    #[command(subcommand)]
    Resolve(Resolve),
    /// Manage the embedding model
    #[command(subcommand)]
    Model(Model),
    /// Measure retrieval on questions with known evidence
    #[command(subcommand)]
    Eval(Eval),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Build {
    /// Files (txt, md, json, jsonl) and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Schema that bounds what is extracted; the built-in general one by default
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Leave out files that cannot be read, and list them, instead of stopping
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Change {
    /// Files and directories
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Leave out files that cannot be read, and list them, instead of stopping
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Remove {
    /// Documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Target {
    /// Directory of the store
    #[arg(long, value_name = "DIR", env = "BANYAN_STORE")]
    pub(crate) store: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Query {
    /// The question
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) target: Target,
    /// `open` answers with the best there is, `reject` refuses when the evidence is weak
    #[arg(long, value_enum, default_value_t = ModeKind::Open)]
    pub(crate) mode: ModeKind,
    /// Passages to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) top_k: u16,
    /// Show also the entities, triples and communities that the routes found, with scores
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeKind {
    Open,
    Reject,
}

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

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Get the embedding model and the ONNX runtime into the cache, once
    Fetch,
    /// Check the model in the cache against its published checksums, and that it computes what it should
    Verify,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Recall of gold passages for multi-hop questions, beside BM25, dense and their fusion
    Multihop(Multihop),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Multihop {
    /// Directory with `corpus.jsonl` and `questions.jsonl`
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,8,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) k: Vec<u16>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

//! The command line of `banyan-eval`, as it is typed.

use banyan::Worker;
use banyan::global::{Global, one_of};
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// How figures are shown.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Shown {
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print a table for a Markdown page
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// Measures Banyan against sets with known answers, and fits the weights that ship.
#[derive(Debug, Parser)]
#[command(name = "banyan-eval", version, propagate_version = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Every set of a suite, in one report: kinds `questions`, `anonyrag` and `aggregate`
    Run(Run),
    /// Short answers without a model, on questions that their weights have and have not seen; fits the weights that ship
    Answers(Measure),
    /// What is stated and how sure, on questions over folders (`corpus` and `questions.jsonl`); fits a calibration
    Calibrate(Measure),
    /// Evidence among the first passages, beside BM25, dense vectors and their fusion, on questions over folders (`corpus`
    /// and `questions.jsonl`); fits the ranking of passages
    Rank(Measure),
    /// F1 of names and their types in sentences tagged token by token (BIO)
    Entities(Measure),
    /// F1 of facts between entities in annotated documents (in the form of `DocRED`)
    Relations(Measure),
    /// Statements of any folders, for a person to read; from what was read, the weights that tell which are true
    Facts(Facts),
    /// Which method a question is sent to, against labelled questions
    Router(Measure),
    /// Which knowledge structure a question gets, against labelled questions
    Structure(Measure),
    /// How much of what is answered right is remembered: sets of `anonymize` with names and with tags
    Leakage(Measure),
    /// Statements of single sentences under an ontology (`Text2KGBench`), beside published figures
    Extraction(Extraction),
    /// Aggregative questions over records, beside dense retrieval
    Aggregate(Aggregate),
    /// Communities against known classes, beside Louvain, Leiden, K-means and either side alone
    Community(Community),
    /// How long the graph of a store takes to be asked
    Graph(Graph),
    /// Put tags for names, one for each entity, so that nothing can be answered from memory; with questions and a key
    Anonymize(Anonymize),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Graph {
    /// Directory of the store
    #[arg(long, value_name = "DIR", env = "BANYAN_STORE")]
    pub(crate) store: PathBuf,
    /// Questions of each kind
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) draws: usize,
}

/// What `run` and every kind are told alike.
#[derive(Debug, ClapArgs)]
pub(crate) struct Run {
    /// The suite (TOML): data sets, seed and floors
    #[arg(value_name = "SUITE")]
    pub(crate) suite: PathBuf,
    /// Measure only this set (several times for several)
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Let the configured language model judge answers, too, beside exact match
    #[arg(long)]
    pub(crate) judge: bool,
    /// Who answers questions over anonymised texts
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    pub(crate) reasoner: Worker,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

/// What is measured by a kind, and what may be fitted.
#[derive(Debug, ClapArgs)]
pub(crate) struct Measure {
    /// Files or directories of sets; several where weights are fitted to some and tried on others
    #[arg(required = true, value_name = "SET")]
    pub(crate) paths: Vec<PathBuf>,
    /// Measure also by weights fitted to other questions than those they are tried on
    #[arg(long)]
    pub(crate) cross_validate: bool,
    /// Fit to all questions and write what was fitted to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) fit: Option<PathBuf>,
    /// Answers to questions that come without, one JSON object a line: `id` and `answers`
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Who answers
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    pub(crate) reasoner: Worker,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Facts {
    /// Files and directories, each a corpus of its own
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Print so many statements of each corpus, drawn at random, one JSON object a line
    #[arg(long, value_name = "N", conflicts_with = "read")]
    pub(crate) draw: Option<usize>,
    /// Draw from what is considered and not stated, too
    #[arg(long, requires = "draw")]
    pub(crate) considered: bool,
    /// Names and terms instead of statements
    #[arg(long)]
    pub(crate) entities: bool,
    /// Print in how many of the corpora each word is used
    #[arg(long, conflicts_with_all = ["read", "draw", "entities"])]
    pub(crate) words: bool,
    /// Seed of the draw
    #[arg(long, value_name = "SEED", default_value_t = 42)]
    pub(crate) seed: u64,
    /// What was drawn before, each with what a person who read it says it `is`: of statements `["true"]` or `[]`, of
    /// entities `["junk"]` or types, several where each would do
    #[arg(long, value_name = "FILE")]
    pub(crate) read: Option<PathBuf>,
    /// Fit to all that was read and write the weights to FILE
    #[arg(long, value_name = "FILE", requires = "read")]
    pub(crate) fit: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Aggregate {
    /// Pages: a directory, or a file with several documents
    #[arg(long, value_name = "DIR")]
    pub(crate) pages: PathBuf,
    /// Questions (JSON lines: `question`, `answer`, also `id`, `type`, `sql`)
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: PathBuf,
    /// Gold records (CSV with a header); its header is the gold schema
    #[arg(long, value_name = "CSV")]
    pub(crate) gold_records: Option<PathBuf>,
    /// Gold schema (JSON, or CSV for its header) instead of the header of the gold records
    #[arg(long, value_name = "FILE")]
    pub(crate) gold_schema: Option<PathBuf>,
    /// Answer also by SRAG: each question from a table that is filled for it
    #[arg(long)]
    pub(crate) srag: bool,
    /// Who writes the SQL: `llm` asks the configured language model, too
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    pub(crate) reasoner: Worker,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Community {
    /// Graph: `.gml`, a table of edges (`.tsv`), or a directory with `graph.json` (or that file)
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: PathBuf,
    /// Table of nodes for a table of edges: id, class (`-`: unknown), numbers of binary features
    #[arg(long, value_name = "FILE")]
    pub(crate) nodes: Option<PathBuf>,
    /// Vectors of the nodes in their order, `(nodes, d)` of f32 or f64; `embeddings.npy` beside `graph.json` by itself
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) embeddings: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Extraction {
    /// Directory of an ontology (`ontology.json`, `train.jsonl`, `ground_truth.jsonl`), or one above several
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Learn the relations from `train.jsonl` first
    #[arg(long)]
    pub(crate) learn: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Anonymize {
    /// Files and directories, as `banyan build` reads them
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Directory to write, which must not exist or be empty: `corpus.jsonl`, `questions.jsonl` and `key.json`
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Questions to draw
    #[arg(long, value_name = "N", default_value_t = 240)]
    pub(crate) questions: u16,
    /// Seed of the draw
    #[arg(long, value_name = "SEED", default_value_t = 42)]
    pub(crate) seed: u64,
    /// Numbers of hops to ask over: `N` or `FIRST..LAST`, 1 to 6
    #[arg(long, value_name = "HOPS", default_value = "1..6", value_parser = hops)]
    pub(crate) hops: RangeInclusive<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Most hops of a question, as in the paper's sets.
const MAX_HOPS: usize = 6;

fn hops(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || format!("expected a number or a range from 1 to {MAX_HOPS}, such as 3 or 1..6");
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (first, last.trim_start_matches('=')),
        None => (text, text),
    };
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let range = number(first)?..=number(last)?;
    let is_possible = *range.start() >= 1 && range.start() <= range.end() && *range.end() <= MAX_HOPS;
    if is_possible { Ok(range) } else { Err(wrong()) }
}

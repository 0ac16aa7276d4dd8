//! The command line: what was typed, without meaning.

use banyan::global::{Global, one_of};
use banyan::{AskOptions, Worker};
use banyan_retrieve::Mode;
use banyan_retrieve::router::Method;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

mod change;
mod decide;
mod eval;
mod serve;
mod view;

pub(crate) use change::{Add, Build, Compact, Import, Note, ReadFiles, Remove, Sync, Watch};
pub(crate) use decide::{Entity, Fact, Resolve, Schema, SchemaDecide, SchemaInfer, SchemaShow, Signed};
pub(crate) use eval::Eval;
pub(crate) use serve::{Address, Cache, Mcp, Open, Serve};
pub(crate) use view::{
    Communities, Dump, Edges, Export, FormatKind, Load, Match, Neighbours, Node, Paths, Stats, Verify,
};

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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a knowledge tree from a small corpus that ships with banyan, and ask it three questions
    Demo,
    /// Build a store from files and directories of texts
    Build(Build),
    /// Add documents to a store
    Add(Add),
    /// Add a text that is in no file
    Note(Note),
    /// Make a store what files and directories hold now: what is new or was edited is read, what is gone there goes
    Sync(Sync),
    /// Add facts that were written down: JSON lines, CSV, N-Triples, graphs in JSON or `GraphML`,
    /// tables of Microsoft graphrag in Parquet
    Import(Import),
    /// Remove documents from a store
    Remove(Remove),
    /// Keep a store what files and directories hold, until Ctrl-C
    Watch(Watch),
    /// Join what was added to a large store and is read on its own with the rest of it
    Compact(Compact),
    /// Print what files are read as: titles and texts of their documents
    Read(ReadFiles),
    /// Ask a store a question
    Query(Query),
    /// Make a store of a folder, beside it, or bring the store up to date, and show it in a browser (`banyan FOLDER`)
    Open(Open),
    /// Show a store in a browser, and answer over HTTP in JSON, until Ctrl-C
    Serve(Serve),
    /// Answer an agent over its standard streams, by the Model Context Protocol
    Mcp(Mcp),
    /// Show an entity: its type, other names, attributes, community, and where it is named
    Node(Node),
    /// Show what is next to an entity in the graph
    Neighbours(Neighbours),
    /// Find the paths between two entities
    Paths(Paths),
    /// Find everything that fulfils conditions with variables
    Match(Match),
    /// Show communities: names, keywords, and why their members belong together
    Communities(Communities),
    /// Write communities, keywords, triples and attributes as a file for other programs
    Export(Export),
    /// Print everything a store knows, in a canonical order
    Dump(Dump),
    /// Make a store of what `banyan dump --json` wrote
    Load(Load),
    /// Count what a store holds
    Stats(Stats),
    /// Check a store, or the quotes of an answer against it
    Verify(Verify),
    /// Copy a store, also while it is being changed
    Backup {
        /// Where to: a directory that does not exist or is empty
        to: PathBuf,
        #[command(flatten)]
        target: Target,
    },
    /// Show, compare and infer schemas, and decide how a store's schema grows
    #[command(subcommand)]
    Schema(Schema),
    /// See and decide which names are one entity
    Resolve(Resolve),
    /// State a fact, or decide that one does not hold
    #[command(subcommand)]
    Fact(Fact),
    /// Decide what an entity is called, of which type it is, or that it is none
    #[command(subcommand)]
    Entity(Entity),
    /// Read documents into tables: predict columns, fill a record for each
    Records(Records),
    /// Measure recall and answers on questions with known answers, beside BM25, dense vectors and their fusion
    Eval(Eval),
    /// Manage the embedding model
    #[command(subcommand)]
    Model(Model),
    /// Tell what of the models is on this machine, and how to get the rest
    Doctor,
    /// Print what completes commands in a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Target {
    /// Directory of the store
    #[arg(long, value_name = "DIR", env = "BANYAN_STORE")]
    pub(crate) store: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Query {
    /// The question
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub(crate) question: Option<String>,
    /// Ask every question of a file instead, one a line or as JSON lines with `question` and `id`; `-` reads stdin.
    /// Prints JSON lines in the same order
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Which system answers: `tree` (Youtu-GraphRAG), `records` (S-RAG), `srag`, `schemarag`, or as the question needs
    #[arg(long, default_value = "auto", value_parser = one_of(METHODS))]
    method: Choice,
    /// `reject` states an answer only where it is likely enough to be right, `open` gives the best there is
    #[arg(long, default_value = "reject", value_parser = one_of(&[("open", Mode::Open), ("reject", Mode::Reject)]))]
    mode: Mode,
    /// Probability of being right, 0 to 1, from which an answer read from passages is stated; by default that of the calibration, 0.6
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) min_confidence: Option<f32>,
    /// Calibration that reject mode decides by; the built-in one by default
    #[arg(long, value_name = "FILE", env = "BANYAN_CALIBRATION")]
    pub(crate) calibration: Option<PathBuf>,
    /// Columns of records (JSON, or CSV for its header); predicted where none are given
    #[arg(long, value_name = "FILE")]
    pub(crate) columns: Option<PathBuf>,
    /// Passages to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) top_k: u16,
    /// Who takes the question apart, reasons over the evidence and answers: `embedded` or `llm`
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    reasoner: Worker,
    /// Most rounds in which a model looks up what is missing
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=20))]
    max_rounds: u16,
    /// Print each step as it is done: what was asked, and what is believed; with --json it is part of the answer
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show also what each route says of each passage, the entities, triples and communities found, and what was cut
    #[arg(long)]
    pub(crate) explain: bool,
    /// With --reasoner llm: tell how many calls, tokens and what cost it can come to at most, and ask nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Query {
    /// The same without what is in files yet to be read.
    pub(crate) fn options(&self) -> AskOptions {
        AskOptions {
            mode: self.mode,
            method: self.method.0,
            top_k: self.top_k.into(),
            reasoner: self.reasoner,
            max_rounds: self.max_rounds.into(),
            ..AskOptions::default()
        }
    }
}

/// The system that answers, or none where the question decides.
#[derive(Clone, Copy, Debug)]
struct Choice(Option<Method>);

const METHODS: &[(&str, Choice)] = &[
    ("auto", Choice(None)),
    ("tree", Choice(Some(Method::Tree))),
    ("records", Choice(Some(Method::Records))),
    ("srag", Choice(Some(Method::Srag))),
    ("schemarag", Choice(Some(Method::SchemaRag))),
];

#[derive(Debug, ClapArgs)]
pub(crate) struct Records {
    /// Files and directories
    #[arg(required_unless_present = "store", value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Read the documents of a store instead; what is filled there is kept for questions
    #[arg(long, value_name = "DIR", conflicts_with = "corpus")]
    pub(crate) store: Option<PathBuf>,
    /// Columns (JSON, or CSV for its header); predicted from the documents where none are given
    #[arg(long, value_name = "FILE")]
    pub(crate) columns: Option<PathBuf>,
    /// Questions as they will be asked, one a line; the first ten help to predict columns
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: Option<PathBuf>,
    /// Print the columns, and fill nothing
    #[arg(long)]
    pub(crate) columns_only: bool,
    /// Show only the records of the first N documents of each kind, and fill no others
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Who predicts columns and fills records: `embedded` or `llm`
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    pub(crate) reasoner: Worker,
    /// Print JSON; columns as --columns reads them
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Get the embedding model and the ONNX runtime into the cache, once
    Fetch {
        /// Compare every file with its published checksum
        #[arg(long)]
        check: bool,
    },
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

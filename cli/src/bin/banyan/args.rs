//! The command line: what was typed, without meaning.

use banyan::global::{Global, one_of};
use banyan::{
    AddOptions, AskOptions, BuildOptions, CommunityUpdate, ExtractorKind, ReadOptions, ReasonerKind, SummariserKind,
};
use banyan_engine::schema::SchemaMode;
use banyan_retrieve::Mode;
use banyan_retrieve::router::Method;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

mod eval;
mod view;

pub(crate) use eval::Eval;
pub(crate) use view::{Communities, Dump, Edges, Export, FormatKind, Match, Neighbours, Node, Paths, Stats, Verify};

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
    /// Remove documents from a store
    Remove(Remove),
    /// Ask a store a question
    Query(Query),
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
    /// Decide that a fact does not hold; to add one, add a text that states it
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
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Target {
    /// Directory of the store
    #[arg(long, value_name = "DIR", env = "BANYAN_STORE")]
    pub(crate) store: PathBuf,
}

/// How files become documents.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Read {
    /// Stop at the first file that cannot be read, instead of listing it and going on
    #[arg(long)]
    strict: bool,
    /// Field of JSON and Parquet records that holds the text
    #[arg(long, value_name = "NAME")]
    text_field: Option<String>,
    /// Field that holds the title
    #[arg(long, value_name = "NAME")]
    title_field: Option<String>,
}

impl From<&Read> for ReadOptions {
    fn from(read: &Read) -> Self {
        Self {
            strict: read.strict,
            text_field: read.text_field.clone(),
            title_field: read.title_field.clone(),
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Build {
    /// Files (txt, md, rst, adoc, org, json, jsonl, parquet) and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) read: Read,
    /// Schema (JSON) that bounds what is extracted; the built-in general one by default
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// What the schema does not define is refused (`strict`), proposed and accepted from a confidence of --mu
    /// (`expand`), or accepted at once (`open`)
    #[arg(long, default_value = "strict", value_parser = one_of(&[("strict", SchemaMode::Strict), ("expand", SchemaMode::Expand), ("open", SchemaMode::Open)]))]
    schema_mode: SchemaMode,
    /// Least confidence with which --schema-mode expand accepts, 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.9, value_parser = share)]
    mu: f32,
    /// Who reads the facts: `embedded` (rules, no model), `llm` (the configured language model), or `recorded:FILE` (what
    /// another system said of each record)
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    extractor: ExtractorKind,
    /// Who writes names and summaries of communities: `embedded` or `llm`
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(&[("embedded", SummariserKind::Embedded), ("llm", SummariserKind::Llm)]))]
    summaries: SummariserKind,
    /// Ask again about what the model gave no usable reply to
    #[arg(long)]
    retry_failed: bool,
    /// Tell calls, tokens and cost of a model that reads, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: print JSON
    #[arg(long, requires = "dry_run")]
    pub(crate) json: bool,
}

impl Build {
    /// The same without a schema, which is a file yet to be read.
    pub(crate) fn options(&self) -> BuildOptions {
        BuildOptions {
            read: (&self.read).into(),
            schema: None,
            schema_mode: self.schema_mode,
            mu: self.mu,
            extractor: self.extractor.clone(),
            summaries: self.summaries,
            retry_failed: self.retry_failed,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Add {
    /// Files and directories
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    read: Read,
    /// What becomes of the communities: `refresh` them, `detect` them anew, or `auto` (detect where much changed)
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = one_of(UPDATES))]
    communities: CommunityUpdate,
}

impl Add {
    pub(crate) fn options(&self) -> AddOptions {
        AddOptions {
            read: (&self.read).into(),
            communities: self.communities,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Remove {
    /// Documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// As for `add`; only `detect` leaves what a store has that never had the documents
    #[arg(long, value_name = "HOW", default_value = "detect", value_parser = one_of(UPDATES))]
    pub(crate) communities: CommunityUpdate,
}

const UPDATES: &[(&str, CommunityUpdate)] = &[
    ("auto", CommunityUpdate::Auto),
    ("refresh", CommunityUpdate::Refresh),
    ("detect", CommunityUpdate::Detect),
];

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
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(REASONERS))]
    reasoner: ReasonerKind,
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

const REASONERS: &[(&str, ReasonerKind)] = &[("embedded", ReasonerKind::Embedded), ("llm", ReasonerKind::Llm)];

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
    #[arg(long, num_args = 2, value_names = ["A", "B"], group = "decision")]
    pub(crate) merge: Option<Vec<String>>,
    /// Decide that the second name is not the first, nor anything the first is joined with
    #[arg(long, num_args = 2, value_names = ["A", "B"], group = "decision")]
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

#[derive(Debug, ClapArgs)]
pub(crate) struct Records {
    /// Files and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Columns (JSON, or CSV for its header); predicted from the documents where none are given
    #[arg(long, value_name = "FILE")]
    pub(crate) columns: Option<PathBuf>,
    /// Questions as they will be asked, one a line; the first ten help to predict columns
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: Option<PathBuf>,
    /// Print the columns, and fill nothing
    #[arg(long)]
    pub(crate) columns_only: bool,
    /// Fill only the first N documents of each kind
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Who predicts columns and fills records: `embedded` or `llm`
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(REASONERS))]
    pub(crate) reasoner: ReasonerKind,
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

//! The command line: what was typed, without meaning.

use crate::extraction::Reader;
use crate::summary::Writer;
use crate::tree::CommunitiesKind;
use banyan_engine::schema::SchemaMode;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

mod eval;
mod method;
mod reason;
mod records;
mod resolve;
mod schema;
mod view;

pub use eval::Eval;
pub(crate) use method::MethodKind;
pub(crate) use reason::Reason;
pub use reason::{ReasonerKind, Who};
pub(crate) use records::{Ask, Fill, Induce, Reads, Records, RecordsModel};
pub(crate) use resolve::{Log, Pair, Resolve, Undo};
pub(crate) use schema::{Schema, SchemaDecision, SchemaDiff, SchemaInfer, SchemaShow};
pub(crate) use view::{Communities, Export, FormatKind, LevelKind};

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
pub struct Global {
    /// Dense vectors: `minilm` (all-MiniLM-L6-v2) or `none` (BM25 and graph only)
    #[arg(long, global = true, value_enum, default_value_t = EmbedderKind::Minilm, env = "BANYAN_EMBEDDER")]
    pub embedder: EmbedderKind,
    /// Directory that holds the embedding model and the ONNX runtime
    #[arg(long, global = true, value_name = "DIR", env = "BANYAN_MODEL_DIR")]
    pub model_dir: Option<PathBuf>,
    /// Grammar of English sentences: `small` (`en_core_web_sm`; meant where no kind is named) or `none`
    #[arg(long, global = true, value_enum, value_name = "KIND", num_args = 0..=1, default_value_t = ParserKind::None, default_missing_value = "small", env = "BANYAN_PARSER")]
    pub parser: ParserKind,
    /// Directory that holds the parser's files
    #[arg(long, global = true, value_name = "DIR", env = "BANYAN_PARSER_DIR")]
    pub parser_dir: Option<PathBuf>,
    /// Fetch nothing: use only what is on this machine
    #[arg(long, global = true, env = "BANYAN_OFFLINE", value_parser = clap::builder::BoolishValueParser::new())]
    pub offline: bool,
    /// Threads to use; all cores by default
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Print only results
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmbedderKind {
    Minilm,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ParserKind {
    None,
    Small,
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
    /// Check that every quote of an answer stands in the store where the answer says
    VerifyAnswer(VerifyAnswer),
    /// Count what a store holds
    Stats(Stats),
    /// Show communities: names, keywords, and why their members belong together
    Communities(Communities),
    /// Write communities, keywords, triples and attributes as a file for other programs
    Export(Export),
    /// Show words, tags, dependencies and entities of English text, as the parser sees them
    Parse(Parse),
    /// Compile extractors from examples
    #[command(subcommand)]
    Extract(Extract),
    /// Show, compare and infer schemas, and decide how a store's schema grows
    #[command(subcommand)]
    Schema(Schema),
    /// Records of documents: predict columns, fill them, ask them
    #[command(subcommand)]
    Records(Records),
    /// See and decide which names are one entity
    #[command(subcommand)]
    Resolve(Resolve),
    /// Manage the embedding model and the parser
    #[command(subcommand)]
    Model(Model),
    /// Measure recall and answers on questions of your own with known answers, beside BM25, dense vectors and their fusion
    Eval(Eval),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Build {
    /// Files (txt, md, json, jsonl) and directories
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Schema (JSON or TOML) that bounds what is extracted; the built-in general one by default
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// What happens to what the schema does not define: it is refused, proposed and accepted from a confidence of --mu, or
    /// accepted at once
    #[arg(long, value_enum, default_value_t = SchemaModeKind::Strict)]
    pub(crate) schema_mode: SchemaModeKind,
    /// Least confidence with which --schema-mode expand accepts, 0 to 1
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.9, value_parser = share)]
    pub(crate) mu: f32,
    /// Who reads the facts: `embedded` (rules, no model), `llm` (the configured language model), or `recorded:FILE` (what another system said of each record)
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    pub(crate) extractor: Reader,
    /// Compiled extractor, as `extract learn` wrote it, that reads beside the embedded rules
    #[arg(long, value_name = "FILE")]
    pub(crate) patterns: Option<PathBuf>,
    /// Who writes names and summaries of communities, now and when documents are added
    #[arg(long, value_enum, default_value_t = Writer::Embedded)]
    pub(crate) summaries: Writer,
    /// Leave out files that cannot be read, and list them, instead of stopping
    #[arg(long)]
    pub(crate) skip_bad: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Ask again about what the model gave no usable reply to
    #[arg(long)]
    pub(crate) retry_failed: bool,
    #[command(flatten)]
    pub(crate) forecast: DryRun,
}

/// Counting before anything is spent.
#[derive(Debug, ClapArgs)]
pub(crate) struct DryRun {
    /// Tell calls, tokens and cost by stage, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: print JSON
    #[arg(long, requires = "dry_run")]
    pub(crate) json: bool,
}

/// How a language model is asked.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct ModelArgs {
    /// Configuration with `[llm]`; by default banyan.toml here, else the user's own
    #[arg(long, value_name = "FILE", env = "BANYAN_CONFIG")]
    pub config: Option<PathBuf>,
    /// Cassette that keeps every reply and answers what it knows; by default beside the store
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Cassette that answers alone: a call that it does not know is an error
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub replay: Option<PathBuf>,
    /// Stop before the calls of this run exceed so many tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// Stop before the calls of this run cost more; needs prices in the configuration
    #[arg(long, value_name = "COST")]
    pub max_cost: Option<f64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Change {
    /// Files and directories
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Leave out files that cannot be read, and list them, instead of stopping
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// What becomes of the communities
    #[arg(long, value_enum, default_value_t = CommunitiesKind::Auto)]
    pub(crate) communities: CommunitiesKind,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Remove {
    /// Documents by file or directory as it was added, by record (`corpus.jsonl#12`), by title, or by id
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// What becomes of the communities; only `detect` leaves what a store has that never had the documents
    #[arg(long, value_enum, default_value_t = CommunitiesKind::Detect)]
    pub(crate) communities: CommunitiesKind,
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
    /// List tokens and facts of every chunk that a model or a recording stated
    #[arg(long)]
    pub(crate) ledger: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyAnswer {
    /// An answer as `query --json` printed it; `-` reads stdin
    #[arg(value_name = "FILE")]
    pub(crate) answer: PathBuf,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Query {
    /// The question
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub(crate) question: Option<String>,
    /// Ask every question of a file instead, one a line or as JSON lines with `question` and `id`; `-` reads stdin. Prints
    /// JSON lines in the same order
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// Calibration, as `calibrate` wrote it, that reject mode decides by; the built-in one by default
    #[arg(long, value_name = "FILE", env = "BANYAN_CALIBRATION")]
    pub(crate) calibration: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// How the question is answered
    #[arg(long, value_enum, default_value_t = MethodKind::Auto)]
    pub(crate) method: MethodKind,
    /// `open` answers with the best there is, `reject` refuses when the evidence is weak
    #[arg(long, value_enum, default_value_t = ModeKind::Open)]
    pub(crate) mode: ModeKind,
    /// Passages to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) top_k: u16,
    /// Print each step as it is done: what was asked, and what is believed; with --json it is part of the answer
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show also what each route says of each passage, the entities, triples and communities found, and what was cut
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) reason: Reason,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaModeKind {
    Strict,
    Expand,
    Open,
}

impl From<SchemaModeKind> for SchemaMode {
    fn from(kind: SchemaModeKind) -> Self {
        match kind {
            SchemaModeKind::Strict => Self::Strict,
            SchemaModeKind::Expand => Self::Expand,
            SchemaModeKind::Open => Self::Open,
        }
    }
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeKind {
    Open,
    Reject,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Parse {
    /// A text, or a file with texts (txt, md, json, jsonl)
    #[arg(value_name = "TEXT|FILE")]
    pub(crate) text: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Extract {
    /// Learn from labelled sentences how relations are stated, keep what pays on sentences that were held back, and write
    /// it as a readable file for `build --patterns`
    Learn(Learn),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Learn {
    /// Labelled sentences (JSON lines: `sent` and `triples` of `sub`, `rel`, `obj`); with --corpus a recording; a
    /// directory is a store, whose facts are the labels
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: PathBuf,
    /// Files and directories that a recording speaks of
    #[arg(long, value_name = "CORPUS", num_args = 1..)]
    pub(crate) corpus: Vec<PathBuf>,
    /// Schema whose relations are learned
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// File to write, which must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// Get the embedding model and the ONNX runtime into the cache, once; with `--parser` the parser too, with
    /// `--embedder none --parser` the parser alone
    Fetch,
    /// Check model and parser in the cache against their published checksums, and that they compute what they should
    Verify,
}

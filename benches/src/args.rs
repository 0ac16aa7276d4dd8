//! The command line of `banyan-eval`, as it is typed.

use banyan::{EmbedderKind, Environment, LanguageOptions, ReasonerKind};
use banyan_retrieve::Mode;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

mod anonymize;
mod anonyrag;
mod suite;

pub(crate) use anonymize::Anonymize;
pub(crate) use anonyrag::{AnonyRag, AskingArgs, Leakage};
pub(crate) use suite::{Compare, Run, SchemaChange};

/// What goes with every command.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Global {
    /// Dense vectors: `minilm` or `none`
    #[arg(long, global = true, env = "BANYAN_EMBEDDER", default_value = "minilm", value_parser = embedder)]
    embedder: EmbedderKind,
    /// Fetch nothing: use only what is on this machine
    #[arg(long, global = true, env = "BANYAN_OFFLINE", value_parser = clap::builder::BoolishValueParser::new())]
    offline: bool,
    /// Threads to use; all cores by default
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Print only results
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Configuration with `[llm]`
    #[arg(long, global = true, value_name = "FILE", env = "BANYAN_CONFIG")]
    config: Option<PathBuf>,
    /// Cassette that keeps every reply of a model
    #[arg(long, global = true, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Cassette that answers alone
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "record")]
    replay: Option<PathBuf>,
    /// Stop before the calls of this run exceed so many tokens
    #[arg(long, global = true, value_name = "N")]
    max_tokens: Option<u64>,
    /// Stop before they cost more
    #[arg(long, global = true, value_name = "COST")]
    max_cost: Option<f64>,
}

impl Global {
    /// What holds for every call of the library.
    pub(crate) fn environment(&self) -> Environment {
        Environment {
            embedder: self.embedder,
            offline: self.offline,
            language: LanguageOptions {
                config: self.config.clone(),
                record: self.record.clone(),
                replay: self.replay.clone(),
                max_tokens: self.max_tokens,
                max_cost: self.max_cost,
            },
            progress: crate::render::progress(self.quiet),
            ..Environment::default()
        }
    }
}

fn embedder(word: &str) -> Result<EmbedderKind, String> {
    match word {
        "minilm" => Ok(EmbedderKind::MiniLm),
        "none" => Ok(EmbedderKind::None),
        _ => Err("expected minilm or none".to_owned()),
    }
}

fn reasoner(word: &str) -> Result<ReasonerKind, String> {
    match word {
        "embedded" => Ok(ReasonerKind::Embedded),
        "llm" => Ok(ReasonerKind::Llm),
        _ => Err("expected embedded or llm".to_owned()),
    }
}

fn mode(word: &str) -> Result<Mode, String> {
    match word {
        "open" => Ok(Mode::Open),
        "reject" => Ok(Mode::Reject),
        _ => Err("expected open or reject".to_owned()),
    }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
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
    /// Every set of a suite, measured into one report with baselines, intervals, tests and charts
    Run(Run),
    /// What became better and what broke between two reports, question by question
    Compare(Compare),
    /// What an edited schema changes in answers and recall, from recorded replies: before paying for a rebuild
    SchemaChange(SchemaChange),
    /// Statements of single sentences under an ontology (`Text2KGBench`), beside published figures
    Extraction(Extraction),
    /// Names behind tags and multiple choice over anonymised texts, open and reject (`AnonyRAG`, and sets of `anonymize`)
    Anonyrag(AnonyRag),
    /// How much of what is answered right is remembered: the same questions with names and with tags, with passages and
    /// without
    Leakage(Leakage),
    /// Put tags for names, one for each entity, so that nothing can be answered from memory; with questions and a key
    Anonymize(Anonymize),
    /// Answers without a model, on questions that their weights have and have not seen; fits the weights that ship
    Answers(AnswerSets),
    /// Fit how sure an answer must be on questions with known answers
    Calibrate(Calibrate),
    /// F1 of names and their types in sentences tagged token by token (BIO)
    Entities(Annotated),
    /// F1 of facts between entities in annotated documents (in the form of `DocRED`)
    Relations(Annotated),
    /// Aggregative questions over records, beside dense retrieval
    Aggregate(Aggregate),
    /// Communities against known classes, beside Louvain, Leiden, K-means and either side alone
    Community(Community),
    /// Which method a question is sent to, against labelled questions
    Router(Choices),
    /// Which knowledge structure a question gets, against labelled questions
    Structure(Choices),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Choices {
    /// Labelled questions, one JSON object a line: `question`, and `method` or `structure`
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Choose each fifth with weights fitted to the other four, not with those that ship
    #[arg(long, conflicts_with = "fit")]
    pub(crate) cross_validate: bool,
    /// Fit weights to the questions and write them to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) fit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AnswerSets {
    /// Directories with `corpus.jsonl` and `questions.jsonl`, whose questions have `answers` and may have a `decomposition`
    #[arg(long, required = true, value_name = "DIR", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Answers to questions that come without, one JSON object a line: `id` and `answers`
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Answer also each fifth of the questions by weights fitted to the other four, and each set by weights fitted to the
    /// other sets
    #[arg(long)]
    pub(crate) cross_validate: bool,
    /// Fit weights to all questions and write them to FILE, and the calibration beside it
    #[arg(long, value_name = "FILE")]
    pub(crate) fit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
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
pub(crate) struct Annotated {
    /// File of the set, or directory with its files
    #[arg(long, value_name = "PATH")]
    pub(crate) data: PathBuf,
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
    /// Read each ontology with general weights fitted to the training sentences of all others, not with those that ship
    #[arg(long, conflicts_with = "fit")]
    pub(crate) leave_one_out: bool,
    /// Fit general weights to the training sentences of all ontologies, write them to FILE and read with them
    #[arg(long, value_name = "FILE")]
    pub(crate) fit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Calibrate {
    /// Directories with `corpus.jsonl` and `questions.jsonl` (with `answers`)
    #[arg(long, required = true, value_name = "DIR", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Share of the questions that reject mode shall answer, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub(crate) coverage: f32,
    /// File to write, which must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

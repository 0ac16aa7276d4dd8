//! `banyan eval`, as it is typed.

use super::{AnonyRag, Compare, Leakage, ModelArgs, Run, SchemaChange, Who};
use crate::extraction::Reader;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Every set of a suite, measured into one report with baselines, intervals, tests and charts
    Run(Run),
    /// What became better and what broke between two reports, question by question
    Compare(Compare),
    /// What an edited schema changes in answers and recall, from recorded replies: before paying for a rebuild
    SchemaChange(SchemaChange),
    /// Statements of single sentences under an ontology (`Text2KGBench`), beside published figures
    Extraction(Extraction),
    /// Recall of gold passages for multi-hop questions, beside BM25, dense and their fusion
    Multihop(Multihop),
    /// Names behind tags and multiple choice over anonymised texts, open and reject (`AnonyRAG`, and sets of `anonymize`)
    Anonyrag(AnonyRag),
    /// How much of what is answered right is remembered: the same questions with names and with tags, with passages and
    /// without
    Leakage(Leakage),
    /// Answers without a model, on questions that their weights have and have not seen; fits the weights that ship
    Answers(AnswerSets),
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
    /// Read with a compiled extractor of this ontology, as `extract learn` wrote it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["learn", "leave_one_out", "fit"])]
    pub(crate) patterns: Option<PathBuf>,
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
pub(crate) struct Multihop {
    /// Directory with `corpus.jsonl` and `questions.jsonl`
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Who reads the facts: `embedded`, `llm` or `recorded:FILE`
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    pub(crate) extractor: Reader,
    /// Compiled extractor that reads beside the embedded rules
    #[arg(long, value_name = "FILE")]
    pub(crate) patterns: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) who: Who,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Measure also on the facts that another system recorded, beside those of --extractor
    #[arg(long, value_name = "FILE")]
    pub(crate) recorded: Option<PathBuf>,
    /// Measure also without each route and by each route alone
    #[arg(long)]
    pub(crate) ablation: bool,
    /// Measure also with each weight of retrieval halved and raised by half
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// Numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,8,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) k: Vec<u16>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

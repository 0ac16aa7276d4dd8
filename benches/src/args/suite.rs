//! `banyan-eval run`, `compare` and `schema-change`, as they are typed.

use banyan::ExtractorKind;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Run {
    /// The suite (TOML): data sets, methods, modes, seed and floors
    #[arg(value_name = "SUITE")]
    pub(crate) suite: PathBuf,
    /// Directory for report.json, report.html and what a later run takes over; nothing is written without it
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Measure only this set (several times for several)
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// Measure again what --out holds already
    #[arg(long, requires = "out")]
    pub(crate) fresh: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print a table for a Markdown page
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// Who judges answers beside exact match.
#[derive(Debug, ClapArgs)]
pub(crate) struct Judging {
    /// Let the configured language model judge answers, too: the metric `judged`, beside exact match
    #[arg(long)]
    pub(crate) judge: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Compare {
    /// A report, as `eval run --out` or `--json` wrote it
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,
    /// A later one
    #[arg(value_name = "AFTER")]
    pub(crate) after: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaChange {
    /// The edited schema (JSON or TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// The schema before the edit, under which replies were recorded; the built-in general one by default
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Questions with known answers, in one of the shapes that `eval run` reads
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: PathBuf,
    /// Texts; the passages that come with the questions by default
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Option<PathBuf>,
    /// Who reads the facts: `embedded`, `llm` (from a cassette: --replay) or `recorded:FILE`
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    pub(crate) extractor: ExtractorKind,
    /// Numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) k: Vec<u16>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

//! `banyan eval run` and `banyan eval compare`, as they are typed.

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

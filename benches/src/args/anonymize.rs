//! `banyan-eval anonymize`, as it is typed.

use clap::Args as ClapArgs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Anonymize {
    /// Files (txt, md, json, jsonl) and directories; with --restore the directory of an anonymised corpus
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Directory to write, which must not exist or be empty: `corpus/`, `questions.jsonl`, and apart from them `key.json`
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Questions to draw
    #[arg(long, value_name = "N", default_value_t = 240, conflicts_with = "restore")]
    pub(crate) questions: u16,
    /// Seed of the draw
    #[arg(long, value_name = "SEED", default_value_t = 42, conflicts_with = "restore")]
    pub(crate) seed: u64,
    /// Numbers of hops to ask over: `N` or `FIRST..LAST`, 1 to 6
    #[arg(long, value_name = "HOPS", default_value = "1..6", value_parser = hops, conflicts_with = "restore")]
    pub(crate) hops: RangeInclusive<usize>,
    /// Put the names back, byte for byte, with the key
    #[arg(long)]
    pub(crate) restore: bool,
    /// The key, where it is not `key.json` in the directory
    #[arg(long, value_name = "FILE", requires = "restore")]
    pub(crate) key: Option<PathBuf>,
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

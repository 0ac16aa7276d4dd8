//! `banyan eval`, as it is typed.

use super::{ModelArgs, Who};
use crate::extraction::Reader;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub struct Eval {
    /// Directory with `corpus.jsonl` and `questions.jsonl`
    #[arg(value_name = "DIR")]
    pub data: PathBuf,
    /// Who reads the facts: `embedded`, `llm` or `recorded:FILE`
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    pub extractor: Reader,
    /// Compiled extractor that reads beside the embedded rules
    #[arg(long, value_name = "FILE")]
    pub patterns: Option<PathBuf>,
    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Measure also on the facts that another system recorded, beside those of --extractor
    #[arg(long, value_name = "FILE")]
    pub recorded: Option<PathBuf>,
    /// Measure also without each route and by each route alone
    #[arg(long)]
    pub ablation: bool,
    /// Measure also with each weight of retrieval halved and raised by half
    #[arg(long)]
    pub sensitivity: bool,
    /// Numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,8,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub k: Vec<u16>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

//! `banyan eval`, as it is typed.

use super::{REASONERS, one_of};
use banyan::eval::EvalOptions;
use banyan::{ExtractorKind, ReasonerKind};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Eval {
    /// Directory with `questions.jsonl` and `corpus.jsonl`, or with the folder `corpus` where questions tell `evidence`
    #[arg(value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Who reads the facts: `embedded`, `llm` or `recorded:FILE`
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    extractor: ExtractorKind,
    /// Who answers beside the embedded reasoner: `llm` needs --record or --replay
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(REASONERS))]
    reasoner: ReasonerKind,
    /// Measure also on the facts that another system recorded, beside those of --extractor
    #[arg(long, value_name = "FILE")]
    recorded: Option<PathBuf>,
    /// Measure also without each route and by each route alone
    #[arg(long)]
    ablation: bool,
    /// Measure also with each weight of retrieval halved and raised by half
    #[arg(long)]
    sensitivity: bool,
    /// Numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,8,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    k: Vec<u16>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Eval {
    pub(crate) fn options(&self) -> EvalOptions {
        EvalOptions {
            extractor: self.extractor.clone(),
            reasoner: self.reasoner,
            recorded: self.recorded.clone(),
            ablation: self.ablation,
            sensitivity: self.sensitivity,
            k: self.k.iter().map(|k| usize::from(*k)).collect(),
            ..EvalOptions::default()
        }
    }
}

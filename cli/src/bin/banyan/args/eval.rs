//! `banyan eval`, as it is typed.

use banyan::eval::{EvalOptions, Reading};
use banyan::global::one_of;
use banyan::{AskOptions, ExtractorKind, Worker};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Eval {
    /// Directory with `questions.jsonl` and `corpus.jsonl` (or the folder `corpus`), or a suite of sets (TOML)
    #[arg(value_name = "SUITE|DIR", required_unless_present = "compare")]
    pub(crate) data: Option<PathBuf>,
    /// Compare two reports of suites (`--json`): what became better and what broke, question by question
    #[arg(long, value_names = ["BEFORE", "AFTER"], num_args = 2, conflicts_with = "data")]
    pub(crate) compare: Option<Vec<PathBuf>>,
    /// Who reads the facts, `embedded`, `llm` or `recorded:FILE`
    #[arg(long, value_name = "WHO", default_value = "embedded")]
    pub(crate) extractor: ExtractorKind,
    /// What bounds the facts: a schema file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Who answers: of questions beside the embedded reasoner; `llm` needs --record or --replay
    #[arg(long, value_name = "WHO", default_value = "embedded", value_parser = one_of(Worker::ALL))]
    reasoner: Worker,
    /// Most rounds in which a model looks up what is missing
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=20))]
    max_rounds: u16,
    /// Of a directory: measure also on the facts that another system recorded
    #[arg(long, value_name = "FILE")]
    recorded: Option<PathBuf>,
    /// Of a directory: measure also without each route and by each route alone
    #[arg(long)]
    ablation: bool,
    /// Of a directory: take the titles from all passages
    #[arg(long)]
    no_titles: bool,
    /// Of a directory: numbers of passages to count hits among
    #[arg(long, value_name = "K,…", value_delimiter = ',', default_value = "2,5,8,10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    k: Vec<u16>,
    /// Of a suite: measure only this set (several times for several)
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Of a suite: let the configured language model judge answers, too, beside exact match
    #[arg(long)]
    pub(crate) judge: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Of a suite: print a table for a Markdown page
    #[arg(long)]
    pub(crate) markdown: bool,
}

impl Eval {
    /// Who answers, and in how many rounds.
    pub(crate) fn asking(&self) -> AskOptions {
        AskOptions {
            reasoner: self.reasoner,
            max_rounds: self.max_rounds.into(),
            ..AskOptions::default()
        }
    }

    /// With how the corpus is read: a file yet to be read is among it.
    pub(crate) fn options(&self, reading: Reading) -> EvalOptions {
        EvalOptions {
            reading,
            asking: self.asking(),
            recorded: self.recorded.clone(),
            ablation: self.ablation,
            untitled: self.no_titles,
            k: self.k.iter().map(|k| usize::from(*k)).collect(),
        }
    }
}

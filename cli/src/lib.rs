#![doc = include_str!("../README.md")]

mod analysis;
mod ask;
mod banyan;
mod bounds;
mod build;
mod change;
mod config;
#[doc(hidden)]
pub mod corpus;
#[doc(hidden)]
pub mod cpu;
mod create;
mod decide;
#[doc(hidden)]
pub mod digest;
mod doctor;
mod embedding;
mod environment;
mod error;
pub mod eval;
mod extraction;
#[doc(hidden)]
pub mod global;
mod import;
#[doc(hidden)]
pub mod language;
mod memory;
mod model;
mod names;
mod portable;
mod progress;
mod reasoning;
mod recent;
mod records;
mod stop;
mod summary;
mod timing;
mod tree;
mod watch;

pub use analysis::analyser;
pub use ask::{Answered, Reply, Routed, Session, Work, check_question};
pub use banyan::{Banyan, Found};
pub use bounds::Bounds;
pub use build::{Corpus, build, summary};
pub use change::{AddOptions, RemoveOptions};
pub use corpus::ReadOptions;
pub use create::BuildOptions;
pub use decide::Verdict;
pub use doctor::{Finding, examine};
pub use embedding::Embedding;
pub use environment::{EmbedderKind, Environment, LanguageOptions, Parser, ParserKind, cache_dir};
pub use error::Error;
pub use extraction::{ExtractionPlan, ExtractorKind, Statements};
pub use language::Worker;
pub use names::{Names, nearest, nearest_predicate};
pub use progress::{Bar, Event, Progress, Unit, counted};
pub use reasoning::{AskOptions, QuestionPlan};
pub use recent::Joining;
pub use records::{Filled, RecordsOptions, read_columns};
pub use stop::Stop;
pub use timing::{Stage, Timing};
pub use tree::CommunityUpdate;
pub use watch::watch;

/// What `banyan-eval` builds on: no part of the face, and free to change.
#[doc(hidden)]
pub mod parts {
    pub use crate::progress::Watched;
}

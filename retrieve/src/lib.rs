#![doc = include_str!("../README.md")]

pub mod agent;
pub mod answer;
pub mod config;
pub mod decompose;
pub mod eval;
pub mod evidence;
pub mod question;
pub mod route;
pub mod searcher;

pub use answer::{Answer, Citation, Mode, answer};
pub use config::Config;
pub use decompose::{Decompose, Decomposition, SubQuery};
pub use evidence::{Evidence, Passage};
pub use question::Question;
pub use searcher::Searcher;

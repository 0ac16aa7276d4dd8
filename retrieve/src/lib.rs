#![doc = include_str!("../README.md")]

pub mod adaptive;
pub mod agent;
pub mod aggregate;
pub mod answer;
mod citation;
pub mod classify;
pub mod config;
pub mod decompose;
pub mod evidence;
pub mod form;
mod level;
pub mod overview;
pub mod question;
pub mod rank;
pub mod read;
pub mod reason;
pub mod route;
pub mod router;
#[cfg(test)]
#[path = "tests/scripted.rs"]
mod scripted;
pub mod searcher;
pub mod sentence;
pub mod tabulate;
mod token_vectors;

pub use answer::{Answer, Mode, best_of_each, calibration};
pub use citation::Citation;
pub use config::Config;
pub use decompose::{Decompose, Decomposition, SubQuery};
pub use evidence::{Evidence, Passage};
pub use form::QuestionForm;
pub use question::{Expected, Question};
pub use searcher::Searcher;

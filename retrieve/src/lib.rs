#![doc = include_str!("../README.md")]

pub mod adaptive;
pub mod answer;
pub mod classify;
pub mod config;
pub mod eval;
pub mod evidence;
pub mod question;
pub mod route;
pub mod router;
pub mod searcher;

pub use answer::{Answer, Citation, Mode, answer};
pub use config::Config;
pub use evidence::{Evidence, Passage};
pub use question::Question;
pub use searcher::Searcher;

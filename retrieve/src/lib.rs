#![doc = include_str!("../README.md")]

pub mod adaptive;
pub mod agent;
pub mod aggregate;
pub mod answer;
pub mod calibration;
pub mod classify;
pub mod config;
pub mod decompose;
pub mod evidence;
mod meaning;
pub mod model;
pub mod overview;
pub mod question;
pub mod reason;
pub mod route;
pub mod router;
pub mod searcher;
pub mod tabulate;
mod tie;

pub use answer::{Answer, Citation, Expected, Mode, answer};
pub use config::Config;
pub use decompose::{Decompose, Decomposition, SubQuery};
pub use evidence::{Evidence, Passage};
pub use question::Question;
pub use searcher::Searcher;

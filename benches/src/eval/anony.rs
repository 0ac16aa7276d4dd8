//! Questions over anonymised texts, in the form of `AnonyRAG` (Youtu-GraphRAG §4.2, appendix B): the original names behind
//! tags, and one of four options; answered openly, or rejected where the evidence is weak.
//!
//! Without a model a choice goes to the option for which the corpus says most ([`support`]), and a tag is named only where
//! the corpus itself lets its name slip: names outside of it cannot be known.

pub mod answer;
pub mod item;
mod kin;
pub mod leakage;
pub mod logit;
mod model;
mod names;
mod option;
pub mod overlap;
pub mod place;
pub mod reply;
pub mod report;
pub mod score;
mod sentence;
pub mod support;

pub use answer::{Answerer, Embedded, Given};
pub use item::{Gold, Item, SetError, items};
pub use model::ModelAnswerer;
pub use report::{Asked, Report};

#[cfg(test)]
mod tests;

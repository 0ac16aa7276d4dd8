//! Questions over anonymised texts, in the form of `AnonyRAG` (Youtu-GraphRAG §4.2, appendix B): the original names
//! behind tags, and one of four options; answered openly, or rejected where the evidence is weak.
//!
//! Without a model a choice goes to the option of which the passages found say most ([`Embedded`]), and no tag is named:
//! names that a corpus does not have cannot be known.

mod answer;
mod item;
mod measure;
mod model;

pub use answer::{Answerer, Embedded, Given};
pub use item::{Gold, GoldPlace, Item};
pub use measure::{Found, KIND, mark, measure_with, read_items};

/// Options of a multiple choice.
pub const N_OPTIONS: usize = 4;

#[cfg(test)]
mod tests;

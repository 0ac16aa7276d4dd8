//! Questions over anonymised texts, in the form of `AnonyRAG` (Youtu-GraphRAG §4.2, appendix B): the original names behind
//! tags, and one of four options; answered openly, or rejected where the evidence is weak.
//!
//! Without a model a choice goes to the option of which the passages found say most ([`Embedded`]), and a tag is named only
//! where the corpus itself lets its name slip: names outside of it cannot be known.

mod answer;
mod item;
mod key;
mod measure;
mod model;
mod names;
mod option;
mod place;
mod record;
mod reply;
mod score;

pub use answer::{Answerer, Embedded, Given};
pub use item::{Gold, Item, SetError, items};
pub use key::Names;
pub use measure::{KIND, correct, evidence, mark, measure_with, read_items};
pub use model::ModelAnswerer;
pub use place::GoldPlace;

/// Options of a multiple choice.
pub const N_OPTIONS: usize = 4;

#[cfg(test)]
mod tests;

//! Learning to read: labelled sentences to a compiled extractor.

mod collect;
mod example;
mod fit;
mod row;
mod train;

pub use example::{Example, ExampleError, Triple, read_examples};
pub use train::{Learned, LearnedRelation, general, learn};

//! Learning to read: labelled sentences to weights.

mod example;
mod fit;
mod row;
mod train;

pub(crate) use row::{Row, Rows};

pub use example::{Example, ExampleError, Triple, read_examples};
pub use train::{general, learn};

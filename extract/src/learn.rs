//! Learning to read: labelled sentences to a compiled extractor.

mod example;
mod fit;
mod patterns;
mod recorded;
mod row;
mod train;
mod verify;

pub use example::{Example, ExampleError, Triple, read_examples};
pub use patterns::{Patterns, PatternsError};
pub use recorded::recorded_examples;
pub use train::{Learned, general, learn};
pub use verify::{Hits, Outcome, Verdict, Verified, verify};

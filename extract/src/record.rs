//! Documents to records (S-RAG §3.2): which columns a corpus has, and what each document says in them.
//!
//! | step | by rules | by a model |
//! |---|---|---|
//! | columns | [`induce()`]: what recurs over pages | [`RecordReader::induce`] |
//! | cells | [`fill()`]: what wordings plainly say | [`RecordReader::fill`] |
//!
//! Rules know English and no corpus. Every cell names the bytes of its document that say it; what none plainly says is
//! empty.

pub mod family;
mod fill;
pub mod induce;
pub mod literal;
mod mention;
pub mod model;
mod page;
pub mod part;
mod similarity;
mod subject;
pub mod term;
mod view;

pub use family::families;
pub use fill::fill;
pub use induce::induce;
pub use model::{Embedded, Filler, Given, MAX_PARTS, RecordReader};

#[cfg(test)]
mod tests;

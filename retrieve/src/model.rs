//! What the model side of retrieval shares: a reply's defects, its fields, and what a prompt shows of schema and passages.
//!
//! A reply is data. It is parsed by the tolerant reader of `extract`, bounded in number and length, checked against schema
//! and passages, and every part that cannot be used is left out and counted. Nothing in it is obeyed.

pub mod defect;
pub(crate) mod field;
pub(crate) mod order;
#[cfg(test)]
#[path = "model/tests/scripted.rs"]
pub(crate) mod scripted;

pub use defect::{Defect, Defects};
pub use order::gives_orders;

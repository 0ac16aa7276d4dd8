//! What is derived for fast search and never stored: terms, BM25, who is named where.

pub mod bm25;
pub mod incidence;
pub mod term;

pub use bm25::{Bm25, Postings};
pub use incidence::Incidence;

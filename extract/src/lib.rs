#![doc = include_str!("../README.md")]

pub mod chunk;
pub mod literal;
pub mod read;
pub mod recognise;
pub mod resolve;
pub mod sentence;
pub mod word;

mod attributes;
mod clause;
mod lexicon;
mod lifespan;
mod link;
mod modifier;
mod parsed;
mod phrase;
mod pipeline;
mod reading;
mod triples;
mod types;
mod typing;

pub use lexicon::LexiconError;
pub use parsed::Parsed;
pub use pipeline::{ExtractError, Watch, extract};

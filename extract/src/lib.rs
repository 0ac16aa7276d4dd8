#![doc = include_str!("../README.md")]

pub mod chunk;
mod error;
pub mod expand;
pub mod gazetteer;
pub mod infer;
pub mod learn;
pub mod literal;
pub mod model;
pub mod parse;
pub mod read;
pub mod recognise;
pub mod record;
pub mod recorded;
pub mod resolve;
pub mod sentence;
pub mod stated;
pub mod statement;
pub mod stem;
pub mod tag;
pub mod word;

mod attributes;
mod bind;
mod clause;
mod context;
mod contribution;
mod facts;
mod han;
mod lexicon;
mod lifespan;
mod link;
mod modifier;
mod parsed;
mod phrase;
mod pipeline;
mod reading;
mod triples;
mod type_propagation;
mod types;
mod typing;
mod word_list;

pub use error::ExtractError;
pub use facts::Extractor;
pub use parsed::Parsed;
pub use pipeline::{Watch, extract};

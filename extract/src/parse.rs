//! Words, tags, dependency heads and named entities of English text, by a small trained model.
//!
//! A runtime for the `en_core_web_sm` family of spaCy models: it takes the bytes of the model package's files and
//! answers what spaCy answers, without Python. What it is not: a trainer, or a loader of other
//! architectures (anything it does not know is refused at loading).
//!
//! Text → words by rules → a vector a word (hashed features, then a convolution over neighbours) → tags by a softmax,
//! heads by an arc-eager transition system, entities by a second set of vectors and a BILUO transition system.
//! Everything is a pure function of the bytes and the text, so texts can be parsed on any number of threads.

mod affine;
mod arc;
mod embed;
mod encode;
mod entity;
mod error;
mod feature;
mod hash;
mod load;
mod moves;
mod norm;
mod pipeline;
mod score;
mod shape;
mod special;
mod symbol;
mod token;
mod tokenizer;
mod tree;

pub use error::ParseError;
pub use pipeline::{ModelBytes, Pipeline};
pub use token::{Entity, Token};

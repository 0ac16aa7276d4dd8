//! Statements of one sentence under a schema: who, which relation, what.

pub(crate) mod candidate;
pub(crate) mod feature;
mod lexicon;
pub(crate) mod nearest;
pub(crate) mod passage;
pub(crate) mod reader;
mod relation;
mod run;
mod token;
pub(crate) mod trigger;
pub(crate) mod value;
pub(crate) mod weights;

pub(crate) use token::tokens;

pub use reader::{Reader, Statement};
pub use relation::Relation;
pub use weights::{General, Learned, NamedWeights};

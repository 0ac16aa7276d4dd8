//! Statements of one sentence under a schema: who, which relation, what.

mod anchor;
pub(crate) mod candidate;
pub(crate) mod cue;
pub(crate) mod feature;
mod kind;
pub(crate) mod lexicon;
pub(crate) mod reader;
mod relation;
mod root;
pub(crate) mod sink;
mod token;
mod value;
pub(crate) mod view;
pub(crate) mod weights;
pub(crate) mod writing;

pub use reader::{Argument, Reader, Statement};
pub use relation::Relation;
pub use weights::{General, NamedWeights};
pub use writing::{Form, Matter};

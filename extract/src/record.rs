//! Documents to records (S-RAG §3.2): which columns a corpus has, and what each document says in them.

mod child;
pub mod family;
pub mod fill;
pub mod induce;
pub mod literal;
pub mod model;
pub mod page;
mod subject;
pub mod thesaurus;

pub use child::children;
pub use family::families;
pub use fill::fill;
pub use induce::induce;

//! Texts whose names are tags, so that nothing can be answered from memory (Youtu-GraphRAG, §4.2 and appendix B).
//!
//! A [`Dictionary`] gives every entity of a knowledge one [`Tag`], under which all of its spellings go: aliases, plurals,
//! possessives, any letter case. [`Dictionary::anonymise`] puts tags for names, and the [`Key`] puts the very bytes
//! back. [`question::draw`] builds questions from paths over the triples of the knowledge.
//!
//! # Differs from the paper
//! There a language model lists the names and writes the questions. Here both come from the knowledge graph: names as
//! extraction and resolution found them, questions as statements of the text along a path, with the places that state them.

pub mod dictionary;
mod form;
mod json;
pub mod key;
mod leak;
pub mod path;
mod phrase;
pub mod question;
pub(crate) mod set;
mod text;
mod token;

pub use banyan_extract::tag::{self, Tag};
pub use dictionary::{Dictionary, Entry};
pub use key::{Key, KeyFile};
pub use leak::Listed;
pub use text::{Anonymised, Replaced};

#[cfg(test)]
mod tests;

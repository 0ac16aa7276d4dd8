//! Texts whose names are tags, so that nothing can be answered from memory (Youtu-GraphRAG, §4.2 and appendix B).
//!
//! A [`Dictionary`] gives every entity of a knowledge one [`Tag`](banyan_extract::tag::Tag), under which all of its
//! spellings go. [`question::draw`] builds questions from paths over the triples of the knowledge. A set is
//! `corpus.jsonl`,
//! `questions.jsonl` and, to be kept apart, `key.json` with everything that was hidden.
//!
//! # Differs from the paper
//! There a language model lists the names and writes the questions. Here both come from the knowledge graph: names as
//! extraction and resolution found them, questions as statements of the text along a path, with the places that state
//! them.

mod dictionary;
mod key;
mod path;
mod question;
mod set;

pub(crate) use key::Key;
pub(crate) use set::{CORPUS, KEY, QUESTIONS, read_key, run};

use dictionary::{Anonymised, Dictionary};

#[cfg(test)]
mod tests;

//! A document cut into sentences and words, once for all stages that read it.

use crate::sentence;
use crate::word::{Word, words};
use banyan_engine::{Document, Span};

/// A document with its sentences and their words.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The document.
    pub document: &'a Document,
    /// Every sentence in order, with its words.
    pub sentences: Vec<(Span, Vec<Word>)>,
}

impl<'a> Parsed<'a> {
    /// Cuts a document. Cost O(length).
    pub fn new(document: &'a Document) -> Self {
        let cut = |span| (span, words(&document.text, span));
        Self {
            document,
            sentences: sentence::split(&document.text).into_iter().map(cut).collect(),
        }
    }

    /// The text that all spans refer to.
    pub fn text(&self) -> &'a str {
        &self.document.text
    }
}

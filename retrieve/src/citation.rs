//! The words of a document that support an answer, with their place.

use crate::searcher::Searcher;
use banyan_engine::{ChunkId, Document, Span};
use serde::{Deserialize, Serialize};

/// Words of a document that support an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// Title of the document.
    pub title: String,
    /// The headings around the quote, the highest first; empty where there are none.
    pub section: String,
    /// File, with the record's id where the file holds several.
    pub origin: String,
    /// First byte of the quote in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Page of the first byte in the file, from 1; none where the file has no pages.
    #[serde(default)]
    pub page: Option<u32>,
    /// Line of the first byte in the file, from 1; where the file holds several documents or has no lines, in the
    /// document's own text.
    #[serde(default)]
    pub line: u32,
    /// Column of the first byte there in characters, from 1.
    #[serde(default)]
    pub column: u32,
    /// The words, verbatim.
    pub quote: String,
}

impl Citation {
    /// The words of a document at `span`, with their place. Cost as of [`Document::place`].
    pub fn of(document: &Document, span: Span) -> Self {
        let place = document.place(span.start);
        Self {
            title: document.title.clone(),
            section: document.section(span.start),
            origin: document.origins.first().map(ToString::to_string).unwrap_or_default(),
            start: span.start,
            end: span.end,
            page: document.page(span.start),
            line: place.line,
            column: place.column,
            quote: span.of(&document.text).to_owned(),
        }
    }
}

/// The words at `span` of the document that a chunk belongs to.
pub(crate) fn cite(searcher: &Searcher, chunk: ChunkId, span: Span) -> Citation {
    let knowledge = searcher.knowledge();
    Citation::of(knowledge.document(knowledge.chunk(chunk).document), span)
}

//! What a model sees of a chunk: its text, where it stands, and what a reader of it alone would miss.

use banyan_engine::{Document, Span};

/// Bytes that are shown of a document's beginning, and of what comes right before a passage. Arbitrary: two sentences.
const MAX_LEAD: usize = 300;

/// A chunk of a document, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// The document it is from.
    pub document: &'a Document,
    /// Its place in the document's text.
    pub span: Span,
}

impl<'a> Passage<'a> {
    /// Its text; empty where the span does not fit the document.
    pub fn text(&self) -> &'a str {
        self.span.of(&self.document.text)
    }

    /// Whether it is all that its document says.
    pub(super) fn is_whole(&self) -> bool {
        let after = self.document.text.get(self.span.end as usize..);
        self.before().trim().is_empty() && after.unwrap_or("").trim().is_empty()
    }

    /// As it stands in its fence: title and headings above it, then text.
    pub(super) fn body(&self) -> String {
        let heading = self.document.heading_at(self.span.start);
        format!("{heading}\n\n{}", self.text().trim())
    }

    /// How the document begins and what comes right before the passage; empty for a passage that begins its document.
    pub(super) fn lead(&self) -> String {
        let before = self.before().trim();
        if before.len() <= 2 * MAX_LEAD {
            return before.to_owned();
        }
        let first = &before[..before.floor_char_boundary(MAX_LEAD)];
        let last = &before[before.ceil_char_boundary(before.len() - MAX_LEAD)..];
        let is_space = char::is_whitespace;
        let first = first.rsplit_once(is_space).map_or(first, |(whole, _)| whole);
        let last = last.split_once(is_space).map_or(last, |(_, whole)| whole);
        format!("{first} …\n… {last}")
    }

    fn before(&self) -> &'a str {
        self.document.text.get(..self.span.start as usize).unwrap_or("")
    }
}

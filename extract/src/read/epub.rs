//! EPUB: the chapters of a book in reading order, each read as a page of HTML.

use super::{Found, html, origin, refused, stem};
use crate::error::FileError;
use banyan_engine::document::{LISTED, Layout};
use banyan_engine::{Document, Span};
use rbook::Epub;
use std::io::Cursor;

/// One document, whose sections are the chapters. Cost O(bytes after decompression).
pub(super) fn read(file: &str, bytes: Vec<u8>) -> Result<Found, FileError> {
    let broken = |error: &dyn std::error::Error| refused(file, format!("cannot be read as EPUB: {error}"));
    let book = Epub::read(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let title = book.metadata().title().map(|title| title.value().trim().to_owned());
    let title = title.filter(|title| !title.is_empty());
    let (mut text, mut headings, mut blocks) = (String::new(), Vec::new(), Vec::new());
    for chapter in book.reader() {
        let chapter = chapter.map_err(|error| broken(&error))?;
        if chapter.manifest_entry().properties().has_property("nav") {
            continue;
        }
        let chapter = html::document("", chapter.content());
        if chapter.text.trim().is_empty() && chapter.title.is_empty() {
            continue;
        }
        let is_named = !chapter.title.is_empty() && Some(&chapter.title) != title.as_ref();
        if is_named {
            headings.push((Span::new(text.len(), text.len() + chapter.title.len()), 1));
            text.extend([&chapter.title, "\n\n"]);
        }
        let above = Span::new(text.len(), 0).start;
        let deeper = |level: u8| {
            if level == LISTED {
                LISTED
            } else {
                level + u8::from(is_named)
            }
        };
        let own = chapter.layout.headings.iter();
        headings.extend(own.map(|heading| (heading.span.moved(above), deeper(heading.level))));
        blocks.extend(chapter.layout.blocks.iter().map(|block| block.moved(above)));
        text.extend([&chapter.text, "\n\n"]);
    }
    if text.trim().is_empty() {
        return Err(refused(file, "no text in any chapter"));
    }
    let title = title.unwrap_or_else(|| stem(file).to_owned());
    let mut document = Document::new(title, text.trim_end(), origin(file, None, None));
    document.layout = Layout {
        blocks,
        ..Layout::with_headings(headings)
    };
    document.mark_lines();
    Ok(document.into())
}

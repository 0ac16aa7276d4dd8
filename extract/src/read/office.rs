//! Files of word processors, presentations and spreadsheets.

use super::pages::{self, Page};
use super::{Fields, Found, markdown, refused, rows};
use crate::error::FileError;
use undoc::render::{RenderOptions, to_markdown};
use undoc::{Block, Document, Error, FormatType};

/// What such a file holds: one document, for a presentation with its slides as pages; for a spreadsheet the rows of its
/// sheets. Cost O(bytes after decompression), which are bounded.
pub(super) fn read(file: &str, bytes: &[u8], fields: &Fields) -> Result<Found, FileError> {
    let broken = |error: Error| refused(file, told(&error));
    let parsed = undoc::parse_bytes(bytes).map_err(broken)?;
    let options = RenderOptions::new().with_images(false);
    match parsed.format {
        FormatType::Xlsx | FormatType::Xls => sheets(file, &parsed, fields),
        FormatType::Pptx | FormatType::Ppt => {
            let mut slides = Vec::new();
            for (number, mut section) in (1..).zip(parsed.sections) {
                // Its number in words.
                section.name = None;
                let alone = Document {
                    format: parsed.format,
                    sections: vec![section],
                    ..Document::default()
                };
                slides.push(Page::new(number, &to_markdown(&alone, &options).map_err(broken)?));
            }
            if slides.iter().all(Page::is_empty) {
                return Err(refused(file, "no text on any slide"));
            }
            Ok(pages::document(file, parsed.metadata.title, slides).into())
        }
        FormatType::Docx | FormatType::Doc => {
            let source = to_markdown(&parsed, &options).map_err(broken)?;
            if source.trim().is_empty() {
                return Err(refused(file, "empty; expected text"));
            }
            let title = parsed.metadata.title.filter(|title| Page::new(1, &source).says(title));
            Ok(markdown::paged(file, title, &source, Vec::new()).into())
        }
    }
}

fn sheets(file: &str, parsed: &Document, fields: &Fields) -> Result<Found, FileError> {
    let mut found = Found::default();
    for (number, section) in (1..).zip(&parsed.sections) {
        let name = section.name.clone().unwrap_or_else(|| number.to_string());
        let tables = section.content.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table.to_csv()),
            _ => None,
        });
        let sheet = rows::read(file, Some(&name), tables.collect::<String>().as_bytes(), b',', fields)?;
        found.documents.extend(sheet.documents);
        found.remarks.extend(sheet.remarks);
    }
    if found.documents.is_empty() {
        return Err(refused(file, "empty; expected rows"));
    }
    Ok(found)
}

fn told(error: &Error) -> String {
    match error {
        Error::Encrypted => "encrypted; expected a file that opens without a password: save it so".to_owned(),
        other => format!("not what its name says, or damaged: {other}"),
    }
}

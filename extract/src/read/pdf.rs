//! PDF: its layer of text.

use super::pages::{self, Page};
use super::{Found, refused};
use crate::error::FileError;
use unpdf::render::{RenderOptions, to_markdown};
use unpdf::{Document, Error, ParseOptions, PdfParser};

/// One document of a PDF, and what is missing of it or may be wrong. Cost O(bytes), and more where its fonts and lines are many.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Found, FileError> {
    let parser = PdfParser::from_bytes_with_options(bytes, ParseOptions::new().sequential());
    let parsed = parser.and_then(|parser| parser.parse());
    let mut parsed = parsed.map_err(|error| refused(file, told(&error)))?;
    let quality = parsed.extraction_quality.clone();
    let is_turned = |page: &&unpdf::model::Page| 2 * page.rotated_text_runs > page.text_op_count;
    let n_turned = parsed.pages.iter().filter(is_turned).count();
    let mut pages = Vec::new();
    for page in std::mem::take(&mut parsed.pages) {
        let number = page.number;
        let alone = Document {
            pages: vec![page],
            ..Document::default()
        };
        let markdown = to_markdown(&alone, &RenderOptions::new()).map_err(|error| refused(file, told(&error)))?;
        pages.push(Page::new(number, &markdown));
    }
    let n = pages.len();
    if n == 0 {
        return Err(refused(file, "cannot be read as PDF: it has no pages, or is damaged"));
    }
    let filled = parsed
        .form_fields
        .iter()
        .map(|field| (&field.name, field.display_value()));
    let filled = filled.filter(|(_, value)| value.contains(char::is_alphanumeric));
    let filled: Vec<String> = filled.map(|(name, value)| format!("{name}: {value}")).collect();
    if let Some(last) = pages.last_mut() {
        last.push(filled);
    }
    if pages.iter().all(Page::is_empty) {
        let advice = "where they are scanned, have them read first, for example with `ocrmypdf in.pdf out.pdf`";
        return Err(refused(file, format!("no text on any of {n} pages; {advice}")));
    }
    let n_blank = pages.iter().filter(|page| page.is_empty()).count();
    let mut missing = Vec::new();
    if n_blank > 0 && quality.is_scan_pdf {
        missing.push(format!("{n_blank} of {n} pages have no text"));
    }
    if n_turned > 0 {
        missing.push(format!(
            "text stands turned on {n_turned} of {n} pages, and its lines may be out of order"
        ));
    }
    if quality.suppressed_text_runs > 0 {
        let runs = quality.suppressed_text_runs;
        missing.push(format!("pieces of text in fonts that tell no letters: {runs}"));
    }
    if quality.pages_incomplete || quality.undecodable_content_streams > 0 {
        missing.push("the file is damaged, and parts of it are lost".to_owned());
    }
    let remark = (!missing.is_empty()).then(|| format!("{file}: {}", missing.join("; ")));
    Ok(Found {
        documents: vec![pages::document(file, parsed.metadata.title, pages)],
        remarks: remark.into_iter().collect(),
    })
}

fn told(error: &Error) -> String {
    match error {
        Error::Encrypted | Error::InvalidPassword => {
            "encrypted; expected a PDF that opens without a password: save it so, for example with `qpdf --decrypt`"
                .to_owned()
        }
        other => format!("cannot be read as PDF: {other}"),
    }
}

//! Where a sentence stands in the files that are written.

use super::Sealed;
use crate::anonymise::path::Reading;
use anyhow::Result;
use banyan::eval::anonyrag::GoldPlace;
use banyan_engine::{Document, DocumentId, Knowledge};
use banyan_extract::read;
use std::collections::BTreeMap;

/// The documents of a knowledge as the files that are written hold them.
pub(super) struct Places<'a> {
    reading: &'a Reading,
    /// By position in the knowledge: file and document as they will be read again.
    written: Vec<Option<(String, Document)>>,
}

impl<'a> Places<'a> {
    /// Reads every file as it was and as it will be, and pairs their documents. Cost O(total length).
    pub(super) fn new(knowledge: &Knowledge, reading: &'a Reading, files: &[Sealed]) -> Result<Self> {
        let mut written: BTreeMap<DocumentId, (String, Document)> = BTreeMap::new();
        for file in files {
            let old = read::parse(&file.file, file.raw.clone().into_bytes())?;
            let new = read::parse(&file.anonymised, file.text.clone().into_bytes())?;
            for (old, new) in old.into_iter().zip(new) {
                written.entry(old.id).or_insert((file.anonymised.clone(), new));
            }
        }
        let documents = knowledge.documents.iter();
        Ok(Self {
            reading,
            written: documents.map(|document| written.remove(&document.id)).collect(),
        })
    }

    /// The place of bytes `start..end` of a document's anonymised text; `None` where the file has them no more, because a
    /// tag became part of its markup.
    pub(super) fn find(&self, (document, start, end): (usize, usize, usize)) -> Option<GoldPlace> {
        let (file, written) = self.written.get(document)?.as_ref()?;
        let text = &self.reading.text(document).text;
        let quote = text.get(start..end)?;
        let start = if written.text == *text {
            start
        } else {
            written.text.find(quote)?
        };
        Some(GoldPlace {
            file: file.clone(),
            record: written.origins.first().and_then(|origin| origin.record.clone()),
            start,
            end: start + quote.len(),
            quote: quote.to_owned(),
        })
    }
}

//! Who reads the facts: the embedded rules, or what a recording states.

use crate::corpus;
use crate::progress::Progress;
use crate::render::count;
use anyhow::{Context, Result};
use banyan_engine::{Document, DocumentId, StatedAt};
use banyan_extract::Extractor;
use banyan_extract::recorded::Recording;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Identity of the embedded extractor, as stores record it.
const EMBEDDED: &str = "embedded";
/// What comes before the file of a recording.
const RECORDED: &str = "recorded:";

/// Who the user wants to read the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The rules of the program.
    Embedded,
    /// What another system said, in a file.
    Recorded(PathBuf),
}

impl FromStr for Reader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(RECORDED) {
            Some("") => Err("expected a file after `recorded:`".to_owned()),
            Some(file) => Ok(Self::Recorded(PathBuf::from(file))),
            None if text == EMBEDDED => Ok(Self::Embedded),
            None => Err("expected `embedded` or `recorded:FILE`".to_owned()),
        }
    }
}

/// What was stated about the documents of a corpus, and by whom.
#[derive(Clone, Debug)]
pub(crate) struct Statements {
    /// The extractor's identity.
    pub(crate) extractor: String,
    /// By document; empty for the embedded extractor.
    pub(crate) by_document: BTreeMap<DocumentId, Vec<StatedAt>>,
}

impl Statements {
    /// What the embedded rules need: nothing.
    pub(crate) fn embedded() -> Self {
        Self {
            extractor: EMBEDDED.to_owned(),
            by_document: BTreeMap::new(),
        }
    }

    /// Gathers what `reader` states of `documents`.
    pub(crate) fn gather(reader: &Reader, documents: &[Document], progress: Progress) -> Result<Self> {
        match reader {
            Reader::Embedded => Ok(Self::embedded()),
            Reader::Recorded(file) => Self::recorded(file, documents, progress),
        }
    }

    fn recorded(file: &Path, documents: &[Document], progress: Progress) -> Result<Self> {
        let name = corpus::name(file);
        let text = fs::read_to_string(file).with_context(|| {
            format!("nothing was built; name the recording with --extractor recorded:FILE: {name}: cannot read")
        })?;
        let recording = Recording::parse(&name, &text)?;
        let laid = recording.lay(&name, documents)?;
        let silent = documents.len() - laid.statements.len();
        progress.remark(&format!(
            "{name}: {} stated, {} of the recording malformed and passed over, {} without a document, {} without a statement",
            count(laid.statements.len(), "document"),
            count(recording.n_malformed, "item"),
            count(laid.n_unmatched, "line"),
            count(silent, "document"),
        ));
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            extractor: format!("{RECORDED}{file_name}"),
            by_document: laid.statements,
        })
    }

    /// Forgets what was stated of documents that are gone, and tells how many of the rest nothing is stated of.
    pub(crate) fn keep(&mut self, documents: &[Document], progress: Progress) {
        let kept: BTreeSet<DocumentId> = documents.iter().map(|document| document.id).collect();
        self.by_document.retain(|id, _| kept.contains(id));
        let silent = documents.len() - self.by_document.len();
        if self.extractor != EMBEDDED && silent > 0 {
            progress.remark(&format!(
                "{} says nothing of {}",
                self.extractor,
                count(silent, "document")
            ));
        }
    }

    /// Who reads.
    pub(crate) fn extractor(&self) -> Extractor<'_> {
        if self.extractor == EMBEDDED {
            Extractor::Embedded
        } else {
            Extractor::Stated(&self.by_document)
        }
    }
}

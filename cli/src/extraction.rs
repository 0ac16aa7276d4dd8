//! Who reads the facts: the embedded rules, a recording, or a language model.

use crate::config::{LLM, Llm};
use crate::corpus;
use crate::environment::Environment;
use crate::language::Spent;
use crate::progress::counted;
use anyhow::{Context, Result};
use banyan_engine::stated::Quarantine;
use banyan_engine::{Document, DocumentId, StatedAt};
use banyan_extract::Extractor;
use banyan_extract::recorded::Recording;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

mod model;

pub(crate) use model::Asking;
pub use model::ExtractionPlan;

/// Identity of the embedded extractor, as stores record it.
const EMBEDDED: &str = "embedded";
/// What comes before the file of a recording.
const RECORDED: &str = "recorded:";

/// Who the user wants to read the facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExtractorKind {
    /// The rules of the program.
    #[default]
    Embedded,
    /// What another system said, in a file.
    Recorded(PathBuf),
    /// The configured language model.
    Llm,
}

impl FromStr for ExtractorKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(RECORDED) {
            Some("") => Err("expected a file after `recorded:`".to_owned()),
            Some(file) => Ok(Self::Recorded(PathBuf::from(file))),
            None if text == EMBEDDED => Ok(Self::Embedded),
            None if text == LLM => Ok(Self::Llm),
            None => Err("expected `embedded`, `llm` or `recorded:FILE`".to_owned()),
        }
    }
}

/// What was stated about the documents of a corpus, and by whom.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The extractor's identity.
    pub extractor: String,
    /// By document; empty for the embedded extractor.
    pub by_document: BTreeMap<DocumentId, Vec<StatedAt>>,
    /// Stretches of text without a usable statement.
    pub quarantine: Vec<Quarantine>,
    /// What asking a model took.
    pub spent: Spent,
}

impl Statements {
    /// What the embedded rules need: nothing.
    pub fn embedded() -> Self {
        Self {
            extractor: EMBEDDED.to_owned(),
            by_document: BTreeMap::new(),
            quarantine: Vec::new(),
            spent: Spent::default(),
        }
    }

    /// Gathers what `reader` states of `documents`.
    ///
    /// # Errors
    /// When a recording cannot be read, or a model cannot be had.
    pub fn gather(reader: &ExtractorKind, documents: &[Document], asking: &Asking) -> Result<Self> {
        match reader {
            ExtractorKind::Embedded => Ok(Self::embedded()),
            ExtractorKind::Recorded(file) => Self::recorded(file, documents, asking.env),
            ExtractorKind::Llm => {
                let mut statements = Self {
                    extractor: Llm::name(asking.env)?,
                    ..Self::embedded()
                };
                asking.ask(documents, &mut statements)?;
                Ok(statements)
            }
        }
    }

    /// Whether a language model reads.
    pub fn is_by_model(&self) -> bool {
        self.extractor.starts_with(LLM)
    }

    fn recorded(file: &Path, documents: &[Document], env: &Environment) -> Result<Self> {
        let name = corpus::name(file);
        let text = fs::read_to_string(file).with_context(|| {
            format!("nothing was built; name the recording with --extractor recorded:FILE: {name}: cannot read")
        })?;
        let recording = Recording::parse(&name, &text)?;
        let laid = recording.lay(&name, documents)?;
        let silent = documents.len() - laid.statements.len();
        env.progress.remark(&format!(
            "{name}: {} stated, {} of the recording malformed and passed over, {} without a document, {} without a statement",
            counted(laid.statements.len(), "document"),
            counted(recording.n_malformed, "item"),
            counted(laid.n_unmatched, "line"),
            counted(silent, "document"),
        ));
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            extractor: format!("{RECORDED}{file_name}"),
            by_document: laid.statements,
            ..Self::embedded()
        })
    }

    /// Forgets what was stated of documents that are gone, and asks a model about those that are new. A recording says
    /// nothing of them, which is told.
    ///
    /// # Errors
    /// When a model that is asked cannot be had.
    pub fn follow(&mut self, documents: &[Document], asking: &Asking) -> Result<()> {
        let kept: BTreeSet<DocumentId> = documents.iter().map(|document| document.id).collect();
        self.by_document.retain(|id, _| kept.contains(id));
        self.quarantine.retain(|stretch| kept.contains(&stretch.document));
        let is_new = |document: &&Document| !self.by_document.contains_key(&document.id);
        let n_new = documents.iter().filter(is_new).count();
        if n_new == 0 || self.is_embedded() {
            return Ok(());
        }
        if self.is_by_model() {
            return asking.ask(documents, self);
        }
        let silent = counted(n_new, "document");
        asking
            .env
            .progress
            .remark(&format!("{} says nothing of {silent}", self.extractor));
        Ok(())
    }

    /// Who reads.
    pub fn extractor(&self) -> Extractor<'_> {
        if self.is_embedded() {
            Extractor::Embedded
        } else {
            Extractor::Stated(&self.by_document)
        }
    }

    fn is_embedded(&self) -> bool {
        self.extractor == EMBEDDED
    }
}

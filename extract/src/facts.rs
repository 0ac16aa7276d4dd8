//! Who says what a document states.

use crate::attributes::attributes;
use crate::bind::bind;
use crate::clause::Clause;
use crate::context::{Context, Facts};
use crate::labelled::fields;
use crate::learned::RelationModel;
use crate::lexicon::Lexicon;
use crate::reading::Reading;
use crate::relation::Sentence;
use crate::telling::{Telling, is_parsed};
use crate::triples::triples;
use banyan_engine::fact::Basis;
use banyan_engine::{Contribution, DocumentId, StatedAt};
use std::collections::BTreeMap;

/// Who says what a document states.
#[derive(Clone, Copy, Debug)]
pub enum Extractor<'a> {
    /// This crate, without a language model.
    Embedded,
    /// The same, where what it read before of a document stands here: it is taken over where nothing of what that was read
    /// from has changed. What was stated of a document stands in place of what would be read of it.
    Again {
        /// What was read.
        known: &'a BTreeMap<DocumentId, Contribution>,
        /// What was stated, of some documents.
        stated: &'a BTreeMap<DocumentId, Vec<StatedAt>>,
    },
    /// The same with other weights than those that ship.
    Trained(&'a RelationModel),
    /// A language model or a recording, whose statements about each document stand here; a document without an entry
    /// states nothing.
    Stated(&'a BTreeMap<DocumentId, Vec<StatedAt>>),
}

impl<'a> Extractor<'a> {
    /// What was stated of a document from outside.
    pub(crate) fn statements(self, document: DocumentId) -> &'a [StatedAt] {
        match self {
            Self::Embedded | Self::Trained(_) => &[],
            Self::Again {
                stated: by_document, ..
            }
            | Self::Stated(by_document) => by_document.get(&document).map_or(&[], Vec::as_slice),
        }
    }

    /// What was learned of relations.
    pub(crate) fn model(self) -> &'a RelationModel {
        match self {
            Self::Trained(model) => model,
            Self::Embedded | Self::Again { .. } | Self::Stated(_) => RelationModel::built_in(),
        }
    }

    /// Whether what it says depends on nothing but texts and the schema, wherever nothing was stated.
    pub(crate) fn is_of_text_alone(self) -> bool {
        matches!(self, Self::Embedded | Self::Again { .. })
    }

    /// What was read of a document before from the same.
    pub(crate) fn known(self, document: DocumentId, basis: Option<Basis>) -> Option<&'a Contribution> {
        let Self::Again { known, .. } = self else { return None };
        let known = known.get(&document).filter(|known| known.basis == basis);
        known.filter(|known| known.basis.is_some())
    }

    /// The facts of one document.
    pub(crate) fn facts(self, reading: &Reading, context: &Context, lexicon: &Lexicon) -> Facts {
        let statements = self.statements(reading.parsed.document.id);
        if statements.is_empty() && !matches!(self, Self::Stated(_)) {
            read(reading, context)
        } else {
            bind(reading, statements, context, lexicon)
        }
    }
}

/// The facts that are found sentence by sentence.
fn read(reading: &Reading, context: &Context) -> Facts {
    let Context {
        schema, phrases, types, ..
    } = context;
    let telling = Telling::new(reading, context);
    let mut facts = Facts::default();
    for sentence in telling.sentences() {
        if is_parsed(sentence) {
            Sentence::new(sentence, &telling).state(&mut facts);
            continue;
        }
        let clause = Clause::new(reading.parsed, sentence, &telling.mentions, &telling.own);
        triples(&clause, schema, phrases, types, &mut facts);
        facts.attributes.extend(attributes(&clause, schema, phrases));
    }
    fields(&telling, &mut facts);
    facts
}

/// Shows each parsed sentence of a document to `learn`.
pub(crate) fn observe(reading: &Reading, context: &Context, mut learn: impl FnMut(&Sentence)) {
    let telling = Telling::new(reading, context);
    for sentence in telling.sentences().filter(|sentence| is_parsed(sentence)) {
        learn(&Sentence::new(sentence, &telling));
    }
}

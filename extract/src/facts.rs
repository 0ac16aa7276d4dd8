//! Who says what a document states.

use crate::attributes::attributes;
use crate::bind::bind;
use crate::clause::Clause;
use crate::context::{Context, Facts};
use crate::learned::RelationModel;
use crate::reading::Reading;
use crate::relation::Sentence;
use crate::telling::{Telling, is_parsed};
use crate::triples::triples;
use banyan_engine::{DocumentId, StatedAt};
use std::collections::BTreeMap;

/// Who says what a document states.
#[derive(Clone, Copy, Debug)]
pub enum Extractor<'a> {
    /// This crate, without a language model.
    Embedded,
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
            Self::Stated(by_document) => by_document.get(&document).map_or(&[], Vec::as_slice),
        }
    }

    /// What was learned of relations.
    pub(crate) fn model(self) -> &'a RelationModel {
        match self {
            Self::Trained(model) => model,
            Self::Embedded | Self::Stated(_) => RelationModel::built_in(),
        }
    }

    /// The facts of one document.
    pub(crate) fn facts(self, reading: &Reading, context: &Context) -> Facts {
        match self {
            Self::Embedded | Self::Trained(_) => read(reading, context),
            Self::Stated(_) => bind(reading, self.statements(reading.parsed.document.id), context),
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
        let clause = Clause::new(reading.parsed, sentence, &telling.mentions, telling.own);
        triples(&clause, schema, phrases, types, &mut facts);
        facts.attributes.extend(attributes(&clause, schema, phrases));
    }
    facts
}

/// Shows each parsed sentence of a document to `learn`.
pub(crate) fn observe(reading: &Reading, context: &Context, mut learn: impl FnMut(&Sentence)) {
    let telling = Telling::new(reading, context);
    for sentence in telling.sentences().filter(|sentence| is_parsed(sentence)) {
        learn(&Sentence::new(sentence, &telling));
    }
}

//! Who says what a document states.

use crate::attributes::attributes;
use crate::bind::bind;
use crate::clause::{Clause, within};
use crate::context::{Context, Facts};
use crate::grammar::Dependency;
use crate::reading::Reading;
use crate::relation;
use crate::triples::triples;
use banyan_engine::{DocumentId, Mention, StatedAt};
use std::collections::BTreeMap;

/// Who says what a document states.
#[derive(Clone, Copy, Debug)]
pub enum Extractor<'a> {
    /// The rules of this crate: no model.
    Embedded,
    /// A language model or a recording, whose statements about each document stand here; a document without an entry
    /// states nothing.
    Stated(&'a BTreeMap<DocumentId, Vec<StatedAt>>),
}

impl<'a> Extractor<'a> {
    /// What was stated of a document from outside.
    pub(crate) fn statements(self, document: DocumentId) -> &'a [StatedAt] {
        match self {
            Self::Embedded => &[],
            Self::Stated(by_document) => by_document.get(&document).map_or(&[], Vec::as_slice),
        }
    }

    /// The facts of one document.
    pub(crate) fn facts(self, reading: &Reading, context: &Context) -> Facts {
        match self {
            Self::Embedded => read(reading, context),
            Self::Stated(_) => bind(reading, self.statements(reading.parsed.document.id), context),
        }
    }
}

/// The facts that rules find, sentence by sentence.
fn read(reading: &Reading, context: &Context) -> Facts {
    let Context {
        schema,
        phrases,
        types,
        modifiers,
        ..
    } = context;
    let telling: Vec<Mention> = reading
        .mentions
        .iter()
        .filter(|mention| !modifiers.contains(&mention.entity))
        .cloned()
        .collect();
    let mut facts = Facts::default();
    let own = if reading.is_about_title {
        reading.own.as_str()
    } else {
        ""
    };
    for sentence in &reading.parsed.sentences {
        if reading.parsed.is_heading(sentence.0) || reading.parsed.is_code(sentence.0) {
            continue;
        }
        if sentence.1.iter().any(|word| word.dependency != Dependency::Other) {
            let named: Vec<&Mention> = within(&telling, sentence.0).collect();
            relation::read(sentence, &named, reading, context, &mut facts);
            continue;
        }
        let clause = Clause::new(reading.parsed, sentence, &telling, own);
        triples(&clause, schema, phrases, types, &mut facts);
        facts.attributes.extend(attributes(&clause, schema, phrases));
    }
    facts
}

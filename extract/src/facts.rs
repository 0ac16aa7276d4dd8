//! What a document states, whoever read it, and what is known while it is read.

use crate::attributes::attributes;
use crate::bind::bind;
use crate::clause::Clause;
use crate::compiled::SentenceReader;
use crate::lexicon::Lexicon;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::triples::triples;
use crate::types::Types;
use banyan_engine::{AttributeClaim, DocumentId, EntityClaim, Mention, Schema, StatedAt, TripleClaim, UnboundClaim};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the whole corpus when the facts of a document are read.
pub(crate) struct Context<'a> {
    /// What bounds extraction.
    pub(crate) schema: &'a Schema,
    pub(crate) phrases: &'a Phrases,
    pub(crate) types: &'a Types,
    pub(crate) lexicon: &'a Lexicon,
    /// Names that modify and so state nothing.
    pub(crate) modifiers: &'a BTreeSet<String>,
}

/// What a document states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) entities: Vec<EntityClaim>,
    pub(crate) triples: Vec<TripleClaim>,
    pub(crate) attributes: Vec<AttributeClaim>,
    pub(crate) unbound: Vec<UnboundClaim>,
    /// Names beyond those that are linked.
    pub(crate) mentions: Vec<Mention>,
}

impl Facts {
    /// Both.
    fn and(mut self, mut more: Self) -> Self {
        self.entities.append(&mut more.entities);
        self.triples.append(&mut more.triples);
        self.attributes.append(&mut more.attributes);
        self.unbound.append(&mut more.unbound);
        self.mentions.append(&mut more.mentions);
        self
    }
}

/// Who says what a document states.
#[derive(Clone, Copy, Debug)]
pub enum Extractor<'a> {
    /// The rules of this crate: no model.
    Embedded,
    /// The same rules, and beside them what a compiled extractor reads.
    Compiled(&'a SentenceReader),
    /// A language model or a recording, whose statements about each document stand here; a document without an entry
    /// states nothing.
    Stated(&'a BTreeMap<DocumentId, Vec<StatedAt>>),
}

impl<'a> Extractor<'a> {
    /// What was stated of a document from outside.
    pub(crate) fn statements(self, document: DocumentId) -> &'a [StatedAt] {
        match self {
            Self::Embedded | Self::Compiled(_) => &[],
            Self::Stated(by_document) => by_document.get(&document).map_or(&[], Vec::as_slice),
        }
    }

    /// The facts of one document.
    pub(crate) fn facts(self, reading: &Reading, context: &Context) -> Facts {
        match self {
            Self::Embedded => read(reading, context),
            Self::Compiled(reader) => {
                let rules = read(reading, context);
                let read = reader.read(reading, context, &rules);
                rules.and(read)
            }
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
    for sentence in &reading.parsed.sentences {
        let clause = Clause::new(reading.parsed, sentence, &telling, &reading.own);
        facts.triples.extend(triples(&clause, schema, phrases, types));
        facts.attributes.extend(attributes(&clause, schema, phrases));
    }
    facts
}

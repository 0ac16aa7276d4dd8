//! Who says what a document states.

use crate::attributes::attributes;
use crate::bind::bind;
use crate::clause::{Clause, within};
use crate::context::{Context, Facts};
use crate::grammar::Dependency;
use crate::learned::RelationModel;
use crate::reading::Reading;
use crate::relation::Sentence;
use crate::triples::triples;
use crate::word::Word;
use banyan_engine::{DocumentId, Mention, Span, StatedAt};
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
    let telling = telling(reading, context);
    let mut facts = Facts::default();
    let own = if reading.is_about_title {
        reading.own.as_str()
    } else {
        ""
    };
    for sentence in stating(reading) {
        if is_parsed(sentence) {
            let named: Vec<&Mention> = within(&telling, sentence.0).collect();
            Sentence::new(sentence, &named, reading, context).state(&mut facts);
            continue;
        }
        let clause = Clause::new(reading.parsed, sentence, &telling, own);
        triples(&clause, schema, phrases, types, &mut facts);
        facts.attributes.extend(attributes(&clause, schema, phrases));
    }
    facts
}

/// Shows each parsed sentence of a document to `learn`.
pub(crate) fn observe(reading: &Reading, context: &Context, mut learn: impl FnMut(&Sentence)) {
    let telling = telling(reading, context);
    for sentence in stating(reading).filter(|sentence| is_parsed(sentence)) {
        let named: Vec<&Mention> = within(&telling, sentence.0).collect();
        learn(&Sentence::new(sentence, &named, reading, context));
    }
}

/// The mentions that may state something.
fn telling(reading: &Reading, context: &Context) -> Vec<Mention> {
    let mentions = reading.mentions.iter();
    let tells = |mention: &&Mention| !context.modifiers.contains(&mention.entity);
    mentions.filter(tells).cloned().collect()
}

/// The sentences that state something.
fn stating<'a>(reading: &'a Reading) -> impl Iterator<Item = &'a (Span, Vec<Word>)> {
    let Reading { parsed, .. } = reading;
    let sentences = parsed.sentences.iter();
    let is_prose = |span| !parsed.is_heading(span) && !parsed.is_code(span) && !parsed.is_foreign(span);
    sentences.filter(move |sentence| is_prose(sentence.0))
}

fn is_parsed(sentence: &(Span, Vec<Word>)) -> bool {
    sentence.1.iter().any(|word| word.dependency != Dependency::Other)
}

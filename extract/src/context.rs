//! What is known of a whole corpus, what of that the facts of one document are read with, and the facts.

use crate::learned::{Element, RelationModel};
use crate::lexicon::Lexicon;
use crate::pattern::Patterns;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::types::{AllTypes, Types};
use crate::word::opens;
use banyan_engine::fact::EntityKey;
use banyan_engine::{AttributeClaim, EntityClaim, LooseClaim, Mention, Schema, TripleClaim, UnboundClaim};
use std::collections::BTreeSet;

/// What is known of the whole corpus before facts are read.
pub(crate) struct Corpus<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) types: AllTypes,
    /// With the modifiers of all documents, and neither types nor verbs.
    pub(crate) whole: Context<'a>,
}

impl<'a> Corpus<'a> {
    /// What a document is read with, of which something is stated from outside of these names. Cost O(length · log names).
    pub(crate) fn of<'n>(&self, reading: &Reading, stated: impl Iterator<Item = &'n str>) -> Context<'a> {
        let stated: Vec<EntityKey> = stated.map(|name| reading.entity_of(name, self.lexicon)).collect();
        let mentioned = reading.mentions.iter().map(|mention| &mention.entity);
        let claimed = reading.entities.iter().map(|claim| &claim.entity);
        let own = [&reading.own].into_iter().chain(&stated);
        let keys: BTreeSet<&EntityKey> = mentioned.chain(claimed).chain(own).collect();
        let modifiers = keys.iter().filter_map(|key| self.whole.modifiers.get(*key)).cloned();
        Context {
            modifiers: modifiers.collect(),
            types: self.types.of(&keys),
            verbs: self.verbs(reading),
            ..self.whole
        }
    }

    fn verbs(&self, reading: &Reading) -> BTreeSet<String> {
        let (text, cases) = (reading.parsed.text(), self.lexicon.cases());
        let sentences = reading.parsed.sentences.iter();
        let opening = sentences.flat_map(|(_, words)| {
            let opening = (0..words.len()).filter(|at| opens(text, words, *at));
            opening.map(|at| words[at].of(text).to_lowercase())
        });
        opening.filter(|word| cases.is_verb(word)).collect()
    }
}

/// What the facts of one document are read with: of the corpus what concerns its names and words and nothing else, so
/// that the facts are as they were where this is.
pub(crate) struct Context<'a> {
    /// What bounds extraction.
    pub(crate) schema: &'a Schema,
    pub(crate) phrases: &'a Phrases,
    pub(crate) patterns: &'a Patterns,
    /// What was learned of relations.
    pub(crate) model: &'a RelationModel,
    /// For each relation that it has learned what the schema has for it.
    pub(crate) served: &'a [Vec<Element>],
    /// What is known of claims that turn out true.
    pub(crate) trust: &'a RelationModel,
    /// Of what it mentions.
    pub(crate) types: Types,
    /// What it mentions that modifies and so states nothing.
    pub(crate) modifiers: BTreeSet<EntityKey>,
    /// The words in lower case that open its sentences and are mostly verbs.
    pub(crate) verbs: BTreeSet<String>,
}

/// What a document states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) entities: Vec<EntityClaim>,
    /// Beyond those of the reading.
    pub(crate) mentions: Vec<Mention>,
    pub(crate) triples: Vec<TripleClaim>,
    pub(crate) loose: Vec<LooseClaim>,
    pub(crate) attributes: Vec<AttributeClaim>,
    pub(crate) unbound: Vec<UnboundClaim>,
}

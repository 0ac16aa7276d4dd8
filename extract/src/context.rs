//! What is known of the whole corpus while a document's facts are read, and the facts.

use crate::learned::{Element, RelationModel};
use crate::lexicon::Lexicon;
use crate::pattern::Patterns;
use crate::phrase::Phrases;
use crate::types::Types;
use banyan_engine::{AttributeClaim, EntityClaim, LooseClaim, Mention, Schema, TripleClaim, UnboundClaim};
use std::collections::BTreeSet;

/// What is known of the whole corpus when the facts of a document are read.
pub(crate) struct Context<'a> {
    /// What bounds extraction.
    pub(crate) schema: &'a Schema,
    pub(crate) phrases: &'a Phrases,
    pub(crate) patterns: &'a Patterns,
    /// What was learned of relations.
    pub(crate) model: &'a RelationModel,
    /// For each relation that it has learned what the schema has for it.
    pub(crate) served: Vec<Vec<Element>>,
    /// What is known of claims that turn out true.
    pub(crate) trust: &'a RelationModel,
    pub(crate) types: &'a Types,
    pub(crate) lexicon: &'a Lexicon,
    /// Names that modify and so state nothing.
    pub(crate) modifiers: &'a BTreeSet<String>,
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

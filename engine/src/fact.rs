//! What one document contributes, in the words of the text: the stored form from which the graph is assembled.
//!
//! A contribution names entities by key, never by position, so that removing a document removes exactly what it said.

use crate::document::{Span, one_line};
use crate::id::DocumentId;
use crate::schema::{AttributeId, ElementKind, RelationId, TypeId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An entity's identity across documents: its normalised name (see [`crate::name::key`]). Whatever names an entity may share
/// it: a corpus names the same ones again and again.
pub type EntityKey = Arc<str>;

/// One place where a document names an entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mention {
    /// Where; within the text, or the empty span at 0 for the title.
    pub span: Span,
    /// Which entity.
    pub entity: EntityKey,
    /// How sure the link is, `0..=100`: 100 for a full name, less for a shortened or ambiguous one.
    pub certainty: u8,
    /// Whether the text uses it as a term ("the river"), which stands for whichever of its kind, and not as a name.
    pub is_term: bool,
}

/// A document's say on what an entity is called and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityClaim {
    /// Which entity.
    pub entity: EntityKey,
    /// The name as the text writes it; empty for a claim on its type alone.
    pub name: Arc<str>,
    /// Its type, where the text shows one.
    pub entity_type: Option<TypeId>,
    /// Where the text shows it.
    pub span: Span,
    /// Whether the document is about this entity (its title names it).
    pub is_subject: bool,
}

/// `(head, relation, tail)` as one place of a text states it (Eq. 2, Youtu-GraphRAG).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TripleClaim {
    /// Subject.
    pub head: EntityKey,
    /// Relation type.
    pub relation: RelationId,
    /// Object.
    pub tail: EntityKey,
    /// The words that state the relation.
    pub phrase: String,
    /// The clause it was read from.
    pub span: Span,
}

/// Two entities that one place of a text joins by words for which no relation stands: no fact, but an association.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LooseClaim {
    /// The one named first.
    pub head: EntityKey,
    /// The other one.
    pub tail: EntityKey,
    /// The words between, in lower case.
    pub phrase: String,
    /// Where.
    pub span: Span,
}

/// `(entity, attribute, value)` as one place of a text states it (Eq. 2, Youtu-GraphRAG).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AttributeClaim {
    /// Which entity.
    pub entity: EntityKey,
    /// Attribute type.
    pub attribute: AttributeId,
    /// The value as the text writes it.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement for which the schema has no place, in its own words: no part of the graph, but what a schema may grow by
/// (Eq. 3, Youtu-GraphRAG).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnboundClaim {
    /// What has no place; for an entity's type there is no object.
    pub kind: ElementKind,
    /// The type, relation or attribute, as it was stated.
    pub word: String,
    /// The entity it is stated of.
    pub subject: EntityKey,
    /// The other entity's name, or the value; empty for a type.
    pub object: String,
    /// Where.
    pub span: Span,
}

/// Digest of all that a document was read with.
pub type Basis = [u8; 8];

/// Everything one document says. Lists are sorted and free of repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// Which document.
    pub document: DocumentId,
    /// What it was read from, by the same extractor: where that is equal, so is the rest. None where a document has to be
    /// read again whenever anything changes.
    pub basis: Option<Basis>,
    /// The chunks it was cut into, in text order, with their length in tokens.
    pub chunks: Vec<(Span, u32)>,
    /// The sentences within which names stand side by side, in text order.
    pub sentences: Vec<Span>,
    /// Where the first sentence of its text ends; 0 where there is none.
    pub opening: u32,
    /// Names and types of entities.
    pub entities: Vec<EntityClaim>,
    /// Places where entities are named.
    pub mentions: Vec<Mention>,
    /// Relations between entities.
    pub triples: Vec<TripleClaim>,
    /// What joins entities without being a relation.
    pub loose: Vec<LooseClaim>,
    /// Attributes of entities.
    pub attributes: Vec<AttributeClaim>,
    /// What the schema has no place for.
    pub unbound: Vec<UnboundClaim>,
}

impl Contribution {
    /// The empty contribution of a document.
    pub fn new(document: DocumentId) -> Self {
        Self {
            document,
            ..Self::default()
        }
    }

    /// Sorts every list and drops repetitions, so that equal contents are equal bytes; values are one line, however the
    /// text is broken.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        for claim in &mut self.attributes {
            claim.value = one_line(&claim.value);
        }
        tidy(&mut self.entities);
        tidy(&mut self.mentions);
        tidy(&mut self.triples);
        tidy(&mut self.loose);
        tidy(&mut self.attributes);
        tidy(&mut self.unbound);
        self
    }
}

fn tidy<T: Ord>(list: &mut Vec<T>) {
    list.sort();
    list.dedup();
    // There is one for every document.
    list.shrink_to_fit();
}

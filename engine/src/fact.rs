//! What one document contributes, in the words of the text: the stored form from which the graph is assembled.
//!
//! A contribution names entities by key, never by position, so that removing a document removes exactly what it said.

use crate::document::Span;
use crate::id::DocumentId;
use crate::schema::{AttributeId, Refusal, RelationId, TypeId};
use serde::{Deserialize, Serialize};

/// An entity's identity across documents: its normalised name (see [`crate::name::key`]).
pub type EntityKey = String;

/// One place where a document names an entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mention {
    /// Where; within the text, or the empty span at 0 for the title.
    pub span: Span,
    /// Which entity.
    pub entity: EntityKey,
    /// How sure the link is, `0..=100`: 100 for a full name, less for a shortened or ambiguous one.
    pub certainty: u8,
}

/// A document's say on what an entity is called and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityClaim {
    /// Which entity.
    pub entity: EntityKey,
    /// The name as the text writes it; empty for a claim on its type alone.
    pub name: String,
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

/// Everything one document says. Lists are sorted and free of repetition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// Which document.
    pub document: DocumentId,
    /// The chunks it was cut into, in text order, with their length in tokens.
    pub chunks: Vec<(Span, u32)>,
    /// Names and types of entities.
    pub entities: Vec<EntityClaim>,
    /// Places where entities are named.
    pub mentions: Vec<Mention>,
    /// Relations between entities.
    pub triples: Vec<TripleClaim>,
    /// Attributes of entities.
    pub attributes: Vec<AttributeClaim>,
    /// What an extractor stated in its own words and the schema does not admit.
    pub refused: Vec<Refusal>,
}

impl Contribution {
    /// The empty contribution of a document.
    pub fn new(document: DocumentId) -> Self {
        Self {
            document,
            chunks: Vec::new(),
            entities: Vec::new(),
            mentions: Vec::new(),
            triples: Vec::new(),
            attributes: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Sorts every list and drops repetitions, so that equal contents are equal bytes.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        self.entities.sort();
        self.entities.dedup();
        self.mentions.sort();
        self.mentions.dedup();
        self.triples.sort();
        self.triples.dedup();
        self.attributes.sort();
        self.attributes.dedup();
        self.refused.sort();
        self.refused.dedup();
        self
    }
}

//! What an outside extractor says of a text, in its own words, before any schema.
//!
//! A language model's reply and a recorded extraction both become this. It is kept in the store, so that a changed
//! schema, an added document or an edited decision binds it anew instead of asking again.

use crate::document::Span;
use crate::schema::{ElementKind, ValueKind};
use serde::{Deserialize, Serialize};

mod defect;
mod quarantine;

pub use defect::{Defect, DefectCounts, DefectKind};
pub use quarantine::{Quarantine, QuarantineReason};

/// The statements about one stretch of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatedAt {
    /// The stretch that was read.
    pub span: Span,
    /// What was said of it.
    pub stated: Stated,
    /// Its share of the tokens that saying it took; 0 for what cost none.
    pub tokens: u64,
}

/// What an outside extractor (a model's reply, a recording) says of one chunk, in its own words, before any schema.
///
/// Lists keep the order in which things were said. Names are not keys yet, and nothing is known to any schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stated {
    /// Things that were named, with a type where one was said.
    pub entities: Vec<StatedEntity>,
    /// Relations between two things.
    pub triples: Vec<StatedTriple>,
    /// Properties of one thing.
    pub attributes: Vec<StatedAttribute>,
    /// Schema elements that were proposed (Eq. 3, Youtu-GraphRAG).
    pub types: Vec<NewType>,
    /// What was wrong in the reply.
    pub defects: Vec<Defect>,
}

/// A thing and what kind of thing it is said to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StatedEntity {
    /// Its name.
    pub name: String,
    /// The name of its type, where one was said.
    pub entity_type: Option<String>,
}

/// `(head, relation, tail)` in the extractor's words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StatedTriple {
    /// Name of the subject.
    pub head: String,
    /// What holds between the two.
    pub relation: String,
    /// Name of the object.
    pub tail: String,
}

/// `(entity, attribute, value)` in the extractor's words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StatedAttribute {
    /// Name of the thing.
    pub entity: String,
    /// Which property.
    pub attribute: String,
    /// Its value, as written.
    pub value: String,
}

/// A schema element that the extractor misses (Eq. 3, Youtu-GraphRAG). A proposal only: nothing enters a schema here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewType {
    /// Which list it is for.
    pub kind: ElementKind,
    /// Its name, as proposed.
    pub name: String,
    /// What it means; empty where nothing was said.
    pub description: String,
    /// Types of the head, or of what an attribute is said of; empty where nothing was said.
    pub domain: Vec<String>,
    /// Types of the tail; empty where nothing was said, and for other kinds.
    pub range: Vec<String>,
    /// What values an attribute takes, where that was said.
    pub value: Option<ValueKind>,
}

impl Stated {
    /// How many facts are stated: triples and attributes. Entities and proposals are no facts.
    pub fn n_facts(&self) -> usize {
        self.triples.len() + self.attributes.len()
    }

    /// Whether nothing is stated; defects do not count.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.triples.is_empty() && self.attributes.is_empty() && self.types.is_empty()
    }
}

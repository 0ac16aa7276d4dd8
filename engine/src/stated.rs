//! What an outside extractor says of a text, in its own words, before any schema.
//!
//! A language model's reply and a recorded extraction both become this. It is kept in the store, so that a changed
//! schema, an added document or an edited decision binds it anew instead of asking again.

use crate::document::Span;
use serde::{Deserialize, Serialize};

/// The statements about one stretch of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedAt {
    /// The stretch that was read.
    pub span: Span,
    /// What was said of it.
    pub stated: Stated,
}

/// What an outside extractor says, unchecked against any schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// Entities.
    pub entities: Vec<StatedEntity>,
    /// Relations between entities.
    pub triples: Vec<StatedTriple>,
    /// Attributes of entities.
    pub attributes: Vec<StatedAttribute>,
}

/// An entity as it was stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedEntity {
    /// Its name.
    pub name: String,
    /// Its type, in the extractor's words.
    pub kind: Option<String>,
}

/// A triple as it was stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedTriple {
    /// Name of the subject.
    pub head: String,
    /// Relation, in the extractor's words.
    pub relation: String,
    /// Name of the object, or a value.
    pub tail: String,
}

/// An attribute as it was stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedAttribute {
    /// Name of the entity.
    pub entity: String,
    /// Attribute, in the extractor's words.
    pub attribute: String,
    /// Value.
    pub value: String,
}

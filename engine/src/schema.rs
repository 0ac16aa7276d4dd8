//! The schema `S = ⟨S_e, S_r, S_attr⟩` that bounds extraction (Eq. 1, Youtu-GraphRAG).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

mod file;

pub use file::SchemaError;
use file::SchemaFile;

/// The entity type that every schema has and that admits any entity.
pub const THING: &str = "thing";
/// The relation between any two things whose own relation the schema does not name.
pub const RELATED_TO: &str = "related_to";

macro_rules! schema_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(u16);

        impl $name {
            /// Position in the schema's list.
            pub fn index(self) -> usize {
                self.0.into()
            }
        }
    };
}

schema_id! {
    /// An entity type of one [`Schema`]; only a schema hands them out.
    TypeId
}
schema_id! {
    /// A relation of one [`Schema`]; only a schema hands them out.
    RelationId
}
schema_id! {
    /// An attribute of one [`Schema`]; only a schema hands them out.
    AttributeId
}

/// A kind of entity (`S_e`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityType {
    /// Name in `snake_case`.
    pub name: String,
    /// One sentence for people and models.
    #[serde(default)]
    pub description: String,
    /// Common nouns that denote the type in text.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A kind of fact between two entities (`S_r`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationType {
    /// Name in `snake_case`.
    pub name: String,
    /// One sentence for people and models.
    #[serde(default)]
    pub description: String,
    /// Types of the head; empty admits any.
    #[serde(default)]
    pub domain: Vec<String>,
    /// Types of the tail; empty admits any.
    #[serde(default)]
    pub range: Vec<String>,
    /// Phrases that state the relation in text.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The relation that says the same from the tail's side.
    #[serde(default)]
    pub inverse: Option<String>,
}

/// What values an attribute takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// Free text.
    Text,
    /// A bare number.
    Number,
    /// A calendar date or year.
    Date,
    /// A number with a unit.
    Quantity,
    /// One of a small set of words.
    Enum,
}

/// A kind of fact about one entity (`S_attr`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeType {
    /// Name in `snake_case`.
    pub name: String,
    /// One sentence for people and models.
    #[serde(default)]
    pub description: String,
    /// Types it can be said of; empty admits any.
    #[serde(default)]
    pub domain: Vec<String>,
    /// What values it takes.
    pub kind: ValueKind,
    /// The unit quantities are normalised to.
    #[serde(default)]
    pub unit: Option<String>,
    /// Phrases that introduce the value in text.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A checked schema: names are unique, every type that a domain, range or inverse names exists, and [`THING`] is a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SchemaFile", into = "SchemaFile")]
pub struct Schema {
    file: SchemaFile,
    types: BTreeMap<String, TypeId>,
    relations: BTreeMap<String, RelationId>,
    attributes: BTreeMap<String, AttributeId>,
    thing: TypeId,
}

impl Schema {
    /// Reads a schema from JSON.
    ///
    /// # Errors
    /// [`SchemaError`] with line and column where the JSON is wrong, or the name that is missing, repeated or unknown.
    pub fn from_json(json: &str) -> Result<Self, SchemaError> {
        let file: SchemaFile = serde_json::from_str(json)?;
        Self::try_from(file)
    }

    /// The built-in schema for encyclopaedic text.
    ///
    /// # Errors
    /// Never for the schema that ships; the error keeps callers honest.
    pub fn general() -> Result<Self, SchemaError> {
        Self::from_json(include_str!("../../data/schema/general.json"))
    }

    /// The schema's own name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Entity types in the order of their ids.
    pub fn entity_types(&self) -> &[EntityType] {
        &self.file.entity_types
    }

    /// Relations in the order of their ids.
    pub fn relations(&self) -> &[RelationType] {
        &self.file.relations
    }

    /// Attributes in the order of their ids.
    pub fn attributes(&self) -> &[AttributeType] {
        &self.file.attributes
    }

    /// The type of this name.
    pub fn type_id(&self, name: &str) -> Option<TypeId> {
        self.types.get(name).copied()
    }

    /// The relation of this name.
    pub fn relation_id(&self, name: &str) -> Option<RelationId> {
        self.relations.get(name).copied()
    }

    /// The attribute of this name.
    pub fn attribute_id(&self, name: &str) -> Option<AttributeId> {
        self.attributes.get(name).copied()
    }

    /// The type that admits any entity.
    pub fn thing(&self) -> TypeId {
        self.thing
    }

    /// A type's definition. Ids of another schema give the first type.
    pub fn entity_type(&self, id: TypeId) -> &EntityType {
        let list = &self.file.entity_types;
        list.get(id.index()).unwrap_or(&list[0])
    }

    /// A relation's name; empty for an id of another schema.
    pub fn relation_name(&self, id: RelationId) -> &str {
        self.file
            .relations
            .get(id.index())
            .map_or("", |relation| &relation.name)
    }

    /// An attribute's name; empty for an id of another schema.
    pub fn attribute_name(&self, id: AttributeId) -> &str {
        self.file
            .attributes
            .get(id.index())
            .map_or("", |attribute| &attribute.name)
    }

    /// Every relation with its id.
    pub fn relation_ids(&self) -> impl Iterator<Item = (RelationId, &RelationType)> {
        (0..).map(RelationId).zip(&self.file.relations)
    }

    /// Every entity type with its id.
    pub fn type_ids(&self) -> impl Iterator<Item = (TypeId, &EntityType)> {
        (0..).map(TypeId).zip(&self.file.entity_types)
    }

    /// Every attribute with its id.
    pub fn attribute_ids(&self) -> impl Iterator<Item = (AttributeId, &AttributeType)> {
        (0..).map(AttributeId).zip(&self.file.attributes)
    }

    /// Whether the schema admits `(head, relation, tail)` (Eq. 2). An untyped end ([`THING`]) is admitted everywhere.
    pub fn admits(&self, head: TypeId, relation: RelationId, tail: TypeId) -> bool {
        self.file
            .relations
            .get(relation.index())
            .is_some_and(|kind| self.fits(head, &kind.domain) && self.fits(tail, &kind.range))
    }

    /// Whether the schema admits `attribute` on an entity of type `subject` (Eq. 2).
    pub fn admits_attribute(&self, subject: TypeId, attribute: AttributeId) -> bool {
        self.file
            .attributes
            .get(attribute.index())
            .is_some_and(|kind| self.fits(subject, &kind.domain))
    }

    fn fits(&self, id: TypeId, allowed: &[String]) -> bool {
        id == self.thing
            || allowed.is_empty()
            || allowed
                .iter()
                .any(|name| name == THING || name == &self.entity_type(id).name)
    }
}

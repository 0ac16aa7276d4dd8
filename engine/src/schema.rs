//! The schema `S = ⟨S_e, S_r, S_attr⟩` that bounds extraction (Eq. 1, Youtu-GraphRAG).
//!
//! | file | read by |
//! |---|---|
//! | our own JSON: `name`, `version`, `entity_types`, `relations`, `attributes` | [`Schema::read`] |
//! | the Python reference's JSON: `Nodes`, `Relations`, `Attributes` | the same, imported |
//!
//! A schema grows by appending ([`Schema::grow_by`]); ids of what was there stay valid.

use serde::{Deserialize, Serialize};

mod bound;
mod check;
mod diff;
mod element;
mod error;
pub mod growth;
mod import;
mod mode;
mod read;
mod refusal;
mod spelling;
#[cfg(test)]
mod tests;
mod value;

pub use diff::{Change, SchemaDiff};
pub use element::{AttributeType, Element, ElementKind, EntityType, RelationType, ValueKind};
pub use error::SchemaError;
pub use growth::{AcceptedBy, Growth, Proposal, SchemaVersion};
pub use mode::SchemaMode;
pub use refusal::{Refusal, RefusalReason, Refusals, Refused};
pub use spelling::snake_case;

use check::Names;
use read::SchemaFile;

/// The entity type that every schema has and that admits any entity.
pub const THING: &str = "thing";

macro_rules! schema_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// An entity type of one [`Schema`] and of those that grew from it; only a schema hands them out.
    TypeId
}
schema_id! {
    /// A relation of one [`Schema`] and of those that grew from it; only a schema hands them out.
    RelationId
}
schema_id! {
    /// An attribute of one [`Schema`] and of those that grew from it; only a schema hands them out.
    AttributeId
}

/// A checked schema.
///
/// # Invariants
/// 1. Names are unique in their list and in `snake_case`; [`THING`] is a type.
/// 2. Every type that a parent, domain or range names exists, and every relation that an inverse names.
/// 3. No type is its own ancestor.
/// 4. A relation is the inverse of at most one other, mutually, and some entity can stand at each shared end.
/// 5. An enum lists its words; nothing else does. Only quantities have a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SchemaFile", into = "SchemaFile")]
pub struct Schema {
    file: SchemaFile,
    names: Names,
    thing: TypeId,
    /// By type.
    parents: Vec<Option<TypeId>>,
    /// Domain and range by relation; empty admits any.
    ends: Vec<(Vec<TypeId>, Vec<TypeId>)>,
    /// By relation, whichever of the two names the other.
    inverses: Vec<Option<RelationId>>,
    /// Domain by attribute; empty admits any.
    subjects: Vec<Vec<TypeId>>,
}

impl Schema {
    /// The built-in schema for encyclopaedic text.
    ///
    /// # Errors
    /// Never for the schema that ships; the error keeps callers honest.
    pub fn general() -> Result<Self, SchemaError> {
        Self::from_json(include_str!("../../data/schema/general.json"))
    }

    /// The first version of a schema of these elements, their names in normal form.
    ///
    /// # Errors
    /// [`SchemaError`] when a name is taken twice or an element refers to a type that is not among them.
    pub fn new(name: &str, elements: &[Element]) -> Result<Self, SchemaError> {
        let mut file = SchemaFile::blank(name);
        elements.iter().cloned().for_each(|element| file.append(element));
        Self::try_from(file)
    }

    /// The schema's own name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Counts the changes since the seed, which has the version that its file states, or 1.
    pub fn version(&self) -> u32 {
        self.file.version
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

    /// Every definition: types, relations, attributes, each in the order of their ids.
    pub fn elements(&self) -> Vec<Element> {
        let types = self.entity_types().iter().cloned().map(Element::EntityType);
        let relations = self.relations().iter().cloned().map(Element::Relation);
        let attributes = self.attributes().iter().cloned().map(Element::Attribute);
        types.chain(relations).chain(attributes).collect()
    }

    /// The type of this name.
    pub fn type_id(&self, name: &str) -> Option<TypeId> {
        self.names.find(ElementKind::EntityType, name).map(TypeId)
    }

    /// The relation of this name.
    pub fn relation_id(&self, name: &str) -> Option<RelationId> {
        self.names.find(ElementKind::Relation, name).map(RelationId)
    }

    /// The attribute of this name.
    pub fn attribute_id(&self, name: &str) -> Option<AttributeId> {
        self.names.find(ElementKind::Attribute, name).map(AttributeId)
    }

    /// Whether the list of this kind has this name.
    pub fn defines(&self, kind: ElementKind, name: &str) -> bool {
        self.names.find(kind, name).is_some()
    }

    /// The type that admits any entity.
    pub fn thing(&self) -> TypeId {
        self.thing
    }

    /// Whether the id is one of this schema.
    pub fn has_type(&self, id: TypeId) -> bool {
        id.index() < self.file.entity_types.len()
    }

    /// A type's definition. Ids of another schema give the first type.
    pub fn entity_type(&self, id: TypeId) -> &EntityType {
        let list = &self.file.entity_types;
        list.get(id.index()).unwrap_or(&list[0])
    }

    /// A relation's name; empty for an id of another schema.
    pub fn relation_name(&self, id: RelationId) -> &str {
        let kind = self.file.relations.get(id.index());
        kind.map_or("", |relation| &relation.name)
    }

    /// An attribute's name; empty for an id of another schema.
    pub fn attribute_name(&self, id: AttributeId) -> &str {
        let kind = self.file.attributes.get(id.index());
        kind.map_or("", |attribute| &attribute.name)
    }

    /// Every relation with its id.
    pub fn relation_ids(&self) -> impl Iterator<Item = (RelationId, &RelationType)> {
        (0..=u16::MAX).map(RelationId).zip(&self.file.relations)
    }

    /// Every entity type with its id.
    pub fn type_ids(&self) -> impl Iterator<Item = (TypeId, &EntityType)> {
        (0..=u16::MAX).map(TypeId).zip(&self.file.entity_types)
    }

    /// Every attribute with its id.
    pub fn attribute_ids(&self) -> impl Iterator<Item = (AttributeId, &AttributeType)> {
        (0..=u16::MAX).map(AttributeId).zip(&self.file.attributes)
    }
}

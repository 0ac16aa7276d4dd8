//! The fields of a schema file, and how they become a [`Schema`].

use super::check::{self, Broken};
use super::element::{AttributeType, Element, EntityType, RelationType};
use super::error::SchemaError;
use super::{Schema, THING, TypeId};
use serde::{Deserialize, Serialize};

/// The file's fields, unchecked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SchemaFile {
    pub(super) name: String,
    #[serde(default = "first_version")]
    pub(super) version: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entity_types: Vec<EntityType>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) relations: Vec<RelationType>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) attributes: Vec<AttributeType>,
}

fn first_version() -> u32 {
    1
}

impl SchemaFile {
    /// A file that defines nothing.
    pub(super) fn blank(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: first_version(),
            entity_types: Vec::new(),
            relations: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// Adds a definition at the end of its list.
    pub(super) fn append(&mut self, element: Element) {
        match element {
            Element::EntityType(kind) => self.entity_types.push(kind),
            Element::Relation(kind) => self.relations.push(kind),
            Element::Attribute(kind) => self.attributes.push(kind),
        }
    }

    /// Whether nothing but [`THING`] is defined.
    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.attributes.is_empty() && self.entity_types.iter().all(|t| t.name == THING)
    }

    /// Brings names to their normal form, checks everything and resolves names to ids. Cost O(n log n).
    ///
    /// [`THING`] is appended where it is missing; no definition moves, so that ids mean the same before and after.
    pub(super) fn compile(mut self) -> Result<Schema, Broken> {
        self.tidy();
        if self.entity_types.iter().all(|kind| kind.name != THING) {
            self.entity_types.push(EntityType {
                name: THING.to_owned(),
                description: "Anything that has no narrower type.".to_owned(),
                ..EntityType::default()
            });
        }
        let names = check::names(&self)?;
        let ids = |found: &[String]| found.iter().filter_map(|name| names.types.get(name)).copied().collect();
        let mut schema = Schema {
            parents: check::parents(&self, &names)?,
            ends: self
                .relations
                .iter()
                .map(|kind| (ids(&kind.domain), ids(&kind.range)))
                .collect(),
            subjects: self.attributes.iter().map(|kind| ids(&kind.domain)).collect(),
            // Appended above where the file had none.
            thing: names.types.get(THING).copied().unwrap_or(TypeId(0)),
            inverses: Vec::new(),
            names,
            file: self,
        };
        schema.inverses = check::inverses(&schema)?;
        check::values(&schema)?;
        Ok(schema)
    }

    fn tidy(&mut self) {
        let tidy_all = |names: &mut Vec<String>| {
            for name in names {
                *name = super::snake_case(name);
            }
        };
        for kind in &mut self.entity_types {
            kind.tidy();
            kind.parent = kind.parent.take().map(|name| super::snake_case(&name));
        }
        for kind in &mut self.relations {
            kind.tidy();
            tidy_all(&mut kind.domain);
            tidy_all(&mut kind.range);
            kind.inverse = kind.inverse.take().map(|name| super::snake_case(&name));
        }
        for kind in &mut self.attributes {
            kind.tidy();
            tidy_all(&mut kind.domain);
        }
    }
}

impl TryFrom<SchemaFile> for Schema {
    type Error = SchemaError;

    /// Unlike a file that people write, a stored schema may define nothing yet.
    fn try_from(file: SchemaFile) -> Result<Self, SchemaError> {
        file.compile().map_err(|broken| (*broken.fault).into())
    }
}

impl From<Schema> for SchemaFile {
    fn from(schema: Schema) -> Self {
        schema.file
    }
}

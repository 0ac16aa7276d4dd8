//! Schema files: their fields, the formats that people have, and how a file becomes a [`Schema`].

use super::element::{AttributeType, Element, ElementKind, EntityType, RelationType};
use super::error::SchemaError;
use super::import::Reference;
use super::{RelationId, Schema, THING, TypeId, check, snake_case};
use serde::{Deserialize, Serialize};
use std::path::Path;

impl Schema {
    /// Reads the text of a schema file that people write; `file` names it in errors. Cost O(n log n): 10,000 relations
    /// take milliseconds.
    ///
    /// # Errors
    /// [`SchemaError`] for text that is no JSON, has another shape, breaks a law of schemas, or defines nothing.
    pub fn read(file: &str, text: &str) -> Result<Self, SchemaError> {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        parse(text, &name).map_err(|error| error.in_file(file))
    }

    /// Reads a schema from JSON.
    ///
    /// # Errors
    /// As [`Schema::read`].
    pub fn from_json(json: &str) -> Result<Self, SchemaError> {
        parse(json, "schema")
    }

    /// The schema as a file that [`Schema::read`] takes, with its lists in the order of their ids.
    ///
    /// # Errors
    /// When a name or description cannot be encoded, which no text is known to cause.
    pub fn to_json(&self) -> Result<String, SchemaError> {
        Ok(serde_json::to_string_pretty(&self.file)?)
    }
}

fn parse(text: &str, name: &str) -> Result<Schema, SchemaError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let keys: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)?;
    let file: SchemaFile = if Reference::KEYS.iter().any(|key| keys.contains_key(*key)) {
        serde_json::from_str::<Reference>(text)?.into_file(name)
    } else {
        serde_json::from_str(text)?
    };
    if file.is_empty() {
        let advice = "add at least one entry to `entity_types`, `relations` or `attributes`";
        return Err(format!("the schema is empty and would admit no fact; {advice}").into());
    }
    Schema::try_from(file)
}

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
    fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.attributes.is_empty() && self.entity_types.iter().all(|t| t.name == THING)
    }

    /// Brings every name to its normal form.
    fn tidy(&mut self) {
        let tidy_all = |names: &mut dyn Iterator<Item = &mut String>| names.for_each(|name| *name = snake_case(name));
        for kind in &mut self.entity_types {
            kind.tidy();
            tidy_all(&mut kind.parent.iter_mut());
        }
        for kind in &mut self.relations {
            kind.tidy();
            tidy_all(&mut kind.domain.iter_mut().chain(&mut kind.range).chain(&mut kind.inverse));
        }
        for kind in &mut self.attributes {
            kind.tidy();
            tidy_all(&mut kind.domain.iter_mut());
        }
    }
}

impl TryFrom<SchemaFile> for Schema {
    type Error = SchemaError;

    /// Checks everything and resolves names to ids; unlike a file that people write, a stored schema may define nothing
    /// yet. [`THING`] is appended where it is missing; no definition moves, so that ids mean the same before and after.
    /// Cost O(n log n).
    fn try_from(mut file: SchemaFile) -> Result<Self, SchemaError> {
        file.tidy();
        if file.entity_types.iter().all(|kind| kind.name != THING) {
            file.entity_types.push(EntityType {
                name: THING.to_owned(),
                description: "Anything that has no narrower type.".to_owned(),
                ..EntityType::default()
            });
        }
        let names = check::names(&file)?;
        let ends = |kind: &RelationType| (names.types(&kind.domain), names.types(&kind.range));
        let mut inverses = vec![None; file.relations.len()];
        for (id, kind) in (0..=u16::MAX).zip(&file.relations) {
            let inverse = kind
                .inverse
                .as_deref()
                .and_then(|name| names.find(ElementKind::Relation, name));
            if let Some(inverse) = inverse {
                inverses[usize::from(id)] = Some(RelationId(inverse));
                inverses[usize::from(inverse)] = Some(RelationId(id));
            }
        }
        let schema = Self {
            inverses,
            parents: check::parents(&file, &names)?,
            ends: file.relations.iter().map(ends).collect(),
            subjects: file.attributes.iter().map(|kind| names.types(&kind.domain)).collect(),
            // Appended above where the file had none.
            thing: TypeId(names.find(ElementKind::EntityType, THING).unwrap_or(0)),
            names,
            file,
        };
        check::inverses(&schema)?;
        schema.attributes().iter().try_for_each(check::values)?;
        Ok(schema)
    }
}

impl From<Schema> for SchemaFile {
    fn from(schema: Schema) -> Self {
        schema.file
    }
}

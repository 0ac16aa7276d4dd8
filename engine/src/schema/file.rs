//! The schema as it stands in a file, and the checks that turn it into a [`Schema`].

use super::{AttributeId, AttributeType, EntityType, RelationId, RelationType, Schema, THING, TypeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a schema file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The text is not JSON of the expected shape; the message carries line and column.
    #[error("not a schema")]
    Json(#[from] serde_json::Error),
    /// Two definitions share a name.
    #[error("{list} names `{name}` twice; expected unique names")]
    Repeated {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
    /// A definition refers to something that does not exist.
    #[error("`{owner}`: {field} names `{name}`, which the schema does not define")]
    Unknown {
        /// The definition that refers.
        owner: String,
        /// Its field.
        field: &'static str,
        /// The name it uses.
        name: String,
    },
    /// More definitions than ids.
    #[error("{list} has {found} entries; at most {max} fit")]
    TooMany {
        /// The list.
        list: &'static str,
        /// How many there are.
        found: usize,
        /// How many fit.
        max: usize,
    },
}

/// The file's fields, unchecked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SchemaFile {
    pub(super) name: String,
    #[serde(default = "first_version")]
    pub(super) version: u32,
    #[serde(default)]
    pub(super) entity_types: Vec<EntityType>,
    #[serde(default)]
    pub(super) relations: Vec<RelationType>,
    #[serde(default)]
    pub(super) attributes: Vec<AttributeType>,
}

fn first_version() -> u32 {
    1
}

impl TryFrom<SchemaFile> for Schema {
    type Error = SchemaError;

    fn try_from(mut file: SchemaFile) -> Result<Self, SchemaError> {
        if !file.entity_types.iter().any(|kind| kind.name == THING) {
            file.entity_types.push(EntityType {
                name: THING.to_owned(),
                description: "Anything that has no narrower type.".to_owned(),
                aliases: Vec::new(),
            });
        }
        let types = ids("entity_types", file.entity_types.iter().map(|t| &t.name), TypeId)?;
        let relations = ids("relations", file.relations.iter().map(|r| &r.name), RelationId)?;
        let attributes = ids("attributes", file.attributes.iter().map(|a| &a.name), AttributeId)?;
        for relation in &file.relations {
            check(&relation.name, "domain", &relation.domain, &types)?;
            check(&relation.name, "range", &relation.range, &types)?;
            check(&relation.name, "inverse", &relation.inverse, &relations)?;
        }
        for attribute in &file.attributes {
            check(&attribute.name, "domain", &attribute.domain, &types)?;
        }
        let thing = types[THING];
        Ok(Self {
            file,
            types,
            relations,
            attributes,
            thing,
        })
    }
}

impl From<Schema> for SchemaFile {
    fn from(schema: Schema) -> Self {
        schema.file
    }
}

fn ids<'a, Id>(
    list: &'static str,
    names: impl Iterator<Item = &'a String>,
    make: impl Fn(u16) -> Id,
) -> Result<BTreeMap<String, Id>, SchemaError> {
    let mut map = BTreeMap::new();
    for (position, name) in names.enumerate() {
        let id = u16::try_from(position).map_err(|_| SchemaError::TooMany {
            list,
            found: position + 1,
            max: usize::from(u16::MAX) + 1,
        })?;
        if map.insert(name.clone(), make(id)).is_some() {
            return Err(SchemaError::Repeated {
                list,
                name: name.clone(),
            });
        }
    }
    Ok(map)
}

fn check<'a, Id>(
    owner: &str,
    field: &'static str,
    names: impl IntoIterator<Item = &'a String>,
    known: &BTreeMap<String, Id>,
) -> Result<(), SchemaError> {
    match names.into_iter().find(|name| !known.contains_key(*name)) {
        None => Ok(()),
        Some(name) => Err(SchemaError::Unknown {
            owner: owner.to_owned(),
            field,
            name: name.clone(),
        }),
    }
}

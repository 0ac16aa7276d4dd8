//! The schema file of the Python reference of Youtu-GraphRAG, as it is.

use super::element::{AttributeType, EntityType, RelationType};
use super::read::SchemaFile;
use super::snake_case;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Three lists of names. Names that come to one normal form are one definition, which keeps the first spelling as its
/// label.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reference {
    #[serde(rename = "Nodes", default)]
    nodes: Vec<String>,
    #[serde(rename = "Relations", default)]
    relations: Vec<String>,
    #[serde(rename = "Attributes", default)]
    attributes: Vec<String>,
}

impl Reference {
    pub(super) const KEYS: [&'static str; 3] = ["Nodes", "Relations", "Attributes"];

    /// The same names: relations between any types, attributes of any type with free text.
    pub(super) fn into_file(self, name: &str) -> SchemaFile {
        let kind = |name| EntityType {
            name,
            ..EntityType::default()
        };
        let relation = |name| RelationType {
            name,
            ..RelationType::default()
        };
        let attribute = |name| AttributeType {
            name,
            ..AttributeType::default()
        };
        SchemaFile {
            entity_types: distinct(self.nodes).map(kind).collect(),
            relations: distinct(self.relations).map(relation).collect(),
            attributes: distinct(self.attributes).map(attribute).collect(),
            ..SchemaFile::blank(name)
        }
    }
}

fn distinct(names: Vec<String>) -> impl Iterator<Item = String> {
    let mut known = BTreeSet::new();
    names.into_iter().filter(move |name| known.insert(snake_case(name)))
}

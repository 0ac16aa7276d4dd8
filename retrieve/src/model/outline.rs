//! A schema as a prompt shows it: names and a line each, bounded.

use banyan_engine::Schema;
use banyan_engine::schema::THING;
use serde::Serialize;

/// Most elements of each kind. Arbitrary, three times the built-in schema; of a larger one the first are shown.
const MAX_ELEMENTS: usize = 150;
/// Most characters of a description. Arbitrary.
const MAX_DESCRIPTION: usize = 120;

/// Types, relations and attributes, in the order of the schema.
#[derive(Serialize)]
pub(crate) struct Outline {
    entity_types: Vec<Element>,
    relations: Vec<Element>,
    attributes: Vec<Element>,
}

#[derive(Serialize)]
struct Element {
    name: String,
    description: String,
    domain: Vec<String>,
    range: Vec<String>,
}

impl Outline {
    /// What a question can be asked in terms of: relations that hold between any two things say nothing and are left out.
    pub(crate) fn new(schema: &Schema) -> Self {
        let is_any = |ends: &[String]| ends.iter().all(|name| name == THING);
        let types = schema
            .entity_types()
            .iter()
            .map(|kind| element(&kind.name, &kind.description, &[], &[]));
        let relations = schema
            .relations()
            .iter()
            .filter(|kind| !is_any(&kind.domain) || !is_any(&kind.range));
        let relations = relations.map(|kind| element(&kind.name, &kind.description, &kind.domain, &kind.range));
        let attributes = schema
            .attributes()
            .iter()
            .map(|kind| element(&kind.name, &kind.description, &kind.domain, &[]));
        Self {
            entity_types: types.take(MAX_ELEMENTS).collect(),
            relations: relations.take(MAX_ELEMENTS).collect(),
            attributes: attributes.take(MAX_ELEMENTS).collect(),
        }
    }
}

fn element(name: &str, description: &str, domain: &[String], range: &[String]) -> Element {
    // One line: a description cannot begin a section of the prompt.
    let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
    Element {
        name: name.to_owned(),
        description: line.chars().take(MAX_DESCRIPTION).collect(),
        domain: domain.to_vec(),
        range: range.to_vec(),
    }
}

//! A schema as prompts show it.

use banyan_engine::Schema;
use banyan_engine::document::one_line;
use banyan_engine::schema::{RelationType, THING};
use serde::Serialize;

/// Relations that hold between any two things that a document names. Nobody needs a model to state them, and a model that
/// may would state little else.
const UNASKED: [&str; 3] = ["related_to", "mentions", "describes"];
/// Most elements of each kind of a brief outline. Arbitrary, three times the built-in schema; the first are shown.
const MAX_ELEMENTS: usize = 150;
/// Most characters of a description in a brief outline. Arbitrary.
const MAX_DESCRIPTION: usize = 120;

/// Types, relations and attributes, in the order of the schema.
#[derive(Clone, Debug, Serialize)]
pub struct Outline {
    entity_types: Vec<Element>,
    relations: Vec<Element>,
    attributes: Vec<Element>,
}

/// An element of the schema, with the fields that a prompt can show; empty where it has none.
#[derive(Clone, Debug, Default, Serialize)]
struct Element {
    name: String,
    description: String,
    domain: Vec<String>,
    range: Vec<String>,
    kind: String,
    unit: String,
}

impl Outline {
    /// The whole schema, for reading texts.
    pub fn new(schema: &Schema) -> Self {
        let entity_types = schema.entity_types().iter();
        let entity_types = entity_types.map(|kind| element(&kind.name, &kind.description, &[]));
        let relations = relations(schema).map(|relation| Element {
            range: relation.range.clone(),
            ..element(&relation.name, &relation.description, &relation.domain)
        });
        let attributes = schema.attributes().iter().map(|kind| Element {
            kind: kind.kind.to_string(),
            unit: kind.unit.clone().unwrap_or_default(),
            ..element(&kind.name, &kind.description, &kind.domain)
        });
        Self {
            entity_types: entity_types.collect(),
            relations: relations.collect(),
            attributes: attributes.collect(),
        }
    }

    /// The schema in bounded length, for questions.
    pub fn brief(schema: &Schema) -> Self {
        let mut outline = Self::new(schema);
        for elements in [
            &mut outline.entity_types,
            &mut outline.relations,
            &mut outline.attributes,
        ] {
            elements.truncate(MAX_ELEMENTS);
            for element in elements {
                element.description = element.description.chars().take(MAX_DESCRIPTION).collect();
            }
        }
        outline
    }
}

/// The relations that are asked for. Of two that are readings of one, that under which facts are kept.
pub(super) fn relations(schema: &Schema) -> impl Iterator<Item = &RelationType> {
    let is_any = |ends: &[String]| ends.iter().all(|name| name == THING);
    let kept = schema.relation_ids().filter(|(id, _)| schema.kept(*id) == *id);
    kept.map(|(_, relation)| relation).filter(move |relation| {
        !UNASKED.contains(&relation.name.as_str()) || !is_any(&relation.domain) || !is_any(&relation.range)
    })
}

fn element(name: &str, description: &str, domain: &[String]) -> Element {
    Element {
        name: name.to_owned(),
        // One line: a description cannot begin a section of the prompt.
        description: one_line(description),
        domain: domain.to_vec(),
        ..Element::default()
    }
}

//! The relations of an annotated set as a schema of their labels.

use super::{Labels, Relations};
use banyan_engine::Schema;
use banyan_engine::schema::{AttributeType, RelationType, SchemaError, ValueKind, snake_case};
use banyan_extract::learned::Element;
use serde_json::json;
use std::collections::BTreeMap;

/// Words of a label by which its values are dates.
const DATES: &[&str] = &["date", "inception", "time"];

/// A schema of relations known by ids and labels.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    schema: Schema,
    /// Name in the schema → id.
    ids: BTreeMap<String, String>,
}

impl Vocabulary {
    /// Makes relations and, where the label speaks of a date, attributes. A label that `general` knows as the name or a
    /// phrase of a relation takes the types of its ends where `labels` have them. Cost O(relations · phrases).
    ///
    /// # Errors
    /// [`SchemaError`] for more relations than a schema holds.
    pub(crate) fn new(relations: &Relations, labels: &Labels, general: &Schema) -> Result<Self, SchemaError> {
        let (mut kinds, mut attributes) = (Vec::new(), Vec::new());
        let mut ids = BTreeMap::new();
        for (id, label) in relations {
            let plain = label.to_lowercase();
            let is_date = plain.split(' ').any(|word| DATES.contains(&word));
            if let Some(known) = attribute(&plain, general) {
                ids.insert(known.name.clone(), id.clone());
                attributes.push(AttributeType {
                    domain: types(&known.domain, labels),
                    ..known.clone()
                });
            } else {
                ids.insert(snake_case(&plain), id.clone());
                if is_date {
                    attributes.push(date(&plain));
                } else {
                    kinds.push(relation(&plain, labels, general));
                }
            }
        }
        let types: Vec<_> = labels.entity_types().collect();
        let file = json!({"name": "relations", "entity_types": types, "relations": kinds, "attributes": attributes});
        Ok(Self {
            schema: Schema::from_json(&file.to_string())?,
            ids,
        })
    }

    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What the schema has for the relation of an id.
    pub(super) fn element(&self, schema: &Schema, id: &str) -> Option<Element> {
        let (name, _) = self.ids.iter().find(|(_, known)| *known == id)?;
        let relation = schema.relation_id(name).map(Element::Relation);
        relation.or_else(|| schema.attribute_id(name).map(Element::Attribute))
    }

    /// The id behind a relation or attribute of the schema.
    pub(super) fn id(&self, name: &str) -> Option<&str> {
        self.ids.get(name).map(String::as_str)
    }
}

fn attribute<'a>(label: &str, general: &'a Schema) -> Option<&'a AttributeType> {
    let known = general.attributes().iter();
    let mut known = known.filter(|known| is_called(label, &known.name, &known.aliases));
    known.next()
}

fn is_called(label: &str, name: &str, aliases: &[String]) -> bool {
    name.replace('_', " ") == label || aliases.iter().any(|alias| alias == label)
}

fn date(label: &str) -> AttributeType {
    AttributeType {
        name: snake_case(label),
        description: label.to_owned(),
        kind: ValueKind::Date,
        ..AttributeType::default()
    }
}

/// A relation with the types of the built-in one that is called so.
fn relation(label: &str, labels: &Labels, general: &Schema) -> RelationType {
    let mut known = general.relations().iter();
    let known = known.find(|known| is_called(label, &known.name, &known.aliases));
    RelationType {
        name: snake_case(label),
        description: label.to_owned(),
        domain: known.map_or_else(Vec::new, |known| types(&known.domain, labels)),
        range: known.map_or_else(Vec::new, |known| types(&known.range, labels)),
        ..RelationType::default()
    }
}

/// The labels that stand for these built-in types; none, which admits all, where one of them has no label.
fn types(names: &[String], labels: &Labels) -> Vec<String> {
    let found: Option<Vec<&str>> = names.iter().map(|name| labels.of_general(name)).collect();
    let mut found: Vec<String> = found.unwrap_or_default().into_iter().map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn labels_take_the_types_of_relations_that_are_called_so() {
        let relations = [
            ("P19", "place of birth"),
            ("P569", "date of birth"),
            ("P580", "start time"),
            ("P9", "gait"),
        ];
        let relations = relations.map(|(id, label)| (id.to_owned(), label.to_owned()));
        let general = Schema::general().unwrap();
        let labels = Labels::new(&["PER", "LOC"].map(str::to_owned).into(), &general);
        let vocabulary = Vocabulary::new(&BTreeMap::from(relations), &labels, &general).unwrap();
        let schema = vocabulary.schema();
        let born = &schema.relations()[0];
        assert!(born.name == "place_of_birth" && born.aliases.is_empty());
        assert_eq!(
            (born.domain.join(" "), born.range.join(" ")),
            ("per".to_owned(), "loc".to_owned())
        );
        let dates: BTreeSet<_> = schema
            .attributes()
            .iter()
            .filter_map(|kind| vocabulary.id(&kind.name))
            .collect();
        assert_eq!(dates, BTreeSet::from(["P569", "P580"]));
        assert!(schema.attribute_id("birth_date").is_some());
    }
}

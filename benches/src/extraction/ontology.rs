//! The ontology file of `Text2KGBench`.

use banyan_engine::schema::snake_case;
use serde::Deserialize;
use std::collections::BTreeMap;

/// An ontology: the concepts and relations that extraction is bounded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ontology {
    /// What the file calls it, as `ont_1_movie`.
    pub(super) id: String,
    pub(super) concepts: Vec<String>,
    /// Labels of relations as the file spells them (`birthPlace`), in its order.
    pub(super) relations: Vec<String>,
}

impl Ontology {
    /// Reads `ontology.json`: `{id, concepts: [{label}], relations: [{label}]}`.
    ///
    /// # Errors
    /// Where it is not JSON or lacks these fields, with line and column.
    pub(super) fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        let File {
            id,
            concepts,
            relations,
        } = serde_json::from_str(json)?;
        let labels = |list: Vec<Named>| list.into_iter().map(|one| one.label).collect();
        Ok(Self {
            id,
            concepts: labels(concepts),
            relations: labels(relations),
        })
    }

    /// The labels in words ("birth place"), by the relation's position as an id.
    pub(super) fn labels(&self) -> BTreeMap<String, String> {
        let spoken = |label: &String| snake_case(label).replace('_', " ");
        let numbered = self.relations.iter().enumerate();
        numbered.map(|(at, label)| (id(at), spoken(label))).collect()
    }

    /// The position of a relation by its label.
    pub(super) fn position(&self, label: &str) -> Option<usize> {
        self.relations.iter().position(|known| known == label)
    }
}

/// The id of the relation at a position.
pub(super) fn id(at: usize) -> String {
    format!("r{at}")
}

#[derive(Deserialize)]
struct File {
    id: String,
    concepts: Vec<Named>,
    relations: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    label: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_said_in_words() {
        let json = r#"{"title": "T", "id": "ont_1_t", "concepts": [{"qid": "Q5", "label": "human"}],
            "relations": [{"pid": "P1", "label": "author", "range": "Q5"}, {"label": "birthPlace"}]}"#;
        let ontology = Ontology::from_json(json).unwrap();
        let labels: Vec<String> = ontology.labels().into_values().collect();
        assert_eq!(labels, ["author", "birth place"]);
        assert_eq!(ontology.position("birthPlace"), Some(1));
    }
}

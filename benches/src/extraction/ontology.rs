//! The ontology file of `Text2KGBench`.

use banyan_extract::statement::Relation;
use serde::Deserialize;
use std::collections::BTreeMap;

/// An ontology: the concepts and relations that extraction is bounded by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ontology {
    /// What the file calls it, as `ont_1_movie`.
    pub(super) id: String,
    pub(super) concepts: Vec<String>,
    /// Relations in the file's order. The range holds a concept's label; one that the file does not define, and an empty
    /// one, admits anything.
    pub(super) relations: Vec<Relation>,
}

impl Ontology {
    /// Reads `ontology.json`: `{id, concepts: [{qid, label}], relations: [{pid, label, domain, range}]}`.
    ///
    /// # Errors
    /// Where it is not JSON or lacks these fields, with line and column.
    pub(super) fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        let file: File = serde_json::from_str(json)?;
        let labels: BTreeMap<&str, &str> = file
            .concepts
            .iter()
            .map(|concept| (concept.qid.as_str(), concept.label.as_str()))
            .collect();
        let is_id = |name: &str, letter: char| {
            let number = name.strip_prefix(letter);
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let ends = |name: &str| {
            let label = labels.get(name).copied().unwrap_or(name).trim();
            let is_known = !label.is_empty() && !is_id(label, 'Q');
            is_known.then(|| label.to_owned()).into_iter().collect()
        };
        let relation = |relation: &Edge| Relation {
            label: relation.label.clone(),
            range: ends(&relation.range),
            // The half that was made from Wikidata writes every date with day and month.
            is_dated: is_id(&relation.pid, 'P'),
        };
        Ok(Self {
            id: file.id,
            relations: file.relations.iter().map(relation).collect(),
            concepts: file.concepts.into_iter().map(|concept| concept.label).collect(),
        })
    }
}

#[derive(Deserialize)]
struct File {
    id: String,
    concepts: Vec<Concept>,
    relations: Vec<Edge>,
}

#[derive(Deserialize)]
struct Concept {
    qid: String,
    label: String,
}

#[derive(Deserialize)]
struct Edge {
    #[serde(default)]
    pid: String,
    label: String,
    #[serde(default)]
    range: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_labels_and_unknown_concepts_admit_anything() {
        let json = r#"{"title": "T", "id": "ont_1_t", "concepts": [{"qid": "Q5", "label": "human"}],
            "relations": [{"pid": "P1", "label": "author", "domain": "Q9", "range": "Q5"},
                          {"pid": "born", "label": "born", "domain": "Person", "range": ""}]}"#;
        let ontology = Ontology::from_json(json).unwrap();
        let ends: Vec<_> = ontology
            .relations
            .iter()
            .map(|relation| (relation.label.as_str(), relation.range.concat()))
            .collect();
        assert_eq!(ends, [("author", "human".to_owned()), ("born", String::new())]);
    }
}

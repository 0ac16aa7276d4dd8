//! Recorded extraction: what another system once said of each passage of a corpus, one JSON object a line.

use crate::error::FileError;
use crate::literal::is_entity;
use banyan_engine::stated::{Defect, DefectKind};
use banyan_engine::{Document, DocumentId, Span, Stated, StatedAt, StatedEntity, StatedTriple};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Line {
    id: Value,
    #[serde(default)]
    entities: Vec<Value>,
    #[serde(default)]
    triples: Vec<Value>,
}

/// A recording: passages by record id, and what in it could not be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    by_record: BTreeMap<String, Stated>,
    /// Triples that are no list of three texts or said of no thing, and entities that are no text: passed over.
    pub n_malformed: usize,
}

/// A recording laid over the documents of a corpus.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laid {
    /// Statements by document.
    pub statements: BTreeMap<DocumentId, Vec<StatedAt>>,
    /// Lines whose id no document has.
    pub n_unmatched: usize,
}

impl Recording {
    /// Reads `{"id", "entities": [name], "triples": [[head, relation, tail]]}`, one a line; empty lines and other fields
    /// are passed over. A malformed triple or entity is counted and passed over. Cost O(length).
    ///
    /// # Errors
    /// Where a line is no such object or repeats an id.
    pub fn parse(file: &str, text: &str) -> Result<Self, FileError> {
        let mut recording = Self::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |found: String| {
                let expected = "an object with `id`, `entities` and `triples`";
                FileError::new(file, format!(":{number}: expected {expected}; found {found}"))
            };
            // A list could stand for the fields of a struct, and is none.
            let row =
                serde_json::from_str::<Map<String, Value>>(line).and_then(|row| Line::deserialize(Value::Object(row)));
            let row = row.map_err(|error| wrong(error.to_string()))?;
            let id = match &row.id {
                Value::String(id) => id.clone(),
                Value::Number(id) => id.to_string(),
                _ => return Err(wrong("an `id` that is neither text nor number".to_owned())),
            };
            let stated = row.stated();
            recording.n_malformed += stated.defects.len();
            if recording.by_record.insert(id.clone(), stated).is_some() {
                let reason = format!(":{number}: a second line with id `{id}`; expected one line for each passage");
                return Err(FileError::new(file, reason));
            }
        }
        Ok(recording)
    }

    /// Lays the recording over documents by the id of the record that each was read from. Cost O(n log n).
    ///
    /// # Errors
    /// Where it speaks of none of them.
    pub fn lay(&self, file: &str, documents: &[Document]) -> Result<Laid, FileError> {
        let mut laid = Laid::default();
        let mut used = BTreeSet::new();
        for document in documents {
            let records = document.origins.iter().filter_map(|origin| origin.record.as_ref());
            if let Some((record, stated)) = records
                .into_iter()
                .find_map(|record| self.by_record.get_key_value(record))
            {
                used.insert(record);
                let at = StatedAt {
                    span: Span::new(0, document.text.len()),
                    stated: stated.clone(),
                    tokens: 0,
                };
                laid.statements.insert(document.id, vec![at]);
            }
        }
        laid.n_unmatched = self.by_record.len() - used.len();
        if laid.statements.is_empty() {
            let n = self.by_record.len();
            let reason = "is the id of a record of the corpus; name the recording of this corpus";
            return Err(FileError::new(file, format!(": none of its {n} ids {reason}")));
        }
        Ok(laid)
    }
}

impl Line {
    fn stated(&self) -> Stated {
        let mut stated = Stated::default();
        for entity in &self.entities {
            match entity.as_str() {
                Some(name) => stated.entities.push(StatedEntity {
                    name: name.to_owned(),
                    entity_type: None,
                }),
                None => stated
                    .defects
                    .push(Defect::new(DefectKind::WrongType, entity.to_string())),
            }
        }
        for triple in &self.triples {
            match <[String; 3]>::deserialize(triple) {
                Ok([head, _, tail]) if !is_entity(&head) || tail.trim().is_empty() => stated
                    .defects
                    .push(Defect::new(DefectKind::NoThing, triple.to_string())),
                Ok([head, relation, tail]) => stated.triples.push(StatedTriple { head, relation, tail }),
                Err(_) => stated
                    .defects
                    .push(Defect::new(DefectKind::WrongShape, triple.to_string())),
            }
        }
        stated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::Origin;

    fn document(record: &str) -> Document {
        let origin = Origin {
            file: "corpus.jsonl".to_owned(),
            record: Some(record.to_owned()),
            line: None,
        };
        Document::new("Tidd", "Tidd is an island of Harrow.", origin)
    }

    #[test]
    fn malformed_triples_are_counted_and_passed_over() {
        let line =
            r#"{"id": 7, "entities": ["Tidd", 3], "triples": [["Tidd", "island of", "Harrow"], ["Tidd", "is"], "x"]}"#;
        let recording = Recording::parse("r", line).unwrap();
        assert_eq!(recording.n_malformed, 3);
        let laid = recording.lay("r", &[document("7")]).unwrap();
        let stated: Vec<_> = laid.statements.into_values().flatten().collect();
        assert_eq!(stated[0].stated.triples.len(), 1);
        assert_eq!(stated[0].stated.triples[0].relation, "island of");
    }

    #[test]
    fn a_recording_of_another_corpus_is_refused() {
        let recording = Recording::parse("r", r#"{"id": "a", "triples": []}"#).unwrap();
        let error = recording.lay("r", &[document("7")]).unwrap_err();
        assert!(error.to_string().starts_with("r: none of its 1 ids"), "{error}");
    }

    #[test]
    fn lines_that_are_no_records_are_named() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Recording::parse("r.jsonl", text).unwrap_err().to_string(), expected);
        };
        check(
            "{\"id\": 1}\n\n{\"triples\": []}",
            "r.jsonl:3: expected an object with `id`, `entities` and `triples`; found missing field `id`",
        );
        check(
            "{\"id\": 1}\n{\"id\": \"1\"}",
            "r.jsonl:2: a second line with id `1`; expected one line for each passage",
        );
    }
}

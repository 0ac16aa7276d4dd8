//! Recorded extraction: what another system once said of each passage of a corpus, one JSON object a line.

use banyan_engine::stated::{Defect, DefectKind};
use banyan_engine::{Document, DocumentId, Span, Stated, StatedAt, StatedEntity, StatedTriple};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// A line is not a JSON object with an `id`.
    #[error("{file}:{line}: expected an object with `id`, `entities` and `triples`; found {found}")]
    Line {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Two lines speak of the same passage.
    #[error("{file}:{line}: a second line with id `{id}`; expected one line for each passage")]
    Repeated {
        /// The recording.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The passage.
        id: String,
    },
    /// No line speaks of any of the documents.
    #[error("{file}: none of its {n_lines} ids is the id of a record of the corpus; name the recording of this corpus")]
    Foreign {
        /// The recording.
        file: String,
        /// How many lines it has.
        n_lines: usize,
    },
}

/// A recording: passages by record id, and what in it could not be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    by_record: BTreeMap<String, Stated>,
    /// Triples that are no list of three texts, and entities that are no text: passed over.
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
    /// [`RecordingError`] where a line is no such object or repeats an id.
    pub fn parse(file: &str, text: &str) -> Result<Self, RecordingError> {
        let mut recording = Self::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |found: String| RecordingError::Line {
                file: file.to_owned(),
                line: at + 1,
                found,
            };
            let row: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let id = row
                .get("id")
                .and_then(record_id)
                .ok_or_else(|| wrong("no `id`".to_owned()))?;
            let stated = recording.take(&row);
            if recording.by_record.insert(id.clone(), stated).is_some() {
                return Err(RecordingError::Repeated {
                    file: file.to_owned(),
                    line: at + 1,
                    id,
                });
            }
        }
        Ok(recording)
    }

    fn take(&mut self, row: &Value) -> Stated {
        let mut stated = Stated::default();
        for entity in items(row, "entities") {
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
        for triple in items(row, "triples") {
            match texts(triple).as_deref() {
                Some([head, relation, tail]) => stated.triples.push(StatedTriple {
                    head: (*head).to_owned(),
                    relation: (*relation).to_owned(),
                    tail: (*tail).to_owned(),
                }),
                _ => stated
                    .defects
                    .push(Defect::new(DefectKind::WrongShape, triple.to_string())),
            }
        }
        self.n_malformed += stated.defects.len();
        stated
    }

    /// Lays the recording over documents by the id of the record that each was read from. Cost O(n log n).
    ///
    /// # Errors
    /// [`RecordingError::Foreign`] where it speaks of none of them.
    pub fn lay(&self, file: &str, documents: &[Document]) -> Result<Laid, RecordingError> {
        let mut laid = Laid::default();
        let mut used = BTreeSet::new();
        for document in documents {
            let records = document.origins.iter().filter_map(|origin| origin.record.as_ref());
            if let Some((record, stated)) = records
                .into_iter()
                .find_map(|record| self.by_record.get_key_value(record))
            {
                used.insert(record);
                let span = Span::new(0, document.text.len());
                let stated = stated.clone();
                laid.statements.insert(
                    document.id,
                    vec![StatedAt {
                        span,
                        stated,
                        tokens: 0,
                    }],
                );
            }
        }
        laid.n_unmatched = self.by_record.len() - used.len();
        if laid.statements.is_empty() {
            return Err(RecordingError::Foreign {
                file: file.to_owned(),
                n_lines: self.by_record.len(),
            });
        }
        Ok(laid)
    }
}

fn record_id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn items<'a>(row: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    row.get(field).and_then(Value::as_array).into_iter().flatten()
}

fn texts(triple: &Value) -> Option<Vec<&str>> {
    triple.as_array()?.iter().map(Value::as_str).collect()
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
        assert!(matches!(error, RecordingError::Foreign { n_lines: 1, .. }));
    }

    #[test]
    fn lines_that_are_no_records_are_named() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Recording::parse("r.jsonl", text).unwrap_err().to_string(), expected);
        };
        check(
            "{\"id\": 1}\n\n{\"triples\": []}",
            "r.jsonl:3: expected an object with `id`, `entities` and `triples`; found no `id`",
        );
        check(
            "{\"id\": 1}\n{\"id\": \"1\"}",
            "r.jsonl:2: a second line with id `1`; expected one line for each passage",
        );
    }
}

//! Sentences with the statements that people found in them.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A statement as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Triple {
    /// Who or what it is about.
    pub subject: String,
    /// The relation's label.
    pub relation: String,
    /// The other end.
    pub object: String,
}

/// A sentence with its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What its file calls it.
    pub id: String,
    /// The text.
    pub sentence: String,
    /// What it states; may be empty.
    pub triples: Vec<Triple>,
    /// Whether it states nothing else. Otherwise only the relations that occur in `triples` are known to be complete.
    pub is_complete: bool,
}

/// A line that is no labelled sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// Not JSON, or not the fields of either shape.
    #[error(
        "line {line}: expected an object with `sent` and `triples` of `sub`, `rel`, `obj`, or with `sent`, \
         `sub_label`, `rel_label`, `obj_label`"
    )]
    Malformed {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A sentence without labels.
    #[error("line {line}: a sentence without `triples` and without `sub_label`, `rel_label`, `obj_label`")]
    Unlabelled {
        /// From 1.
        line: usize,
    },
}

/// The examples of a file with one JSON object a line, in the order in which their sentences come first.
///
/// A line holds a sentence with all its triples (`id`, `sent` or `sentence`, `triples`), or a sentence with one triple (`sent`,
/// `sub_label`, `rel_label`, `obj_label`); lines of the second shape with the same sentence are one example. Empty lines are passed over.
/// Cost O(length · log n).
///
/// # Errors
/// [`ExampleError`] with the line that is neither.
pub fn read_examples(text: &str) -> Result<Vec<Example>, ExampleError> {
    let mut examples: Vec<Example> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    for (line, content) in lines {
        let mut row: Row = serde_json::from_str(content).map_err(|source| ExampleError::Malformed { line, source })?;
        row.is_whole = row.labels.triples.is_some();
        let triples = row.labels.triples().ok_or(ExampleError::Unlabelled { line })?;
        let place = if row.is_whole {
            examples.len()
        } else {
            *places.entry(row.sentence.clone()).or_insert(examples.len())
        };
        if place == examples.len() {
            examples.push(Example {
                id: row.id,
                sentence: row.sentence,
                triples,
                is_complete: row.is_whole,
            });
        } else {
            let known = &mut examples[place].triples;
            for triple in triples {
                if !known.contains(&triple) {
                    known.push(triple);
                }
            }
        }
    }
    Ok(examples)
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    id: String,
    #[serde(rename = "sent", alias = "sentence")]
    sentence: String,
    #[serde(flatten)]
    labels: Labels,
    /// Whether one line has all triples of the sentence.
    #[serde(skip)]
    is_whole: bool,
}

#[derive(Deserialize)]
struct Labels {
    triples: Option<Vec<RowTriple>>,
    sub_label: Option<String>,
    rel_label: Option<String>,
    obj_label: Option<String>,
}

#[derive(Deserialize)]
struct RowTriple {
    sub: String,
    rel: String,
    obj: String,
}

impl Labels {
    fn triples(self) -> Option<Vec<Triple>> {
        match self {
            Self {
                triples: Some(triples), ..
            } => Some(triples.into_iter().map(RowTriple::into_triple).collect()),
            Self {
                sub_label: Some(sub),
                rel_label: Some(rel),
                obj_label: Some(obj),
                ..
            } => Some(vec![RowTriple { sub, rel, obj }.into_triple()]),
            _ => None,
        }
    }
}

impl RowTriple {
    fn into_triple(self) -> Triple {
        Triple {
            subject: self.sub,
            relation: self.rel,
            object: self.obj,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, usize)]) {
        let examples = read_examples(text).unwrap();
        let found: Vec<_> = examples
            .iter()
            .map(|example| (example.sentence.as_str(), example.triples.len()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn both_shapes_are_read_and_rows_of_one_sentence_are_joined() {
        check(
            r#"{"id": "1", "sent": "A. B.", "triples": [{"sub": "A", "rel": "r", "obj": "B"}]}"#,
            &[("A. B.", 1)],
        );
        check(
            concat!(
                r#"{"id": "1", "sent": "S", "sub_label": "a", "rel_label": "r", "obj_label": "b", "sub": "Q1"}"#,
                "\n\n",
                r#"{"id": "2", "sent": "T", "sub_label": "a", "rel_label": "r", "obj_label": "b"}"#,
                "\n",
                r#"{"id": "3", "sent": "S", "sub_label": "a", "rel_label": "r", "obj_label": "c"}"#,
                "\n",
                r#"{"id": "4", "sent": "S", "sub_label": "a", "rel_label": "r", "obj_label": "c"}"#,
            ),
            &[("S", 2), ("T", 1)],
        );
    }

    #[test]
    fn a_line_without_labels_is_named() {
        let error = read_examples("\n{\"sent\": \"S\"}").unwrap_err().to_string();
        assert!(error.starts_with("line 2: a sentence without `triples`"), "{error}");
        let error = read_examples("{\"sent\": 3}").unwrap_err().to_string();
        assert!(error.starts_with("line 1: "), "{error}");
    }
}

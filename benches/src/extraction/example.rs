//! Sentences with the statements that people found in them.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A statement as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) struct Triple {
    /// Who or what it is about.
    #[serde(rename = "sub")]
    pub(super) subject: String,
    /// The relation's label.
    #[serde(rename = "rel")]
    pub(super) relation: String,
    /// The other end.
    #[serde(rename = "obj")]
    pub(super) object: String,
}

/// A sentence with its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Example {
    /// The text.
    pub(super) sentence: String,
    /// What it states; may be empty.
    pub(super) triples: Vec<Triple>,
}

/// A line that is no labelled sentence.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line}: expected an object with `sent` and `triples` of `sub`, `rel`, `obj`, or with `sent`, `sub_label`, \
     `rel_label`, `obj_label`"
)]
pub(super) struct ExampleError {
    /// From 1.
    pub(super) line: usize,
    /// What is wrong with it.
    pub(super) source: serde_json::Error,
}

/// The examples of a file with one JSON object a line, in the order in which their sentences come first.
///
/// A line holds a sentence with all its triples (`sent` or `sentence`, `triples`), or a sentence with one triple (`sent`,
/// `sub_label`, `rel_label`, `obj_label`); lines of the second shape with the same sentence are one example. Empty
/// lines are passed over. Cost O(length · log n).
///
/// # Errors
/// [`ExampleError`] with the line that is neither.
pub(super) fn read_examples(text: &str) -> Result<Vec<Example>, ExampleError> {
    let mut examples: Vec<Example> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    for (line, content) in lines {
        let Row { sentence, labels } = serde_json::from_str(content).map_err(|source| ExampleError { line, source })?;
        match labels {
            Labels::All { triples } => examples.push(Example { sentence, triples }),
            Labels::One {
                sub_label: subject,
                rel_label: relation,
                obj_label: object,
            } => {
                let place = *places.entry(sentence.clone()).or_insert(examples.len());
                if place == examples.len() {
                    examples.push(Example {
                        sentence,
                        triples: Vec::new(),
                    });
                }
                let triple = Triple {
                    subject,
                    relation,
                    object,
                };
                let known = &mut examples[place].triples;
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
    #[serde(rename = "sent", alias = "sentence")]
    sentence: String,
    #[serde(flatten)]
    labels: Labels,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Labels {
    All {
        triples: Vec<Triple>,
    },
    One {
        sub_label: String,
        rel_label: String,
        obj_label: String,
    },
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
        let line = |text: &str| read_examples(text).unwrap_err().line;
        assert_eq!((line("\n{\"sent\": \"S\"}"), line("{\"sent\": 3}")), (2, 1));
    }
}

//! Questions with gold answers.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A question with its gold answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AggregateQuestion {
    /// The set's id; its place where it has none.
    #[serde(default, deserialize_with = "text")]
    pub id: String,
    /// The question.
    pub question: String,
    /// What the set calls its shape.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The gold answer.
    #[serde(deserialize_with = "text")]
    pub answer: String,
    /// The SQL over the gold records; empty where the set gives none.
    #[serde(default)]
    pub sql: String,
}

/// A line that is no question.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}; expected an object with `question` and `answer`")]
pub struct QuestionError {
    /// The line, from 1.
    pub line: usize,
    /// What the parser says.
    pub error: serde_json::Error,
}

/// Answers may be numbers, lists or flags.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    fn plain(value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join("; "),
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| format!("{key}: {}", plain(value)))
                .collect::<Vec<_>>()
                .join("; "),
            other => other.to_string(),
        }
    }
    Value::deserialize(deserializer).map(|value| plain(&value))
}

/// The questions of a file of JSON lines.
///
/// # Errors
/// [`QuestionError`] for the first line that is no question; empty lines are passed over.
pub fn parse(text: &str) -> Result<Vec<AggregateQuestion>, QuestionError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(line, body)| {
            let mut question: AggregateQuestion =
                serde_json::from_str(body).map_err(|error| QuestionError { line, error })?;
            if question.id.is_empty() {
                question.id = line.to_string();
            }
            Ok(question)
        })
        .collect()
}

//! JSON and JSON lines: objects with a text and, usually, a title and an id.

use super::{ReadError, origin, stem};
use banyan_engine::Document;
use serde_json::{Map, Value};

const EXPECTED: &str = "an object with a string `text` (and optional `title` and `id`)";

/// One document a line; blank lines are passed over.
pub(super) fn lines(file: &str, text: &str) -> Result<Vec<Document>, ReadError> {
    let mut documents = Vec::new();
    for (position, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = format!("line {}", position + 1);
        let value = serde_json::from_str(line).map_err(|error| shape(file, &place, without_line(&error)))?;
        documents.push(document(file, &place, Some(position + 1), &value)?);
    }
    Ok(documents)
}

/// One document an element, or a single object.
pub(super) fn array(file: &str, text: &str) -> Result<Vec<Document>, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| shape(file, "the file", error.to_string()))?;
    match value {
        Value::Array(records) if records.is_empty() => Err(shape(file, "the file", "an empty array".to_owned())),
        Value::Array(records) => (1..)
            .zip(&records)
            .map(|(number, record)| document(file, &format!("record {number}"), None, record))
            .collect(),
        other => Ok(vec![document(file, "the file", None, &other)?]),
    }
}

/// One document a row of a table.
pub(super) fn records(file: &str, rows: &[Map<String, Value>]) -> Result<Vec<Document>, ReadError> {
    let numbered = (1..).zip(rows);
    let documents =
        numbered.map(|(number, row)| document(file, &format!("row {number}"), None, &Value::Object(row.clone())));
    documents.collect()
}

fn document(file: &str, place: &str, line: Option<usize>, value: &Value) -> Result<Document, ReadError> {
    let text = match value.get("text").or_else(|| value.get("chunk")) {
        Some(Value::String(text)) if !text.trim().is_empty() => text,
        Some(Value::String(_)) => return Err(shape(file, place, "an empty `text`".to_owned())),
        Some(other) => return Err(shape(file, place, format!("{} as `text`", kind(other)))),
        None if value.get("question").is_some() => {
            return Err(shape(
                file,
                place,
                "a `question`: is this a file of questions?".to_owned(),
            ));
        }
        None if value.is_object() => return Err(shape(file, place, "no `text`".to_owned())),
        None => return Err(shape(file, place, kind(value).to_owned())),
    };
    let record = match value.get("id").or_else(|| value.get("idx")) {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        Some(other) => return Err(shape(file, place, format!("{} as `id`", kind(other)))),
    };
    let title = match value.get("title") {
        Some(Value::String(title)) if !title.trim().is_empty() => title.trim().to_owned(),
        None | Some(Value::Null | Value::String(_)) => record.clone().unwrap_or_else(|| stem(file).to_owned()),
        Some(other) => return Err(shape(file, place, format!("{} as `title`", kind(other)))),
    };
    Ok(Document::new(title, text.as_str(), origin(file, record, line)))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn shape(file: &str, place: &str, found: String) -> ReadError {
    ReadError::Shape {
        file: file.to_owned(),
        place: place.to_owned(),
        expected: EXPECTED,
        found,
    }
}

/// The message of an error within one line: its column counts, its line is known already.
fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let cut = message.find(" at line ").unwrap_or(message.len());
    format!("{} at column {}", &message[..cut], error.column())
}

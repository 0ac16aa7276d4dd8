//! Records of a file of questions, and their fields.

use super::{DatasetError, error};
use serde_json::Value;

/// What a record should have, and what it has instead.
pub(super) type Mismatch = (&'static str, String);

/// The records of `text` with their places: the elements of a JSON array, or one object a line.
pub(super) fn records(file: &str, text: &str) -> Result<Vec<(String, Value)>, DatasetError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        let records: Vec<Value> = serde_json::from_str(text)
            .map_err(|found| error(file, "the file", "a JSON array of objects", &found.to_string()))?;
        return Ok((1..).map(|n: usize| format!("record {n}")).zip(records).collect());
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(n, line): (usize, &str)| {
            let place = format!("line {n}");
            match serde_json::from_str(line) {
                Ok(record) => Ok((place, record)),
                Err(found) => Err(error(file, &place, "a JSON object", &found.to_string())),
            }
        })
        .collect()
}

/// The names of a record's fields, for an error.
pub(super) fn keys(record: &Value) -> String {
    match record.as_object() {
        Some(fields) if !fields.is_empty() => {
            let names: Vec<String> = fields.keys().take(12).map(|key| format!("`{key}`")).collect();
            format!("an object with {}", names.join(", "))
        }
        Some(_) => "an empty object".to_owned(),
        None => kind(record).to_owned(),
    }
}

/// The text of a field that must be there and say something.
pub(super) fn text<'a>(record: &'a Value, key: &str, expected: &'static str) -> Result<&'a str, Mismatch> {
    match record.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim()),
        Some(Value::String(_)) => Err((expected, format!("an empty `{key}`"))),
        Some(other) => Err((expected, format!("{} as `{key}`", kind(other)))),
        None => Err((expected, format!("no `{key}`"))),
    }
}

/// The id of a record under one of `keys`: a text or a number.
pub(super) fn id(record: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match record.get(*key) {
        Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    })
}

/// The texts of a field: of a list, or one; `None` where it is something else. A field that is not there has none.
pub(super) fn texts(record: &Value, key: &str) -> Option<Vec<String>> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        _ => None,
    };
    let found = match record.get(key) {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(values)) => values.iter().map(one).collect(),
        Some(value) => one(value).map(|text| vec![text]),
    };
    found.map(|texts| texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// What a value is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

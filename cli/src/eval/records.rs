//! Records in files: a table, a JSON array, or one JSON value a line.

use anyhow::{Context, Result, ensure};
use banyan_extract::read;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// Where a record stands in its file, and its fields.
pub(super) type Record = (String, Map<String, Value>);

/// The values of a file of JSON lines with their numbers, from 1; empty lines are passed over.
///
/// # Errors
/// When it cannot be read, has none, or for the first line that is none, with what was `expected`.
pub fn lines<T: DeserializeOwned>(file: &Path, expected: &str) -> Result<Vec<(usize, T)>> {
    let place = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read"))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let parse = |(number, line): (usize, &str)| {
        let value = serde_json::from_str(line);
        let value = value.with_context(|| format!("{place} line {number}: expected {expected}"));
        Ok((number, value?))
    };
    let values: Vec<(usize, T)> = lines.map(parse).collect::<Result<_>>()?;
    ensure!(
        !values.is_empty(),
        "{place}: nothing in it; expected {expected}, one a line"
    );
    Ok(values)
}

/// The objects of a file by its kind: parquet, a JSON array, or one a line.
pub(super) fn records(file: &Path) -> Result<Vec<Record>> {
    let place = file.display().to_string();
    let bytes = fs::read(file).with_context(|| format!("{place}: cannot read"))?;
    if file
        .extension()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("parquet"))
    {
        let rows = (1..).zip(read::rows(&place, bytes)?);
        return Ok(rows.map(|(number, row)| (format!("row {number}"), row)).collect());
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{place}: not UTF-8"))?;
    parse(&text).with_context(|| place)
}

/// The objects in a text: those of a JSON array, or one a line.
pub(super) fn parse(text: &str) -> Result<Vec<Record>> {
    let text = text.trim_start_matches('\u{feff}');
    let values: Vec<(String, Value)> = if text.trim_start().starts_with('[') {
        let values: Vec<Value> = serde_json::from_str(text).context("expected a JSON array of objects")?;
        (1..)
            .zip(values)
            .map(|(n, value)| (format!("record {n}"), value))
            .collect()
    } else {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let value = |(n, line): (usize, &str)| {
            let value = serde_json::from_str(line);
            Ok((
                format!("line {n}"),
                value.with_context(|| format!("line {n}: no JSON object"))?,
            ))
        };
        lines.map(value).collect::<Result<_>>()?
    };
    ensure!(!values.is_empty(), "no questions; expected at least one");
    let object = |(place, value): (String, Value)| match value {
        Value::Object(fields) => Ok((place, fields)),
        other => anyhow::bail!("{place}: expected an object with a question; found {}", kind(&other)),
    };
    values.into_iter().map(object).collect()
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

/// The names of a record's fields, for an error.
pub(super) fn keys(record: &Map<String, Value>) -> String {
    let names: Vec<&str> = record.keys().take(12).map(String::as_str).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// The first of these fields that is a text or a number, as text.
pub(super) fn id(record: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match record.get(*key) {
        Some(Value::String(id)) if !id.trim().is_empty() => Some(id.trim().to_owned()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    })
}

//! Files of questions to records: tables, arrays, lines.

use anyhow::{Context, Result, bail};
use banyan_extract::read;
use serde_json::{Map, Value};
use std::path::Path;

/// A record with where it stands.
type Record = (String, Map<String, Value>);

/// Whether a file is a table rather than text.
fn is_table(file: &str) -> bool {
    let kind = Path::new(file).extension();
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("parquet"))
}

/// The records of a file by its kind: parquet, a JSON array (or an object with one), or JSON lines.
pub(super) fn records(file: &str, bytes: Vec<u8>) -> Result<Vec<Record>> {
    if is_table(file) {
        let rows = read::rows(file, bytes)?;
        return Ok((1..)
            .zip(rows)
            .map(|(number, row)| (format!("row {number}"), row))
            .collect());
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{file}: not UTF-8"))?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        let values: Vec<Value> = serde_json::from_str(text).with_context(|| format!("{file}: no array of JSON"))?;
        return numbered(file, "record", values.into_iter().zip(1..));
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let mut values = Vec::new();
    for (line, number) in lines {
        let value = serde_json::from_str(line).with_context(|| format!("{file}: line {number}: no JSON"))?;
        values.push((value, number));
    }
    numbered(file, "line", values.into_iter())
}

fn numbered(file: &str, what: &str, values: impl Iterator<Item = (Value, usize)>) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (value, number) in values {
        match value {
            Value::Object(record) => records.push((format!("{what} {number}"), record)),
            _ => bail!("{file}: {what} {number}: expected an object with `question` and `answer`"),
        }
    }
    Ok(records)
}

//! Records in files: a table, a JSON array, or one JSON value a line.

use anyhow::{Context, Result, ensure};
use banyan_extract::read;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};
use std::fs;
use std::path::Path;

/// The records of a file by its kind, each with its place: parquet, a JSON array, or one a line.
///
/// # Errors
/// When it cannot be read, has none, or for the first record that is not what is `expected`.
pub fn records<T: DeserializeOwned>(file: &Path, expected: &str) -> Result<Vec<(String, T)>> {
    let place = file.display().to_string();
    let bytes = fs::read(file).with_context(|| format!("{place}: cannot read"))?;
    if file
        .extension()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("parquet"))
    {
        let rows = (1..).zip(read::rows(&place, bytes)?);
        let rows = rows.map(|(number, row)| (format!("row {number}"), Value::Object(row)));
        return typed(rows.collect(), expected).with_context(|| place);
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{place}: not UTF-8"))?;
    parse(&text, expected).with_context(|| place)
}

/// The records in a text: those of a JSON array, or one a line.
pub(super) fn parse<T: DeserializeOwned>(text: &str, expected: &str) -> Result<Vec<(String, T)>> {
    let text = text.trim_start_matches('\u{feff}');
    let values: Vec<(String, Value)> = if text.trim_start().starts_with('[') {
        let values: Vec<Value> = serde_json::from_str(text).context("expected a JSON array of objects")?;
        let numbered = (1..).zip(values);
        numbered.map(|(n, value)| (format!("record {n}"), value)).collect()
    } else {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let value = |(n, line): (usize, &str)| {
            let value = serde_json::from_str(line);
            Ok((
                format!("line {n}"),
                value.with_context(|| format!("line {n}: expected {expected}"))?,
            ))
        };
        lines.map(value).collect::<Result<_>>()?
    };
    typed(values, expected)
}

fn typed<T: DeserializeOwned>(values: Vec<(String, Value)>, expected: &str) -> Result<Vec<(String, T)>> {
    ensure!(!values.is_empty(), "nothing in it; expected {expected}");
    let one = |(place, value): (String, Value)| {
        let found = match &value {
            Value::Object(fields) => fields
                .keys()
                .take(12)
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", "),
            other => other.to_string().chars().take(40).collect(),
        };
        let record = serde_json::from_value(value);
        let record = record.with_context(|| format!("{place}: expected {expected}; found {found}"))?;
        Ok((place, record))
    };
    values.into_iter().map(one).collect()
}

/// A text, or what is written as one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a number")]
enum Word {
    Text(String),
    Number(Number),
    Flag(bool),
}

/// One text or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text, or a list of texts")]
enum Words {
    One(Word),
    Several(Vec<Word>),
}

/// Texts without space around them, one or several in the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Words")]
pub(super) struct Texts(pub(super) Vec<String>);

impl From<Words> for Texts {
    fn from(words: Words) -> Self {
        let words = match words {
            Words::One(word) => vec![word],
            Words::Several(words) => words,
        };
        let text = |word| match word {
            Word::Text(text) => text.trim().to_owned(),
            Word::Number(number) => number.to_string(),
            Word::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
        };
        Self(words.into_iter().map(text).collect())
    }
}

impl Texts {
    /// All of them, a line each; `None` where they say nothing.
    pub(super) fn lines(self) -> Option<String> {
        Some(self.0.join("\n")).filter(|text| !text.is_empty())
    }
}

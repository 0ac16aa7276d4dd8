//! JSON and JSON lines: objects with a text and, usually, a title and an id.

use super::{MAX_LINE_BYTES, ReadError, long_line, origin, stem};
use banyan_engine::Document;
use serde_json::{Map, Value};

/// The fields of a record that make a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The one that holds the text; `text`, else `chunk`, where none is named.
    pub text: Option<String>,
    /// The one that holds the title; `title` where none is named.
    pub title: Option<String>,
}

impl Fields {
    /// Names of all fields that are looked for: of the text, the title, and the id.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = self.text();
        names.extend([self.title(), "id", "idx"]);
        names
    }

    /// Names of the fields that may hold the text.
    pub(super) fn text(&self) -> Vec<&str> {
        self.text
            .as_deref()
            .map_or_else(|| vec!["text", "chunk"], |name| vec![name])
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("title")
    }

    /// Says that these fields are not there.
    pub(super) fn refuse(&self, file: &str, place: &str, found: String) -> ReadError {
        ReadError::Shape {
            file: file.to_owned(),
            place: place.to_owned(),
            expected: format!(
                "an object with a string `{}` (and optional `{}` and `id`)",
                self.text()[0],
                self.title()
            ),
            found,
        }
    }
}

/// One document a line; blank lines are passed over.
pub(super) fn lines(file: &str, text: &str, fields: &Fields) -> Result<Vec<Document>, ReadError> {
    let mut documents = Vec::new();
    for (position, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = Place::new(file, format!("line {}", position + 1), fields);
        let value = serde_json::from_str(line).map_err(|error| place.refuse(without_line(&error)))?;
        documents.push(place.document(Some(position + 1), value)?);
    }
    Ok(documents)
}

/// One document an element, or a single object.
pub(super) fn array(file: &str, text: &str, fields: &Fields) -> Result<Vec<Document>, ReadError> {
    let whole = Place::new(file, "the file".to_owned(), fields);
    let value: Value = serde_json::from_str(text).map_err(|error| whole.refuse(error.to_string()))?;
    match value {
        Value::Array(records) if records.is_empty() => Err(whole.refuse("an empty array".to_owned())),
        Value::Array(records) => (1..)
            .zip(records)
            .map(|(number, record)| Place::new(file, format!("record {number}"), fields).document(None, record))
            .collect(),
        other => Ok(vec![whole.document(None, other)?]),
    }
}

/// One document a row of a table.
pub(super) fn records(file: &str, rows: Vec<Map<String, Value>>, fields: &Fields) -> Result<Vec<Document>, ReadError> {
    let numbered = (1..).zip(rows);
    let documents = numbered.map(|(number, row)| {
        let place = Place::new(file, format!("row {number}"), fields);
        place.document(None, Value::Object(row))
    });
    documents.collect()
}

/// Where a record stands, and what it should have.
struct Place<'a> {
    file: &'a str,
    at: String,
    fields: &'a Fields,
}

impl<'a> Place<'a> {
    fn new(file: &'a str, at: String, fields: &'a Fields) -> Self {
        Self { file, at, fields }
    }

    fn document(&self, line: Option<usize>, value: Value) -> Result<Document, ReadError> {
        let Value::Object(mut record) = value else {
            return Err(self.refuse(kind(&value).to_owned()));
        };
        let names = self.fields.text();
        let (name, text) = match names.iter().find_map(|name| Some((*name, record.remove(*name)?))) {
            Some((name, Value::String(text))) => (name, text),
            Some((name, other)) => return Err(self.refuse(format!("{} as `{name}`", kind(&other)))),
            None if record.contains_key("question") => {
                return Err(self.refuse("a `question`: is this a file of questions?".to_owned()));
            }
            None => return Err(self.refuse(missing(names[0], &record))),
        };
        if text.trim().is_empty() {
            return Err(self.refuse(format!("an empty `{name}`")));
        }
        if let Some((_, found)) = long_line(&text) {
            let found = format!("a `{name}` with a line of {found} bytes; at most {MAX_LINE_BYTES} are read");
            return Err(self.refuse(found));
        }
        let id = match record.get("id").or_else(|| record.get("idx")) {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(Value::Number(id)) => Some(id.to_string()),
            Some(other) => return Err(self.refuse(format!("{} as `id`", kind(other)))),
        };
        let name = self.fields.title();
        let title = match record.get(name) {
            Some(Value::String(title)) if !title.trim().is_empty() => title.trim().to_owned(),
            None | Some(Value::Null | Value::String(_)) => id.clone().unwrap_or_else(|| stem(self.file).to_owned()),
            Some(other) => return Err(self.refuse(format!("{} as `{name}`", kind(other)))),
        };
        Ok(Document::new(title, text, origin(self.file, id, line)))
    }

    fn refuse(&self, found: String) -> ReadError {
        self.fields.refuse(self.file, &self.at, found)
    }
}

/// That a field is not there, and which ones are.
fn missing(name: &str, record: &Map<String, Value>) -> String {
    let texts = record.iter().filter(|(_, value)| value.is_string());
    let names: Vec<String> = texts.map(|(name, _)| format!("`{name}`")).take(8).collect();
    if names.is_empty() {
        format!("no `{name}`")
    } else {
        format!("no `{name}`, but {}", names.join(", "))
    }
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

/// The message of an error within one line: its column counts, its line is known already.
fn without_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let cut = message.find(" at line ").unwrap_or(message.len());
    format!("{} at column {}", &message[..cut], error.column())
}

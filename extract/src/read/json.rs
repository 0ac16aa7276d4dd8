//! JSON and JSON lines: objects with a text and, usually, a title and an id.

use super::{MAX_LINE_BYTES, long_line, origin, refused, stem};
use crate::error::FileError;
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

    pub(super) fn text(&self) -> Vec<&str> {
        self.text
            .as_deref()
            .map_or_else(|| vec!["text", "chunk"], |name| vec![name])
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("title")
    }

    /// Says that these fields are not there.
    pub(super) fn refuse(&self, file: &str, place: &str, found: &str) -> FileError {
        let (text, title) = (self.text()[0], self.title());
        let expected = format!("an object with a string `{text}` (and optional `{title}` and `id`)");
        refused(file, format!("{place}: expected {expected}, found {found}"))
    }
}

/// One document a line; blank lines are passed over.
pub(super) fn lines(file: &str, text: &str, fields: &Fields) -> Result<Vec<Document>, FileError> {
    let numbered = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (usize, &str)| {
        let value = serde_json::from_str(line).map_err(|error| without_line(&error));
        let document = value.and_then(|value| document(file, Some(number), value, fields));
        document.map_err(|found| fields.refuse(file, &format!("line {number}"), &found))
    };
    numbered.map(read).collect()
}

/// One document an element, or a single object.
pub(super) fn array(file: &str, text: &str, fields: &Fields) -> Result<Vec<Document>, FileError> {
    let refuse = |found: String| fields.refuse(file, "the file", &found);
    match serde_json::from_str(text).map_err(|error| refuse(error.to_string()))? {
        Value::Array(items) if items.is_empty() => Err(refuse("an empty array".to_owned())),
        Value::Array(items) => records(file, "record", items, fields),
        other => Ok(vec![document(file, None, other, fields).map_err(refuse)?]),
    }
}

/// One document a record; `what` says what a record is.
pub(super) fn records(
    file: &str,
    what: &str,
    records: impl IntoIterator<Item = Value>,
    fields: &Fields,
) -> Result<Vec<Document>, FileError> {
    let read = |(number, record): (usize, Value)| {
        let document = document(file, None, record, fields);
        document.map_err(|found| fields.refuse(file, &format!("{what} {number}"), &found))
    };
    (1..).zip(records).map(read).collect()
}

/// The document of a record, or what is there instead.
fn document(file: &str, line: Option<usize>, value: Value, fields: &Fields) -> Result<Document, String> {
    let Value::Object(mut record) = value else {
        return Err(kind(&value).to_owned());
    };
    let names = fields.text();
    let (name, text) = match names.iter().find_map(|name| Some((*name, record.remove(*name)?))) {
        Some((name, Value::String(text))) => (name, text),
        Some((name, other)) => return Err(format!("{} as `{name}`", kind(&other))),
        None if record.contains_key("question") => return Err("a `question`: is this a file of questions?".to_owned()),
        None => return Err(missing(names[0], &record)),
    };
    if text.trim().is_empty() {
        return Err(format!("an empty `{name}`"));
    }
    if let Some((_, n)) = long_line(&text) {
        return Err(format!(
            "a `{name}` with a line of {n} bytes; at most {MAX_LINE_BYTES} are read"
        ));
    }
    let id = match record.get("id").or_else(|| record.get("idx")) {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        Some(other) => return Err(format!("{} as `id`", kind(other))),
    };
    let name = fields.title();
    let title = match record.get(name) {
        Some(Value::String(title)) if !title.trim().is_empty() => title.trim().to_owned(),
        None | Some(Value::Null | Value::String(_)) => id.clone().unwrap_or_else(|| stem(file).to_owned()),
        Some(other) => return Err(format!("{} as `{name}`", kind(other))),
    };
    Ok(Document::new(title, text, origin(file, id, line)))
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

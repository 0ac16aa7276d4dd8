//! Replies about columns and cells, read strictly.

use crate::record::literal::{self, unit_of};
use crate::reply::object;
use banyan_engine::Span;
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Cell, Column, Kind, Other, TableSchema, Value};
use serde_json::Value as Json;

/// Most columns that are taken from a reply, as the embedded induction makes at most.
const MAX_COLUMNS: usize = 60;
/// Most characters of a name, an example and a description. Arbitrary.
const MAX_NAME: usize = 60;
const MAX_DESCRIPTION: usize = 400;
/// Examples of a column.
const MAX_EXAMPLES: usize = 3;
/// How sure a cell is that a model read, whose quote stands in the document. Arbitrary: no model says how sure it is.
const QUOTED: f32 = 0.9;

/// Why a part of a reply is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordDefect {
    /// The call failed: there is no reply.
    Failed,
    /// The reply is no JSON object with what was asked for.
    Unreadable,
    /// A column without a usable name.
    Nameless,
    /// A column or a cell that was there before.
    Repeated,
    /// A kind of values that there is not.
    UnknownKind,
    /// More columns than a table has.
    TooMany,
    /// A cell of a column that was not asked for.
    UnknownColumn,
    /// A value that is none of the column's kind.
    WrongKind,
    /// A quote that does not stand in the document.
    Unfounded,
}

impl RecordDefect {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "call failed",
            Self::Unreadable => "reply is not what was asked for",
            Self::Nameless => "column without a name",
            Self::Repeated => "the same twice",
            Self::UnknownKind => "kind of values that there is not",
            Self::TooMany => "more columns than a table has",
            Self::UnknownColumn => "cell of no column",
            Self::WrongKind => "value of another kind",
            Self::Unfounded => "quote that the document does not have",
        }
    }
}

/// The columns of a reply with what a record is called; `None` where there are none.
pub(super) fn columns(reply: &str, note: &mut dyn FnMut(RecordDefect)) -> Option<(Option<String>, Vec<Column>)> {
    let object = object(reply, &["record", "columns"]);
    let list = object
        .as_ref()
        .and_then(|object| object.entries.get("columns")?.as_array());
    let Some(list) = list else {
        note(RecordDefect::Unreadable);
        return None;
    };
    let mut columns: Vec<Column> = Vec::new();
    for entry in list {
        match column(entry) {
            Ok(column) if columns.iter().any(|known| known.name == column.name) => note(RecordDefect::Repeated),
            Ok(_) if columns.len() == MAX_COLUMNS => note(RecordDefect::TooMany),
            Ok(column) => columns.push(column),
            Err(defect) => note(defect),
        }
    }
    let noun = object
        .as_ref()
        .and_then(|object| object.entries.get("record")?.as_str());
    let noun = noun
        .map(|noun| line(noun, MAX_NAME).to_lowercase())
        .filter(|noun| !noun.is_empty());
    (!columns.is_empty()).then_some((noun, columns))
}

fn column(entry: &Json) -> Result<Column, RecordDefect> {
    let text = |name: &str| entry.get(name).and_then(Json::as_str).unwrap_or("");
    let name = identifier(&line(text("name"), MAX_NAME));
    if name.is_empty() {
        return Err(RecordDefect::Nameless);
    }
    let kind = Kind::of_word(text("type")).ok_or(RecordDefect::UnknownKind)?;
    let examples = entry.get("examples").and_then(Json::as_array);
    let examples = examples.into_iter().flatten().take(MAX_EXAMPLES);
    let unit = line(text("unit"), MAX_NAME);
    Ok(Column {
        name,
        kind,
        description: line(text("description"), MAX_DESCRIPTION),
        examples: examples.map(|example| line(&scalar(example), MAX_NAME)).collect(),
        unit: Some(unit).filter(|unit| kind.is_number() && unit_of(unit).is_some()),
        nullable: true,
        references: None,
    })
}

/// The cells of a reply about a document, one a column in the schema's order. A second value of a column, quoted as well,
/// contradicts the first.
pub(super) fn cells(reply: &str, schema: &TableSchema, text: &str, note: &mut dyn FnMut(RecordDefect)) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); schema.columns.len()];
    let object = object(reply, &["cells"]);
    let list = object
        .as_ref()
        .and_then(|object| object.entries.get("cells")?.as_array());
    let Some(list) = list else {
        note(RecordDefect::Unreadable);
        return cells;
    };
    for entry in list {
        let name = entry.get("column").and_then(Json::as_str).unwrap_or("");
        let Some(at) = schema.position(&identifier(name)) else {
            note(RecordDefect::UnknownColumn);
            continue;
        };
        let read = cell(entry, &schema.columns[at], text);
        if !cells[at].value.is_null() {
            match read {
                Ok(Cell {
                    value,
                    span: Some(span),
                    ..
                }) if value != cells[at].value => cells[at].others.push(Other { value, span }),
                _ => note(RecordDefect::Repeated),
            }
            continue;
        }
        match read {
            Ok(cell) => cells[at] = cell,
            Err(defect) => note(defect),
        }
    }
    cells
}

fn cell(entry: &Json, column: &Column, text: &str) -> Result<Cell, RecordDefect> {
    let raw = entry.get("value").map(scalar).unwrap_or_default();
    if raw.trim().is_empty() {
        return Ok(Cell::default());
    }
    let value = literal::read(column, &raw).filter(|value| *value != Value::Null);
    let value = value.ok_or(RecordDefect::WrongKind)?;
    let quote = entry.get("quote").and_then(Json::as_str).unwrap_or("");
    let span = find(text, quote.trim()).ok_or(RecordDefect::Unfounded)?;
    Ok(Cell {
        value,
        raw: span.of(text).to_owned(),
        span: Some(span),
        confidence: QUOTED,
        others: Vec::new(),
    })
}

/// Where a quote stands, white space of any kind and length alike. An empty one stands nowhere.
fn find(text: &str, quote: &str) -> Option<Span> {
    if quote.is_empty() {
        return None;
    }
    if let Some(start) = text.find(quote) {
        return Some(Span::new(start, start + quote.len()));
    }
    let words: Vec<&str> = quote.split_whitespace().collect();
    let first = words.first()?;
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start;
        for word in &words {
            let rest = &text[end..];
            let gap = if end == start {
                0
            } else {
                rest.len() - rest.trim_start().len()
            };
            if !rest[gap..].starts_with(word) {
                return None;
            }
            end += gap + word.len();
        }
        Some(Span::new(start, end))
    })
}

/// A JSON scalar as text; nothing for what is none.
fn scalar(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Bool(is) => is.to_string(),
        _ => String::new(),
    }
}

/// One line of at most so many characters.
fn line(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|ch| !ch.is_control()).take(max).collect()
}

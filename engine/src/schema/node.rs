//! A text as a tree of values that know where they stand: what JSON and TOML have in common.
//!
//! Derived deserialisation runs on it, so that every mistake of shape has a place, and the checks after it can ask where
//! a definition stands.

use super::error::{SchemaError, SchemaFault};
use std::fmt;

mod json;
mod read;
mod toml;

/// Deepest nesting that a schema file can need, with room to spare; deeper text is refused before it is walked.
const MAX_DEPTH: usize = 16;

/// A language for schema files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, by `serde_json`.
    Json,
    /// TOML, by `toml`.
    Toml,
}

impl Format {
    /// By the file's extension, else by how the text begins: a JSON schema is an object, and no TOML begins with a brace.
    pub fn of(file: &str, text: &str) -> Self {
        let extension = file
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("json") => Self::Json,
            Some("toml") => Self::Toml,
            _ if text.trim_start().starts_with('{') => Self::Json,
            _ => Self::Toml,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "JSON",
            Self::Toml => "TOML",
        })
    }
}

/// A place in a text, for people: both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}

impl Place {
    /// The place of a byte offset. Cost O(offset).
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// A value and the byte at which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    at: usize,
    value: Value,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<(Key, Node)>),
}

/// A key of a table and the byte at which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    at: usize,
    text: String,
}

/// One step into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(&'static str),
    Item(usize),
}

/// What is wrong, and the byte at which it shows, where it is known.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) message: String,
    pub(super) at: Option<usize>,
}

impl Node {
    /// Reads a text. Cost O(length · depth).
    pub(super) fn parse(text: &str, format: Format) -> Result<Self, SchemaError> {
        let node = match format {
            Format::Json => json::parse(text),
            Format::Toml => toml::parse(text),
        };
        node.map_err(|mistake| {
            let fault = SchemaFault::Syntax {
                format,
                message: mistake.message,
            };
            SchemaError::new(fault, mistake.at.map(|at| Place::of(text, at)))
        })
    }

    /// The byte at which the value at the end of `path` begins; of the last part of the path that is there.
    pub(super) fn find(&self, path: &[Step]) -> usize {
        let next = path.split_first().and_then(|(step, rest)| {
            let inner = match (step, &self.value) {
                (Step::Key(key), _) => self.get(key)?,
                (Step::Item(at), Value::List(items)) => items.get(*at)?,
                _ => return None,
            };
            Some(inner.find(rest))
        });
        next.unwrap_or(self.at)
    }

    /// Whether this is a table with one of these keys.
    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.get(key).is_some())
    }

    fn get(&self, key: &str) -> Option<&Self> {
        let Value::Table(entries) = &self.value else {
            return None;
        };
        let entry = entries.iter().find(|(other, _)| other.text == key);
        entry.map(|(_, node)| node)
    }

    /// A table, unless a key stands twice.
    fn table(at: usize, entries: Vec<(Key, Self)>) -> Result<Self, Mistake> {
        let mut keys: Vec<&Key> = entries.iter().map(|(key, _)| key).collect();
        keys.sort_by(|a, b| (&a.text, a.at).cmp(&(&b.text, b.at)));
        match keys.windows(2).find(|pair| pair[0].text == pair[1].text) {
            Some(pair) => Err(Mistake {
                message: format!("the key `{}` stands twice", pair[1].text),
                at: Some(pair[1].at),
            }),
            None => Ok(Self {
                at,
                value: Value::Table(entries),
            }),
        }
    }
}

fn too_deep(at: usize) -> Mistake {
    Mistake {
        message: format!("nested deeper than {MAX_DEPTH} levels"),
        at: Some(at),
    }
}

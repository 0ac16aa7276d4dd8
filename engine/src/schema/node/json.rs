//! JSON to [`Node`]s: `serde_json` parses, and its raw values are slices of the text, which tells where they begin.

use super::{Key, MAX_DEPTH, Mistake, Node, Value, too_deep};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Reads a text. Cost O(length · depth).
pub(super) fn parse(text: &str) -> Result<Node, Mistake> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
        let lines: usize = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        mistake(&error, (lines + error.column().saturating_sub(1)).min(text.len()))
    })?;
    node(text, raw.get(), 0)
}

fn node(text: &str, raw: &str, depth: usize) -> Result<Node, Mistake> {
    // Addresses are only compared: `raw` is a slice of `text`, because raw values of a `&str` are borrowed from it.
    let at = raw.as_ptr().addr() - text.as_ptr().addr();
    if depth > MAX_DEPTH {
        return Err(too_deep(at));
    }
    let within = |raw: &RawValue| node(text, raw.get(), depth + 1);
    let refuse = |error| mistake(&error, at);
    let value = match raw.as_bytes().first() {
        Some(b'{') => {
            let entries: Entries = serde_json::from_str(raw).map_err(refuse)?;
            let entry = |(key, value): (&RawValue, &RawValue)| {
                let at = key.get().as_ptr().addr() - text.as_ptr().addr();
                let text = serde_json::from_str(key.get()).map_err(|error| mistake(&error, at))?;
                Ok((Key { at, text }, within(value)?))
            };
            return Node::table(at, entries.0.into_iter().map(entry).collect::<Result<_, _>>()?);
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(raw).map_err(refuse)?;
            Value::List(items.into_iter().map(within).collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::Text(serde_json::from_str(raw).map_err(refuse)?),
        Some(b'n') => Value::Null,
        Some(b't' | b'f') => Value::Bool(raw == "true"),
        _ => raw.parse().map_or_else(
            |_| serde_json::from_str(raw).map(Value::Float).map_err(refuse),
            |integer| Ok(Value::Integer(integer)),
        )?,
    };
    Ok(Node { at, value })
}

/// What the parser says, without its own account of the place, which is told once.
fn mistake(error: &serde_json::Error, at: usize) -> Mistake {
    let message = error.to_string();
    let cut = message.rfind(" at line ").unwrap_or(message.len());
    Mistake {
        message: message[..cut].to_owned(),
        at: Some(at),
    }
}

/// The entries of an object in order, repeated keys included.
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

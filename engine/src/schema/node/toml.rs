//! TOML to [`Node`]s: `toml` parses and tells the span of every key and value.

use super::{Key, MAX_DEPTH, Mistake, Node, Value, too_deep};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a text. Cost O(length).
pub(super) fn parse(text: &str) -> Result<Node, Mistake> {
    let root = DeTable::parse(text).map_err(|error| Mistake {
        message: error.message().to_owned(),
        at: Some(error.span().map_or(0, |span| span.start)),
    })?;
    table(root.span().start, root.get_ref(), 0)
}

fn node(spanned: &Spanned<DeValue<'_>>, depth: usize) -> Result<Node, Mistake> {
    let at = spanned.span().start;
    if depth > MAX_DEPTH {
        return Err(too_deep(at));
    }
    let value = match spanned.get_ref() {
        DeValue::Table(entries) => return table(at, entries, depth),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| node(item, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::Text(number.to_string()), Value::Integer),
        DeValue::Float(number) => number
            .as_str()
            .parse()
            .map_or_else(|_| Value::Text(number.to_string()), Value::Float),
        // No field of a schema is a date; as a text it is refused, or kept, where a text would be.
        DeValue::Datetime(date) => Value::Text(date.to_string()),
    };
    Ok(Node { at, value })
}

fn table(at: usize, entries: &DeTable<'_>, depth: usize) -> Result<Node, Mistake> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let text = AsRef::<str>::as_ref(key.get_ref()).to_owned();
        let at = key.span().start;
        Ok((Key { at, text }, node(value, depth + 1)?))
    };
    Node::table(at, entries.iter().map(entry).collect::<Result<_, _>>()?)
}

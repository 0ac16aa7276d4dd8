//! A value that a model wrote, made to fit the type that was asked for: item by item, everything else counted.

use crate::llm::json::Found;
use crate::stated::{Defect, DefectKind};
use serde_json::{Map, Value};

/// The first value that has a field of this object, within whatever it stands in: a wrapper, a list. The only list of an
/// object may stand for it, and so may one item of that list, or several objects in a row.
pub(super) fn find(found: &mut Found, schema: &Value) -> Option<Value> {
    if let Some(value) = found.values.iter().find_map(|value| within(value, schema)) {
        return Some(value.clone());
    }
    let (name, list) = only_list(schema)?;
    let item = &list["items"];
    let mut items: Vec<Value> = Vec::new();
    for value in &found.values {
        match value {
            Value::Array(values) => items.extend(values.iter().filter(|value| within(value, item).is_some()).cloned()),
            value => items.extend(within(value, item).cloned()),
        }
    }
    let is_empty_list = matches!(found.values.as_slice(), [Value::Array(values)] if values.is_empty());
    if items.is_empty() && !is_empty_list {
        return None;
    }
    found.defects.push(Defect::new(
        DefectKind::WrongShape,
        format!("no {name} around the items"),
    ));
    Some(Value::Object(Map::from_iter([(name.clone(), Value::Array(items))])))
}

/// The outermost object within a value that has a field of the schema.
fn within<'v>(value: &'v Value, schema: &Value) -> Option<&'v Value> {
    match value {
        Value::Object(entries) => {
            let properties = schema.get("properties")?.as_object()?;
            if properties
                .iter()
                .any(|(name, schema)| field(entries, name, schema).is_some())
            {
                return Some(value);
            }
            entries.values().find_map(|inner| within(inner, schema))
        }
        Value::Array(items) => items.iter().find_map(|item| within(item, schema)),
        _ => None,
    }
}

/// The only list of objects that an object has.
fn only_list(schema: &Value) -> Option<(&String, &Value)> {
    let mut lists = schema.get("properties")?.as_object()?.iter();
    let is_list = |(_, schema): &(&String, &Value)| !schema["items"]["properties"].is_null();
    lists.find(is_list).filter(|_| !lists.any(|entry| is_list(&entry)))
}

/// The value of a field by its name or another that it has; null counts as none.
pub(super) fn field<'v>(entries: &'v Map<String, Value>, name: &str, schema: &Value) -> Option<&'v Value> {
    let aliases = schema.get("x-aliases").and_then(Value::as_array).into_iter().flatten();
    let mut names = std::iter::once(name).chain(aliases.filter_map(Value::as_str));
    let named = names.find_map(|name| {
        let exact = entries.get(name);
        exact.or_else(|| {
            entries
                .iter()
                .rfind(|(key, _)| is_called(key, name))
                .map(|(_, value)| value)
        })
    });
    named.filter(|value| !value.is_null())
}

/// Whether two names differ in case and in marks between words only.
fn is_called(key: &str, name: &str) -> bool {
    letters_of(key).eq(letters_of(name))
}

fn letters_of(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|ch| ch.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

/// The value as the schema has it; `what` names it in defects. `None`, with a defect, where it says nothing there.
pub(super) fn fit(value: Value, schema: &Value, what: &str, defects: &mut Vec<Defect>) -> Option<Value> {
    match schema["type"].as_str() {
        Some("object") => object(value, schema, what, defects),
        Some("array") => Some(list(value, schema, what, defects)),
        Some("string") => text(&value, schema, what, defects),
        Some("boolean") => flag(&value).or_else(|| wrong(DefectKind::WrongType, what, defects)),
        Some("integer" | "number") => number(&value, schema).or_else(|| wrong(DefectKind::WrongType, what, defects)),
        _ => Some(value),
    }
}

fn wrong(kind: DefectKind, what: &str, defects: &mut Vec<Defect>) -> Option<Value> {
    defects.push(Defect::new(kind, what));
    None
}

fn object(value: Value, schema: &Value, what: &str, defects: &mut Vec<Defect>) -> Option<Value> {
    let order: Vec<&str> = schema["required"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let entries = match value {
        Value::Object(entries) => entries,
        Value::Array(parts) if parts.len() == order.len() && parts.iter().all(is_plain) => {
            order.iter().map(|name| (*name).to_owned()).zip(parts).collect()
        }
        Value::String(_) => Map::from_iter([((*order.first()?).to_owned(), value)]),
        _ => {
            defects.push(Defect::new(DefectKind::WrongShape, what));
            return None;
        }
    };
    let mut fitting = Map::new();
    for name in order {
        let schema = &schema["properties"][name];
        let has_default = schema.get("default").is_some();
        let is_list = schema["type"] == "array";
        let value = match field(&entries, name, schema) {
            Some(value) => fit(value.clone(), schema, name, defects),
            None if has_default || is_list => None,
            None => wrong(DefectKind::MissingField, name, defects),
        };
        match value {
            Some(value) => drop(fitting.insert(name.to_owned(), value)),
            None if is_list => drop(fitting.insert(name.to_owned(), Value::Array(Vec::new()))),
            None if has_default => {}
            None => return None,
        }
    }
    Some(Value::Object(fitting))
}

fn is_plain(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

fn list(value: Value, schema: &Value, what: &str, defects: &mut Vec<Defect>) -> Value {
    let mut items = match value {
        Value::Array(items) => items,
        Value::Null => Vec::new(),
        Value::Object(entries) if entries.is_empty() => Vec::new(),
        one => vec![one],
    };
    let most = schema["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok());
    if let Some(most) = most.filter(|most| items.len() > *most) {
        let detail = format!("{} beyond the first {most} of {what}", items.len() - most);
        defects.push(Defect::new(DefectKind::TooMany, detail));
        items.truncate(most);
    }
    let fitting = items
        .into_iter()
        .filter_map(|item| fit(item, &schema["items"], what, defects));
    Value::Array(fitting.collect())
}

fn text(value: &Value, schema: &Value, what: &str, defects: &mut Vec<Defect>) -> Option<Value> {
    let raw = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Array(items) if items.len() == 1 && is_plain(&items[0]) => {
            defects.push(Defect::new(DefectKind::WrongType, what));
            return text(&items[0], schema, what, defects);
        }
        _ => return wrong(DefectKind::WrongType, what, defects),
    };
    let shown = raw.chars().filter(|ch| !ch.is_control() || ch.is_whitespace());
    let line = shown
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let n_chars = line.chars().count() as u64;
    if schema["minLength"].as_u64().is_some_and(|least| n_chars < least) {
        return wrong(DefectKind::EmptyName, what, defects);
    }
    if schema["maxLength"].as_u64().is_some_and(|most| n_chars > most) {
        return wrong(DefectKind::TooLong, &format!("{what}: {line}"), defects);
    }
    let Some(names) = schema["enum"].as_array() else {
        return Some(line.into());
    };
    let named = names
        .iter()
        .find(|name| name.as_str().is_some_and(|name| is_called(&line, name)));
    named
        .cloned()
        .or_else(|| wrong(DefectKind::UnknownKind, &format!("{what}: {line}"), defects))
}

/// Yes or no, also as a word.
fn flag(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(true.into()),
            "false" | "no" => Some(false.into()),
            _ => None,
        },
        _ => None,
    }
}

/// A number in range, also where a word or a mark stands before it ("#2", "passage 2").
fn number(value: &Value, schema: &Value) -> Option<Value> {
    let number = match value {
        Value::Number(number) => number.clone(),
        Value::String(text) => {
            let digits = text
                .trim()
                .trim_start_matches(|ch: char| !ch.is_ascii_digit() && ch != '-');
            digits.parse().ok()?
        }
        _ => return None,
    };
    let amount = number.as_f64()?;
    let limit = |name: &str| schema[name].as_f64();
    let is_in_range = limit("minimum").is_none_or(|least| amount >= least)
        && limit("maximum").is_none_or(|most| amount <= most)
        && (schema["type"] == "number" || number.is_u64() || number.is_i64());
    is_in_range.then_some(Value::Number(number))
}

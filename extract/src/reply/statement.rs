//! The ways in which replies write entities, and what all statements share.

use super::attribute::{attribute, attributes_of, is_attribute};
use super::triple::{is_triple, triple};
use super::value::{Value, is_called};
use crate::stated::{DefectKind, Intake};

const NAME: [&str; 7] = ["name", "entity", "entityname", "text", "title", "id", "label"];
/// A graph's node that has a type beside its label is called by the label, not by its id.
const NAME_BESIDE_TYPE: [&str; 7] = ["name", "entity", "entityname", "text", "title", "label", "id"];
const TYPE: [&str; 7] = ["type", "entitytype", "category", "class", "kind", "schematype", "label"];
pub(super) const ATTRIBUTES: [&str; 3] = ["attributes", "properties", "attrs"];

/// Whether an object is a statement by itself: a triple, an attribute, or a thing with its attributes.
pub(super) fn is_one(value: &Value) -> bool {
    is_triple(value) || is_attribute(value) || (name_of(value).is_some() && value.field(&ATTRIBUTES).is_some())
}

/// Reads an object that is a statement by itself.
pub(super) fn read(value: &Value, intake: &mut Intake) {
    if is_triple(value) {
        triple(value, intake);
    } else if is_attribute(value) {
        attribute(value, intake);
    } else {
        entity(value, intake);
    }
}

/// The name of an object that stands for a thing.
fn name_of(value: &Value) -> Option<&Value> {
    let has_type = value.field(&["type", "entitytype"]).is_some();
    value.field(if has_type { &NAME_BESIDE_TYPE } else { &NAME })
}

/// Names, objects or pairs; types by name; names by type.
pub(super) fn entities(value: &Value, intake: &mut Intake) {
    match value {
        Value::List { items, .. } => items.iter().for_each(|item| entity(item, intake)),
        Value::Object { entries, .. } => {
            for (key, inner) in entries {
                match inner {
                    Value::List { items, .. } => {
                        let names = items
                            .iter()
                            .filter_map(|item| text_of(item, "entity", intake))
                            .collect::<Vec<_>>();
                        for name in &names {
                            intake.entity(name, Some(key));
                        }
                    }
                    _ => named_entity(key, inner, intake),
                }
            }
        }
        Value::Null => {}
        _ => wrong_shape("entities", value, intake),
    }
}

/// Types by entity: `{"Teak": "film"}`.
pub(super) fn entity_types(value: &Value, intake: &mut Intake) {
    match value {
        Value::Object { entries, .. } => {
            for (name, inner) in entries {
                named_entity(name, inner, intake);
            }
        }
        Value::Null => {}
        Value::List { items, .. } if items.iter().all(Value::is_container) => entities(value, intake),
        _ => wrong_shape("entity types", value, intake),
    }
}

/// An entity whose name is a key, with a type or an object behind it.
fn named_entity(name: &str, value: &Value, intake: &mut Intake) {
    match value {
        Value::Object { .. } if value.is_cut() => cut(name, intake),
        Value::Object { .. } => {
            let kind = value.field(&TYPE).and_then(|kind| text_of(kind, "type", intake));
            intake.entity(name, kind.as_deref());
            if let Some(more) = value.field(&ATTRIBUTES) {
                attributes_of(name, more, intake);
            }
        }
        Value::Null => intake.entity(name, None),
        _ => {
            let kind = text_of(value, "type", intake);
            intake.entity(name, kind.as_deref());
        }
    }
}

fn entity(value: &Value, intake: &mut Intake) {
    match value {
        Value::Text(name) => intake.entity(name, None),
        _ if value.is_cut() => cut("entity", intake),
        Value::Object { .. } => {
            let name = name_of(value).and_then(|name| text_of(name, "entity", intake));
            match name {
                Some(name) => named_entity(&name, value, intake),
                None => intake.defect(DefectKind::MissingField, "name of an entity"),
            }
        }
        Value::List { items, .. } => match items.as_slice() {
            [name] => entity(name, intake),
            [Value::Text(name), kind] => named_entity(name, kind, intake),
            _ => wrong_shape("entity", value, intake),
        },
        _ => {
            if let Some(name) = text_of(value, "entity", intake) {
                intake.entity(&name, None);
            }
        }
    }
}

/// A name from whatever stands in its place: a text; a number or truth value; an object with a name, which also names an
/// entity; a list of one. Anything but a text is counted.
pub(super) fn text_of(value: &Value, what: &str, intake: &mut Intake) -> Option<String> {
    let text = match value {
        Value::Text(text) => return Some(text.clone()),
        Value::Number(digits) => Some(digits.clone()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::List { items, is_cut: false } if items.len() == 1 => items[0].as_text().map(str::to_owned),
        Value::Object { is_cut: false, .. } => {
            let name = name_of(value).and_then(Value::as_text);
            if let (Some(name), Some(kind)) = (name, value.field(&["type", "entitytype"]).and_then(Value::as_text)) {
                intake.entity(name, Some(kind));
            }
            name.map(str::to_owned)
        }
        Value::Null => {
            intake.defect(DefectKind::MissingField, what);
            return None;
        }
        _ => None,
    };
    let (kind, detail) = match &text {
        Some(text) => (DefectKind::WrongType, format!("{what}: {text}")),
        None if value.is_cut() => (DefectKind::Truncated, what.to_owned()),
        None => (DefectKind::WrongShape, what.to_owned()),
    };
    intake.defect(kind, detail);
    text
}

/// Counts a statement in which the reply breaks off.
pub(super) fn cut(what: &str, intake: &mut Intake) {
    intake.defect(DefectKind::Truncated, what);
}

/// Counts a value that says nothing where it stands.
pub(super) fn wrong_shape(what: &str, value: &Value, intake: &mut Intake) {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::Text(_) => "a text",
        Value::List { .. } => "a list",
        Value::Object { .. } => "an object",
    };
    let kind = if value.is_cut() {
        DefectKind::Truncated
    } else {
        DefectKind::WrongShape
    };
    intake.defect(kind, format!("{what}: {found}"));
}

/// Whether a key stands for one of these names.
pub(super) fn is_any(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| is_called(key, name))
}

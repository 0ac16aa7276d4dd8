//! The ways in which replies write attributes.

use super::statement::{ATTRIBUTES, cut, text_of, wrong_shape};
use super::value::Value;
use crate::stated::{DefectKind, Intake};

const OWNER: [&str; 7] = ["entity", "entityname", "subject", "head", "of", "name", "e"];
const ATTRIBUTE: [&str; 7] = ["attribute", "attributename", "key", "property", "attr", "name", "a"];
const VALUE: [&str; 4] = ["value", "attributevalue", "val", "v"];

/// Whether an object is an attribute by itself.
pub(super) fn is_attribute(value: &Value) -> bool {
    [&OWNER[..], &ATTRIBUTE, &VALUE]
        .iter()
        .all(|names| value.field(names).is_some())
}

/// Objects or lists of three; or by entity, in any way that [`attributes_of`] reads.
pub(super) fn attributes(value: &Value, intake: &mut Intake) {
    match value {
        Value::List { items, .. } => items.iter().for_each(|item| attribute(item, intake)),
        Value::Object { .. } if is_attribute(value) => attribute(value, intake),
        Value::Object { entries, .. } => {
            for (entity, inner) in entries {
                attributes_of(entity, inner, intake);
            }
        }
        Value::Null => {}
        _ => wrong_shape("attributes", value, intake),
    }
}

pub(super) fn attribute(value: &Value, intake: &mut Intake) {
    match value {
        _ if value.is_cut() => cut("attribute", intake),
        Value::List { items, .. } => match items.as_slice() {
            [entity, name, inner] => {
                if let (Some(entity), Some(name)) =
                    (text_of(entity, "entity", intake), text_of(name, "attribute", intake))
                {
                    property(&entity, &name, inner, intake);
                }
            }
            _ => wrong_shape("attribute", value, intake),
        },
        Value::Object { entries, .. } => {
            let Some(entity) = value.field(&OWNER) else {
                // One entity an object, `[{"Teak": ["year: 1999"]}]`.
                let is_nested = !entries.is_empty() && entries.iter().all(|(_, inner)| inner.is_container());
                if is_nested {
                    return attributes(value, intake);
                }
                return intake.defect(DefectKind::MissingField, "entity of an attribute");
            };
            let Some(entity) = text_of(entity, "entity", intake) else {
                return;
            };
            match (value.field(&ATTRIBUTES), value.field(&ATTRIBUTE), value.field(&VALUE)) {
                (Some(more), _, _) => attributes_of(&entity, more, intake),
                (_, Some(name), Some(inner)) => {
                    if let Some(name) = text_of(name, "attribute", intake) {
                        property(&entity, &name, inner, intake);
                    }
                }
                (_, None, _) => intake.defect(DefectKind::MissingField, format!("attribute of {entity}")),
                (_, _, None) => intake.defect(DefectKind::MissingField, format!("value of an attribute of {entity}")),
            }
        }
        _ => wrong_shape("attribute", value, intake),
    }
}

/// What is said of one entity: values by name, lines `name: value`, pairs, or objects.
pub(super) fn attributes_of(entity: &str, value: &Value, intake: &mut Intake) {
    match value {
        Value::Object { .. } if value.is_cut() => cut(entity, intake),
        Value::Object { entries, .. } => match (value.field(&ATTRIBUTE), value.field(&VALUE)) {
            (Some(name), Some(inner)) => {
                if let Some(name) = text_of(name, "attribute", intake) {
                    property(entity, &name, inner, intake);
                }
            }
            _ => entries
                .iter()
                .for_each(|(name, inner)| property(entity, name, inner, intake)),
        },
        Value::List { items, .. } => match items.as_slice() {
            [Value::Text(name), inner] if !has_name(name) && !matches!(inner, Value::Text(text) if has_name(text)) => {
                property(entity, name, inner, intake);
            }
            _ => items.iter().for_each(|item| attributes_of(entity, item, intake)),
        },
        Value::Text(line) => match line.split_once([':', '：', '=']) {
            Some((name, inner)) => intake.attribute(entity, name, inner),
            None => intake.defect(DefectKind::MissingField, format!("attribute of {entity}: {line}")),
        },
        Value::Null => {}
        _ => wrong_shape("attributes of one entity", value, intake),
    }
}

/// One attribute for each value. Numbers and truth values are values like any other.
fn property(entity: &str, name: &str, value: &Value, intake: &mut Intake) {
    match value {
        Value::Number(digits) => intake.attribute(entity, name, digits),
        Value::Bool(truth) => intake.attribute(entity, name, if *truth { "true" } else { "false" }),
        Value::List { items, is_cut: false } => {
            let values = items.iter().filter(|item| !matches!(item, Value::List { .. }));
            values.for_each(|item| property(entity, name, item, intake));
        }
        Value::Null => intake.defect(DefectKind::MissingField, format!("value of {name} of {entity}")),
        _ => {
            if let Some(text) = text_of(value, "value", intake) {
                intake.attribute(entity, name, &text);
            }
        }
    }
}

/// Whether a line names the attribute whose value it gives.
fn has_name(line: &str) -> bool {
    line.contains([':', '：', '='])
}

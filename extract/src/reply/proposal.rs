//! The ways in which replies propose elements for the schema (Eq. 3, Youtu-GraphRAG).

use super::statement::{is_any, text_of, wrong_shape};
use super::value::Value;
use crate::stated::{DefectKind, Intake, NewType, NewTypeKind};
use banyan_engine::schema::ValueKind;

const NAME: [&str; 4] = ["name", "type", "label", "id"];
const DESCRIPTION: [&str; 3] = ["description", "definition", "meaning"];
const DOMAIN: [&str; 6] = ["domain", "head", "subject", "source", "from", "of"];
const RANGE: [&str; 5] = ["range", "tail", "object", "target", "to"];
const VALUE: [&str; 5] = ["value", "valuekind", "valuetype", "datatype", "kind"];
const KIND: [&str; 4] = ["kind", "element", "category", "list"];

/// Three lists by kind, or one list of objects that name their kind.
pub(super) fn read(value: &Value, intake: &mut Intake) {
    match value {
        Value::Object { entries, .. } => {
            for (key, inner) in entries {
                match kind_of(key) {
                    Some(kind) => elements(kind, inner, intake),
                    None if is_nothing(inner) => {}
                    None => intake.defect(DefectKind::UnknownKind, key),
                }
            }
        }
        Value::List { items, .. } => {
            for item in items {
                let kind = item.field(&KIND).and_then(Value::as_text);
                match kind.and_then(kind_of) {
                    Some(kind) => element(kind, item, intake),
                    None => intake.defect(DefectKind::UnknownKind, kind.unwrap_or("none")),
                }
            }
        }
        Value::Null => {}
        _ => wrong_shape("new schema types", value, intake),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List { items, .. } => items.is_empty(),
        Value::Object { entries, .. } => entries.is_empty(),
        _ => false,
    }
}

fn kind_of(name: &str) -> Option<NewTypeKind> {
    if is_any(
        name,
        &[
            "nodes",
            "node",
            "entities",
            "entity",
            "entitytypes",
            "entitytype",
            "types",
        ],
    ) {
        Some(NewTypeKind::EntityType)
    } else if is_any(
        name,
        &[
            "relations",
            "relation",
            "relationtypes",
            "relationtype",
            "relationships",
            "edges",
        ],
    ) {
        Some(NewTypeKind::Relation)
    } else if is_any(
        name,
        &[
            "attributes",
            "attribute",
            "attributetypes",
            "attributetype",
            "properties",
        ],
    ) {
        Some(NewTypeKind::Attribute)
    } else {
        None
    }
}

/// Names or objects; descriptions or objects by name.
fn elements(kind: NewTypeKind, value: &Value, intake: &mut Intake) {
    match value {
        Value::List { items, .. } => items.iter().for_each(|item| element(kind, item, intake)),
        Value::Object { entries, .. } if value.field(&NAME).is_none() => {
            for (name, inner) in entries {
                let description = inner.as_text().unwrap_or_default();
                propose(kind, name, description, inner, intake);
            }
        }
        Value::Object { .. } | Value::Text(_) => element(kind, value, intake),
        Value::Null => {}
        _ => wrong_shape("new schema types", value, intake),
    }
}

/// A name, `name: description`, or an object.
fn element(kind: NewTypeKind, value: &Value, intake: &mut Intake) {
    match value {
        _ if value.is_cut() => intake.defect(DefectKind::Truncated, "new schema type"),
        Value::Text(line) => {
            let (name, description) = line.split_once(": ").unwrap_or((line, ""));
            propose(kind, name, description, &Value::Null, intake);
        }
        Value::Object { .. } => match value.field(&NAME) {
            Some(name) => {
                if let Some(name) = text_of(name, "new schema type", intake) {
                    let description = value.field(&DESCRIPTION).and_then(Value::as_text);
                    propose(kind, &name, description.unwrap_or_default(), value, intake);
                }
            }
            None => intake.defect(DefectKind::MissingField, "name of a new schema type"),
        },
        _ => wrong_shape("new schema type", value, intake),
    }
}

/// A proposal whose further fields stand in `more`, where that is an object.
fn propose(kind: NewTypeKind, name: &str, description: &str, more: &Value, intake: &mut Intake) {
    let description = match more.field(&DESCRIPTION).and_then(Value::as_text) {
        Some(text) if description.is_empty() => text,
        _ => description,
    };
    let is_attribute = kind == NewTypeKind::Attribute;
    let value = more.field(&VALUE).and_then(Value::as_text).filter(|_| is_attribute);
    let has_range = kind == NewTypeKind::Relation;
    intake.new_type(&NewType {
        kind,
        name: name.to_owned(),
        description: description.to_owned(),
        domain: if kind == NewTypeKind::EntityType {
            Vec::new()
        } else {
            names(more.field(&DOMAIN))
        },
        range: if has_range {
            names(more.field(&RANGE))
        } else {
            Vec::new()
        },
        value: value.and_then(value_kind),
    });
}

/// A text or a list of texts.
fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Text(name)) if !name.is_empty() => vec![name.clone()],
        Some(Value::List { items, .. }) => items.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn value_kind(name: &str) -> Option<ValueKind> {
    let kinds: [(&[&str], ValueKind); 5] = [
        (&["text", "string", "str"], ValueKind::Text),
        (&["number", "integer", "int", "float", "count"], ValueKind::Number),
        (&["date", "datetime", "year", "time"], ValueKind::Date),
        (&["quantity", "measure", "measurement"], ValueKind::Quantity),
        (&["enum", "category", "choice"], ValueKind::Enum),
    ];
    kinds
        .into_iter()
        .find(|(names, _)| is_any(name, names))
        .map(|(_, kind)| kind)
}

//! The ways in which replies write triples.

use super::statement::{cut, text_of, wrong_shape};
use super::value::Value;
use crate::stated::{DefectKind, Intake};

const HEAD: [&str; 11] = [
    "head",
    "subject",
    "headentity",
    "source",
    "from",
    "sourceentity",
    "start",
    "startnode",
    "entity1",
    "h",
    "s",
];
const RELATION: [&str; 10] = [
    "relation",
    "predicate",
    "relationship",
    "relationtype",
    "edge",
    "label",
    "property",
    "type",
    "r",
    "p",
];
const TAIL: [&str; 11] = [
    "tail",
    "object",
    "tailentity",
    "target",
    "to",
    "targetentity",
    "end",
    "endnode",
    "entity2",
    "t",
    "o",
];

/// Whether an object is a triple by itself.
pub(super) fn is_triple(value: &Value) -> bool {
    [&HEAD[..], &RELATION, &TAIL]
        .iter()
        .all(|names| value.field(names).is_some())
}

/// Objects, lists of three, or lines; relations and tails by head.
pub(super) fn triples(value: &Value, intake: &mut Intake) {
    match value {
        Value::List { items, .. } => match items.as_slice() {
            [Value::Text(head), Value::Text(relation), Value::Text(tail)]
                if [head, relation, tail].iter().all(|text| split3(text).is_none()) =>
            {
                intake.triple(head, relation, tail);
            }
            _ => items.iter().for_each(|item| triple(item, intake)),
        },
        Value::Object { .. } if is_triple(value) => triple(value, intake),
        Value::Object { entries, .. } => {
            for (head, inner) in entries {
                by_head(head, inner, intake);
            }
        }
        Value::Null => {}
        _ => wrong_shape("triples", value, intake),
    }
}

/// `{"director": "Mara Voss"}` or `[["director", "Mara Voss"]]` of one head.
fn by_head(head: &str, value: &Value, intake: &mut Intake) {
    match value {
        _ if value.is_cut() => cut(head, intake),
        Value::Object { entries, .. } => {
            for (relation, tail) in entries {
                expand(head, relation, tail, intake);
            }
        }
        Value::List { items, .. } => {
            for item in items {
                match item {
                    Value::List { items, is_cut: false } if items.len() == 2 => {
                        if let Some(relation) = text_of(&items[0], "relation", intake) {
                            expand(head, &relation, &items[1], intake);
                        }
                    }
                    _ => wrong_shape("triples of one head", item, intake),
                }
            }
        }
        _ => wrong_shape("triples of one head", value, intake),
    }
}

pub(super) fn triple(value: &Value, intake: &mut Intake) {
    match value {
        _ if value.is_cut() => cut("triple", intake),
        Value::List { items, .. } => match items.as_slice() {
            [head, relation, tail] => write(head, relation, tail, intake),
            _ => wrong_shape("triple", value, intake),
        },
        Value::Object { .. } => match (value.field(&HEAD), value.field(&RELATION), value.field(&TAIL)) {
            (Some(head), Some(relation), Some(tail)) => write(head, relation, tail, intake),
            (head, relation, _) => {
                let missing = match (head, relation) {
                    (None, _) => "head",
                    (_, None) => "relation",
                    _ => "tail",
                };
                intake.defect(DefectKind::MissingField, format!("{missing} of a triple"));
            }
        },
        Value::Text(line) => match split3(line) {
            Some([head, relation, tail]) => {
                intake.defect(DefectKind::WrongType, "a triple as one text");
                intake.triple(head, relation, tail);
            }
            None => wrong_shape("triple", value, intake),
        },
        _ => wrong_shape("triple", value, intake),
    }
}

/// A triple whose parts are values; an end that is an object also names an entity.
fn write(head: &Value, relation: &Value, tail: &Value, intake: &mut Intake) {
    if let (Some(head), Some(relation)) = (text_of(head, "head", intake), text_of(relation, "relation", intake)) {
        expand(&head, &relation, tail, intake);
    }
}

/// One triple for each tail.
fn expand(head: &str, relation: &str, tail: &Value, intake: &mut Intake) {
    match tail {
        Value::List { items, is_cut: false } if items.len() > 1 => {
            intake.defect(DefectKind::WrongType, "several tails in one triple");
            for item in items {
                if let Some(tail) = text_of(item, "tail", intake) {
                    intake.triple(head, relation, &tail);
                }
            }
        }
        _ => {
            if let Some(tail) = text_of(tail, "tail", intake) {
                intake.triple(head, relation, &tail);
            }
        }
    }
}

/// A line as head, relation and tail, if it is certain where they end.
fn split3(line: &str) -> Option<[&str; 3]> {
    let inner = line
        .trim()
        .trim_start_matches(['(', '<', '['])
        .trim_end_matches([')', '>', ']']);
    let separators = ["|", "\t", "->", ";", ","];
    separators.iter().find_map(|separator| {
        let parts: Vec<&str> = inner.split(separator).take(4).map(str::trim).collect();
        <[&str; 3]>::try_from(parts).ok()
    })
}

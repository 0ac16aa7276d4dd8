//! The JSON schema of a reply, for endpoints that hold a model to one.
//!
//! Endpoints make a model write properties in the order of the form, and a form keeps them in the order of their names. So
//! names are chosen for their order: `about` comes first, so that a reply that breaks off still says which passage it is
//! about, and `proposed_types` come after the passages that show that they are needed. The prompt has the same order.

use super::Vocabulary;
use banyan_engine::Schema;
use banyan_engine::llm::ReplyShape;
use serde_json::{Value, json};

/// Most names of the schema that a reply's form lists; with more, any text is admitted. Endpoints have limits, of which the
/// lowest that is documented is 500 for a whole form.
const MAX_NAMES: usize = 160;

/// The form of a reply about any number of passages. In a closed vocabulary types, relations and attributes can only be
/// those of the schema.
pub(super) fn reply_shape(schema: &Schema, vocabulary: Vocabulary) -> ReplyShape {
    let is_closed = vocabulary == Vocabulary::Closed;
    let names = |names: Vec<&str>| {
        if is_closed && (1..=MAX_NAMES).contains(&names.len()) {
            json!({"type": "string", "enum": names})
        } else {
            text()
        }
    };
    let kind = names(schema.entity_types().iter().map(|kind| kind.name.as_str()).collect());
    let relation = names(
        super::prompt::relations(schema)
            .map(|relation| relation.name.as_str())
            .collect(),
    );
    let attribute = names(schema.attributes().iter().map(|kind| kind.name.as_str()).collect());
    let passage = object(&[
        ("about", json!({"type": "integer"})),
        (
            "attributes",
            list(&object(&[
                ("attribute", attribute),
                ("entity", text()),
                ("value", text()),
            ])),
        ),
        ("entities", list(&object(&[("name", text()), ("type", kind)]))),
        (
            "triples",
            list(&object(&[("head", text()), ("relation", relation), ("tail", text())])),
        ),
    ]);
    let mut fields = vec![("passages", list(&passage))];
    if !is_closed {
        let node = object(&[("name", text()), ("description", text())]);
        let relation = [
            ("name", text()),
            ("description", text()),
            ("domain", list(&text())),
            ("range", list(&text())),
        ];
        let kinds = json!({"type": "string", "enum": ["text", "number", "date", "quantity", "enum"]});
        let attribute = [
            ("name", text()),
            ("description", text()),
            ("domain", list(&text())),
            ("kind", kinds),
        ];
        let proposed = [
            ("attributes", list(&object(&attribute))),
            ("entity_types", list(&node)),
            ("relations", list(&object(&relation))),
        ];
        fields.push(("proposed_types", object(&proposed)));
    }
    ReplyShape {
        name: "extraction".to_owned(),
        schema: object(&fields),
    }
}

fn text() -> Value {
    json!({"type": "string"})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

/// An object that has exactly these fields.
fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = fields
        .iter()
        .map(|(name, form)| ((*name).to_owned(), form.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

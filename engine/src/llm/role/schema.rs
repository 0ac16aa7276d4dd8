//! The JSON schema of a reply, derived from its type.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Most names that a form lists for one text; with more, any text is admitted. Endpoints have limits, of which the lowest
/// that is documented is 500 for a whole form.
const MAX_NAMES: usize = 160;
/// What a schema says for reading a reply, which endpoints do not take.
const UNSENT: [&str; 8] = [
    "default",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "x-aliases",
];

/// What replies of this type are held against: types, limits, other names; `required` has every field in the order of its
/// declaration.
pub(super) fn of<T: JsonSchema>() -> Value {
    // Only what is written by a type has all its fields, so the order of all of them is told in that direction alone.
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    simplify(&mut schema);
    schema
}

/// Enums as lists of names, options as what they hold and null for a default; without titles, descriptions and formats.
fn simplify(schema: &mut Value) {
    let Value::Object(entries) = schema else { return };
    for name in ["title", "description", "format"] {
        entries.remove(name);
    }
    for alternatives in ["anyOf", "oneOf"] {
        if let Some(Value::Array(kinds)) = entries.remove(alternatives) {
            unite(entries, kinds);
        }
    }
    if let Some(Value::Array(kinds)) = entries.get("type")
        && let Some(kind) = kinds.iter().find(|kind| *kind != "null").cloned()
    {
        entries.insert("type".to_owned(), kind);
        entries.insert("default".to_owned(), Value::Null);
    }
    if let Some(items) = entries.get_mut("items") {
        simplify(items);
    }
    if let Some(Value::Object(properties)) = entries.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
}

/// One schema of several: variants without fields become a list of names, null a default.
fn unite(entries: &mut Map<String, Value>, kinds: Vec<Value>) {
    let mut names = Vec::new();
    for mut kind in kinds {
        simplify(&mut kind);
        let Value::Object(mut kind) = kind else { continue };
        if kind.get("type").is_some_and(|name| name == "null") {
            entries.insert("default".to_owned(), Value::Null);
        } else if let Some(name) = kind.remove("const") {
            names.push(name);
        } else if let Some(Value::Array(more)) = kind.remove("enum") {
            names.extend(more);
        } else {
            entries.extend(kind);
        }
    }
    if !names.is_empty() {
        entries.insert("type".to_owned(), "string".into());
        entries.insert("enum".to_owned(), names.into());
    }
}

/// The form that an endpoint holds a model to: every property required, no others admitted.
pub(super) fn sent(schema: &Value) -> Value {
    let Value::Object(entries) = schema else {
        return schema.clone();
    };
    let mut form = Map::new();
    for (name, value) in entries.iter().filter(|(name, _)| !UNSENT.contains(&name.as_str())) {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(name, schema)| (name.clone(), sent(schema)))
                .collect(),
            ("items", items) => sent(items),
            _ => value.clone(),
        };
        form.insert(name.clone(), value);
    }
    if form.contains_key("properties") {
        form.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(form)
}

/// Lists the names that are admitted for the text at `path`; false where there is none.
pub(super) fn set_names(form: &mut Value, path: &str, names: &[&str]) -> bool {
    let mut at = form;
    for field in path.split('.') {
        if at.get("items").is_some() {
            at = &mut at["items"];
        }
        let Some(next) = at
            .get_mut("properties")
            .and_then(|properties| properties.get_mut(field))
        else {
            return false;
        };
        at = next;
    }
    if at.get("items").is_some() {
        at = &mut at["items"];
    }
    let is_text = at["type"] == "string";
    if is_text && (1..=MAX_NAMES).contains(&names.len()) {
        at["enum"] = json!(names);
    }
    is_text
}

/// Takes a field out of an object; false where there is none.
pub(super) fn remove(form: &mut Value, field: &str) -> bool {
    if let Some(Value::Array(required)) = form.get_mut("required") {
        required.retain(|name| name != field);
    }
    let properties = form.get_mut("properties").and_then(Value::as_object_mut);
    properties.is_some_and(|properties| properties.remove(field).is_some())
}

/// A schema as text, properties in the order in which `required` lists them: models write them in that order.
pub(in crate::llm) fn in_order(schema: &Value) -> String {
    let (Some(Value::Object(properties)), Some(required)) = (
        schema.get("properties"),
        schema.get("required").and_then(Value::as_array),
    ) else {
        return match schema {
            Value::Object(entries) => object(entries.iter().map(|(name, value)| (name, in_order(value)))),
            other => other.to_string(),
        };
    };
    let place = |name: &str| required.iter().position(|listed| listed == name);
    let mut ordered: Vec<_> = properties.iter().collect();
    ordered.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    let properties = object(ordered.into_iter().map(|(name, value)| (name, in_order(value))));
    let entries = schema.as_object().into_iter().flatten();
    object(entries.map(|(name, value)| match name.as_str() {
        "properties" => (name, properties.clone()),
        _ => (name, in_order(value)),
    }))
}

fn object<'a>(entries: impl Iterator<Item = (&'a String, String)>) -> String {
    let entries: Vec<String> = entries
        .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())))
        .collect();
    format!("{{{}}}", entries.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its form is looked at")]
    struct Plan {
        #[schemars(length(max = 8))]
        steps: Vec<Step>,
        #[serde(default)]
        assessment: String,
        is_done: Option<bool>,
    }

    /// A step.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its form is looked at")]
    struct Step {
        /// Its words.
        #[schemars(length(min = 1, max = 300), extend("x-aliases" = ["question"]))]
        ask: String,
        level: Option<Level>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Level {
        /// Documented variants become alternatives.
        Node,
        Triple,
    }

    #[test]
    fn a_form_is_strict_inline_and_in_the_order_of_the_type() {
        let form = sent(&of::<Plan>());
        assert_eq!(
            in_order(&form),
            r#"{"additionalProperties":false,"properties":{"steps":{"items":{"additionalProperties":false,"properties":{"ask":{"type":"string"},"level":{"enum":["triple","node"],"type":"string"}},"required":["ask","level"],"type":"object"},"type":"array"},"assessment":{"type":"string"},"is_done":{"type":"boolean"}},"required":["steps","assessment","is_done"],"type":"object"}"#
        );
    }

    #[test]
    fn names_that_data_allow_are_listed_where_the_path_leads() {
        let mut form = sent(&of::<Plan>());
        assert!(set_names(&mut form, "steps.ask", &["who", "when"]));
        assert_eq!(
            form["properties"]["steps"]["items"]["properties"]["ask"]["enum"],
            json!(["who", "when"])
        );
        assert!(set_names(&mut form, "assessment", &[]));
        assert_eq!(form["properties"]["assessment"], json!({"type": "string"}));
        assert!(!set_names(&mut form, "steps.answer", &["who"]));
        assert!(!set_names(&mut form, "is_done", &[]));
    }
}

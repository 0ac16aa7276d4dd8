//! What is refused, and how it is told.

use super::*;

/// Expects `text` to be refused with exactly this line.
fn check(text: &str, expected: &str) {
    let error = Schema::read("sea.json", text).unwrap_err();
    assert_eq!(error.to_string(), format!("sea.json:{expected}"));
}

#[test]
fn text_of_another_shape_is_told_with_its_place() {
    check(
        "{\"name\": \"sea\",\n \"entity_typos\": []}",
        "2:15: not a schema: unknown field `entity_typos`, expected one of `name`, `version`, `entity_types`, \
         `relations`, `attributes`",
    );
    check(
        r#"{"name": "sea", "entity_types": [{"name": "ship", "aliases": [7]}]}"#,
        "1:63: not a schema: invalid type: integer `7`, expected a string",
    );
    check(r#"{"relations": []}"#, "1:17: not a schema: missing field `name`");
    check("not JSON", "1:2: not a schema: expected ident");
    check("", "1:0: not a schema: EOF while parsing a value");
    check(
        "{\"name\": \"a\",\n \"name\": \"b\"}",
        "2:7: not a schema: duplicate field `name`",
    );
    let deep = "[".repeat(100_000);
    check(&deep, "1:0: not a schema: invalid type: sequence, expected a map");
    let error = Schema::read("a.json", &format!("{{\"name\": {deep}")).unwrap_err();
    assert!(error.to_string().contains("recursion limit"), "{error}");
}

#[test]
fn an_empty_schema_is_refused_with_what_to_add() {
    for text in [
        r#"{"name": "sea"}"#,
        r#"{"name": "sea", "entity_types": [{"name": "thing"}]}"#,
        r#"{"Nodes": []}"#,
    ] {
        check(
            text,
            " the schema is empty and would admit no fact; add at least one entry to `entity_types`, `relations` or \
             `attributes`",
        );
    }
}

#[test]
fn two_spellings_of_one_name_are_refused() {
    check(
        r#"{"name": "sea", "entity_types": [{"name": "ship"}, {"name": "ship"}]}"#,
        " entity type `ship` is defined twice; expected unique names",
    );
    check(
        r#"{"name": "sea", "relations": [{"name": "Built By"}, {"name": "builtBy"}]}"#,
        " relation `built_by` is defined twice; expected unique names, and `Built By` and `builtBy` are one",
    );
    check(
        r#"{"name": "sea", "relations": [{"name": "—"}]}"#,
        " relation `—` has no name; expected one with letters or digits",
    );
}

#[test]
fn a_name_that_is_not_defined_is_refused() {
    check(
        r#"{"name": "sea", "entity_types": [{"name": "sea"}], "relations": [{"name": "r", "domain": ["sea", "ship"]}]}"#,
        " relation `r`: its domain names `ship`, which the schema does not define",
    );
    check(
        r#"{"name": "sea", "entity_types": [{"name": "ship", "parent": "vessel"}]}"#,
        " entity type `ship`: its parent names `vessel`, which the schema does not define",
    );
}

#[test]
fn parents_that_form_a_cycle_are_named() {
    check(
        r#"{"name": "sea", "entity_types": [{"name": "brig", "parent": "ship"}, {"name": "ship", "parent": "vessel"},
            {"name": "vessel", "parent": "ship"}]}"#,
        " the parents of entity types form a cycle (ship → vessel → ship); expected a type without a parent at the end",
    );
    let error = Schema::from_json(r#"{"name": "a", "entity_types": [{"name": "b", "parent": "b"}]}"#).unwrap_err();
    assert!(error.to_string().contains("(b → b)"), "{error}");
}

/// A schema of three types and these two relations.
fn with_relations(first: &str, second: &str) -> String {
    format!(
        r#"{{"name": "a", "entity_types": [{{"name": "ship"}}, {{"name": "person"}}, {{"name": "smith", "parent": "person"}}],
            "relations": [{{"name": "built_by", {first}}}, {{"name": "built", {second}}}, {{"name": "made"}}]}}"#
    )
}

#[test]
fn an_inverse_that_contradicts_is_refused() {
    check(
        &with_relations(
            r#""domain": ["ship"], "range": ["person"], "inverse": "built""#,
            r#""domain": ["ship"], "range": ["ship"]"#,
        ),
        " relation `built_by` names `built` as its inverse, but no type is in both its range (person) and the domain of \
         its inverse (ship)",
    );
    check(
        &with_relations(r#""inverse": "built""#, r#""inverse": "made""#),
        " relation `built_by` names `built` as its inverse, but the inverse of `built` is `made`",
    );
    check(
        &with_relations(r#""inverse": "made""#, r#""inverse": "made""#),
        " relation `built` names `made` as its inverse, but the inverse of `made` is `built_by`",
    );
    let kind_of = with_relations(r#""range": ["person"], "inverse": "built""#, r#""domain": ["smith"]"#);
    assert!(
        Schema::from_json(&kind_of).is_ok(),
        "a subtype agrees with its ancestor"
    );
}

#[test]
fn kinds_of_values_have_what_they_need_and_nothing_else() {
    let attribute = |rest: &str| format!(r#"{{"name": "a", "attributes": [{{"name": "rig", {rest}}}]}}"#);
    for (rest, expected) in [
        (
            r#""kind": "enum""#,
            " attribute `rig` has kind enum and no values; list the words it takes in `values`",
        ),
        (
            r#""kind": "text", "values": ["brig"]"#,
            " attribute `rig` has kind text and `values`, which only kind enum takes",
        ),
        (
            r#""kind": "number", "unit": "m""#,
            " attribute `rig` has kind number and `unit`, which only kind quantity takes",
        ),
        (r#""unit": null"#, "1:58: not a schema: missing field `kind`"),
    ] {
        check(&attribute(rest), expected);
    }
}

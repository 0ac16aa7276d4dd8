//! What is refused, with the place where it stands.

use super::*;

/// Expects `text` to be refused with exactly this line.
fn check(file: &str, text: &str, expected: &str) {
    let error = Schema::read(file, text).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_unknown_key_is_named_with_its_place() {
    check(
        "sea.json",
        "{\"name\": \"sea\",\n \"entity_typos\": []}",
        "sea.json:2:2: not a schema: unknown field `entity_typos`, expected one of `name`, `version`, `entity_types`, \
         `relations`, `attributes`",
    );
    check(
        "sea.toml",
        "name = \"sea\"\n[[relations]]\nname = \"r\"\nsymmetric = true\n",
        "sea.toml:4:1: not a schema: unknown field `symmetric`, expected one of `name`, `label`, `description`, \
         `domain`, `range`, `aliases`, `inverse`",
    );
}

#[test]
fn a_value_of_another_shape_is_named_with_its_place() {
    check(
        "sea.json",
        r#"{"name": "sea", "entity_types": [{"name": "ship", "aliases": [7]}]}"#,
        "sea.json:1:63: not a schema: invalid type: integer `7`, expected a string",
    );
    check(
        "sea.toml",
        "name = \"sea\"\nattributes = [{name = \"rig\", kind = \"sail\"}]",
        "sea.toml:2:37: not a schema: unknown variant `sail`, expected one of `text`, `number`, `date`, `quantity`, \
         `enum`",
    );
    check(
        "sea.json",
        r#"{"relations": []}"#,
        "sea.json:1:1: not a schema: missing field `name`",
    );
    check(
        "sea.json",
        r#"{"name": "a", "version": -1}"#,
        "sea.json:1:26: not a schema: invalid value: integer `-1`, expected u32",
    );
}

#[test]
fn text_that_is_no_json_or_toml_is_told_with_its_place() {
    check("a.json", "not JSON", "a.json:1:2: not a schema in JSON: expected ident");
    check(
        "a.json",
        "{\n \"name\": 3 4}",
        "a.json:2:12: not a schema in JSON: expected `,` or `}`",
    );
    check(
        "a.json",
        "",
        "a.json:1:1: not a schema in JSON: EOF while parsing a value",
    );
    check(
        "a.json",
        "{\"name\": \"a\",\n \"name\": \"b\"}",
        "a.json:2:2: not a schema in JSON: the key `name` stands twice",
    );
    let deep = format!("{{\"name\": {}", "[".repeat(40) + &"]".repeat(40) + "}");
    check(
        "a.json",
        &deep,
        "a.json:1:26: not a schema in JSON: nested deeper than 16 levels",
    );
    let error = Schema::read("a.toml", "name = \n").unwrap_err().to_string();
    assert!(
        error.starts_with("a.toml:1:") && error.contains("not a schema in TOML: "),
        "{error}"
    );
}

#[test]
fn an_empty_schema_is_refused_with_what_to_add() {
    for text in [
        r#"{"name": "sea"}"#,
        r#"{"name": "sea", "entity_types": [{"name": "thing"}]}"#,
        r#"{"Nodes": []}"#,
        r#"{"concepts": []}"#,
    ] {
        check(
            "sea.json",
            text,
            "sea.json: the schema is empty and would admit no fact; add at least one entry to `entity_types`, \
             `relations` or `attributes`",
        );
    }
}

#[test]
fn two_spellings_of_one_name_are_refused() {
    check(
        "sea.json",
        r#"{"name": "sea", "entity_types": [{"name": "ship"}, {"name": "ship"}]}"#,
        "sea.json:1:61: entity type `ship` is defined twice; expected unique names",
    );
    check(
        "sea.json",
        r#"{"name": "sea", "relations": [{"name": "Built By"}, {"name": "builtBy"}]}"#,
        "sea.json:1:62: relation `built_by` is defined twice; expected unique names, and `Built By` and `builtBy` are one",
    );
    check(
        "sea.json",
        r#"{"name": "sea", "relations": [{"name": "—"}]}"#,
        "sea.json:1:40: relation `—` has no name; expected one with letters or digits",
    );
}

#[test]
fn a_name_that_is_not_defined_is_refused_where_it_stands() {
    check(
        "sea.json",
        r#"{"name": "sea", "entity_types": [{"name": "sea"}], "relations": [{"name": "r", "domain": ["sea", "ship"]}]}"#,
        "sea.json:1:98: relation `r`: its domain names `ship`, which the schema does not define",
    );
    check(
        "sea.toml",
        "name = \"sea\"\n[[entity_types]]\nname = \"ship\"\nparent = \"vessel\"",
        "sea.toml:4:10: entity type `ship`: its parent names `vessel`, which the schema does not define",
    );
}

#[test]
fn parents_that_form_a_cycle_are_named() {
    check(
        "sea.toml",
        "name = \"sea\"\nentity_types = [\n {name = \"brig\", parent = \"ship\"},\n {name = \"ship\", parent = \"vessel\"},\n \
         {name = \"vessel\", parent = \"ship\"}]",
        "sea.toml:4:27: the parents of entity types form a cycle (ship → vessel → ship); expected a type without a \
         parent at the end",
    );
    let error = Schema::from_json(r#"{"name": "a", "entity_types": [{"name": "b", "parent": "b"}]}"#).unwrap_err();
    assert!(error.to_string().contains("(b → b)"), "{error}");
}

/// A schema of two types and these two relations.
fn with_relations(first: &str, second: &str) -> String {
    format!(
        r#"{{"name": "a", "entity_types": [{{"name": "ship"}}, {{"name": "person"}}, {{"name": "smith", "parent": "person"}}],
"relations": [
{{"name": "built_by", {first}}},
{{"name": "built", {second}}},
{{"name": "made"}}]}}"#
    )
}

#[test]
fn an_inverse_that_contradicts_is_refused() {
    check(
        "a.json",
        &with_relations(
            r#""domain": ["ship"], "range": ["person"], "inverse": "built""#,
            r#""domain": ["ship"], "range": ["ship"]"#,
        ),
        "a.json:3:74: relation `built_by` names `built` as its inverse, but no type is in both the range of `built_by` \
         (person) and the domain of `built` (ship)",
    );
    check(
        "a.json",
        &with_relations(r#""inverse": "built""#, r#""inverse": "made""#),
        "a.json:3:33: relation `built_by` names `built` as its inverse, but the inverse of `built` is `made`",
    );
    check(
        "a.json",
        &with_relations(r#""inverse": "made""#, r#""inverse": "made""#),
        "a.json:4:30: relation `built` names `made` as its inverse, but the inverse of `made` is `built_by`",
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
    check(
        "a.json",
        &attribute(r#""kind": "enum""#),
        "a.json:1:54: attribute `rig` has kind enum and no values; list the words it takes in `values`",
    );
    check(
        "a.json",
        &attribute(r#""kind": "text", "values": ["brig"]"#),
        "a.json:1:72: attribute `rig` has kind text and `values`, which only kind enum takes",
    );
    check(
        "a.json",
        &attribute(r#""kind": "number", "unit": "m""#),
        "a.json:1:72: attribute `rig` has kind number and `unit`, which only kind quantity takes",
    );
    let error = Schema::from_json(&attribute(r#""unit": null"#))
        .unwrap_err()
        .to_string();
    assert!(error.contains("missing field `kind`"), "{error}");
}

/// The text of a schema with this many relations, each the inverse of its neighbour.
fn many_relations(n: usize) -> String {
    let relation = |at: usize| {
        let inverse = if at.is_multiple_of(2) { at + 1 } else { at - 1 };
        format!(
            r#"{{"name": "r{at}", "domain": ["a"], "range": ["a"], "aliases": ["runs {at} to"], "inverse": "r{inverse}"}}"#
        )
    };
    let relations: Vec<String> = (0..n).map(relation).collect();
    format!(
        r#"{{"name": "many", "entity_types": [{{"name": "a"}}], "relations": [{}]}}"#,
        relations.join(",\n")
    )
}

#[test]
fn ten_thousand_relations_work() {
    let schema = Schema::from_json(&many_relations(10_000)).unwrap();
    let last = schema.relation_id("r9999").unwrap();
    assert_eq!(schema.relation_name(schema.inverse_of(last).unwrap()), "r9998");
    assert!(schema.admits(kind(&schema, "a"), last, schema.thing()));
}

#[test]
fn more_definitions_than_ids_are_refused() {
    let error = Schema::from_json(&many_relations(65_538)).unwrap_err();
    assert_eq!(
        *error.fault(),
        SchemaFault::TooMany {
            kind: ElementKind::Relation,
            found: 65_538,
            max: 65_536
        }
    );
    assert!(Schema::from_json(&many_relations(65_536)).is_ok());
}

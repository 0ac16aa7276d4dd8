//! Schemas through the program: files that are refused, formats that are read, growth that a person decides on.

use crate::desk;
use banyan_tests::Desk;

const TEXT: &str = "Ada Quill was born in Vessing. The Salt Road was written by Ada Quill in 1902.";

/// A desk with a text and a schema file.
fn with_schema(file: &str, schema: &str) -> Desk {
    desk().with("Ada Quill.txt", TEXT).with(file, schema)
}

/// Expects a build with this schema to be refused, and nothing to be built.
fn refuse(file: &str, schema: &str, says: &[&str]) {
    let desk = with_schema(file, schema);
    desk.run(["build", "Ada Quill.txt", "--schema", file, "--store", "store"])
        .refused(says);
    assert!(!desk.path("store").exists(), "{file}: something was built");
}

/// The text of a schema of this many relations.
fn many_relations(n: usize) -> String {
    let relation = |at: usize| format!(r#"{{"name": "r{at}", "aliases": ["runs to {at}"]}}"#);
    let relations: Vec<String> = (0..n).map(relation).collect();
    format!(r#"{{"name": "many", "relations": [{}]}}"#, relations.join(",\n"))
}

#[test]
fn an_unknown_key_is_named_with_line_and_column() {
    refuse(
        "sea.toml",
        "name = \"sea\"\n\n[[relations]]\nname = \"born_in\"\nsymmetric = true\n",
        &["sea.toml:5:1: ", "unknown field `symmetric`", "`inverse`"],
    );
    refuse(
        "sea.json",
        "{\"name\": \"sea\",\n \"entity_typos\": []}",
        &["sea.json:2:2: ", "unknown field `entity_typos`", "`entity_types`"],
    );
}

#[test]
fn types_that_inherit_from_each_other_are_named() {
    refuse(
        "sea.toml",
        "name = \"sea\"\nentity_types = [\n  {name = \"ship\", parent = \"vessel\"},\n  {name = \"vessel\", parent = \"ship\"},\n]\n",
        &["sea.toml:3:28: ", "cycle", "ship → vessel → ship"],
    );
}

#[test]
fn an_inverse_that_contradicts_its_domain_is_named() {
    refuse(
        "sea.json",
        "{\"name\": \"sea\", \"entity_types\": [{\"name\": \"ship\"}, {\"name\": \"person\"}], \"relations\": [\n\
         {\"name\": \"built_by\", \"domain\": [\"ship\"], \"range\": [\"person\"], \"inverse\": \"built\"},\n\
         {\"name\": \"built\", \"domain\": [\"ship\"]}]}",
        &[
            "sea.json:2:74: ",
            "`built_by`",
            "the range of `built_by` (person)",
            "the domain of `built` (ship)",
        ],
    );
}

#[test]
fn an_empty_schema_is_refused_with_what_to_add() {
    for (file, schema) in [
        ("sea.json", "{\"name\": \"sea\"}"),
        ("sea.toml", "name = \"sea\"\n"),
        ("youtu.json", "{\"Nodes\": [], \"Relations\": [], \"Attributes\": []}"),
    ] {
        refuse(file, schema, &[file, "empty", "add at least one entry", "`relations`"]);
    }
}

#[test]
fn ten_thousand_relations_work_and_more_than_there_are_ids_are_refused() {
    let desk = with_schema("many.json", &many_relations(10_000));
    desk.run(["build", "Ada Quill.txt", "--schema", "many.json", "--store", "store"])
        .done();
    assert!(desk.dump("store").contains("schema many version 1 "));
    refuse(
        "more.json",
        &many_relations(65_537),
        &["more.json", "65537", "at most 65536"],
    );
}

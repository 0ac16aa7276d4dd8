//! Recorded extraction as an extractor: bounded by the schema, kept in the store, exact under change.

use crate::desk;
use banyan_tests::Desk;
use serde_json::json;

/// Two documents of one file.
fn corpus() -> String {
    [
        json!({"id": 1, "title": "Ada Quill", "text": "Ada Quill was born in Vessing. She painted The Long Shore."}),
        json!({"id": 2, "title": "Vessing", "text": "Vessing lies on the coast near Harrow."}),
    ]
    .map(|line| line.to_string())
    .join("\n")
}

/// What was said of them: one relation that the general schema knows by its phrase, one that it does not, one malformed.
fn recording() -> String {
    [
        json!({"id": 1, "entities": ["Ada Quill", "Vessing", "The Long Shore"], "triples": [
            ["Ada Quill", "was born in", "Vessing"], ["Ada Quill", "dithered over", "The Long Shore"], ["Ada Quill", "x"]]}),
        json!({"id": 2, "entities": ["Vessing", "Harrow"], "triples": [["Vessing", "located in", "Harrow"]]}),
    ]
    .map(|line| line.to_string())
    .join("\n")
}

fn recorded() -> Desk {
    let desk = desk().with("corpus.jsonl", corpus()).with("said.jsonl", recording());
    desk.run([
        "build",
        "corpus.jsonl",
        "--extractor",
        "recorded:said.jsonl",
        "--store",
        "store",
    ])
    .done();
    desk
}

#[test]
fn a_recording_is_bound_by_the_schema_and_its_malformed_items_are_counted() {
    let desk = desk().with("corpus.jsonl", corpus()).with("said.jsonl", recording());
    let run = desk
        .run([
            "build",
            "corpus.jsonl",
            "--extractor",
            "recorded:said.jsonl",
            "--store",
            "store",
        ])
        .done();
    assert!(
        run.stderr
            .contains("2 documents stated, 1 item of the recording malformed"),
        "{run:#?}"
    );
    let dump = desk.dump("store");
    for fact in ["born_in", "located_in", "related_to", "extractor recorded:said.jsonl"] {
        assert!(dump.contains(fact), "expected {fact}: {dump}");
    }
}

#[test]
fn a_store_of_a_recording_keeps_what_was_stated_when_documents_go() {
    let desk = recorded();
    let only = corpus().lines().next().unwrap().to_owned();
    let desk = desk.with("one/corpus.jsonl", only);
    desk.run(["remove", "corpus.jsonl#2", "--store", "store"]).done();
    let rebuilt = desk.run(["stats", "--store", "store", "--json"]).done().json();
    desk.run([
        "build",
        "one/corpus.jsonl",
        "--extractor",
        "recorded:said.jsonl",
        "--store",
        "fresh",
    ])
    .done();
    let fresh = desk.run(["stats", "--store", "fresh", "--json"]).done().json();
    assert_eq!(rebuilt["triples_by_relation"], fresh["triples_by_relation"]);
    assert_eq!(rebuilt["entities"], fresh["entities"]);
}

#[test]
fn a_recording_that_cannot_be_used_is_refused_in_one_line() {
    let check = |recording: &str, expected: &[&str]| {
        let desk = desk().with("corpus.jsonl", corpus()).with("said.jsonl", recording);
        let run = desk.run([
            "build",
            "corpus.jsonl",
            "--extractor",
            "recorded:said.jsonl",
            "--store",
            "store",
        ]);
        run.refused(expected);
        assert!(!desk.path("store/CURRENT").exists());
    };
    check("{\"id\": 9, \"triples\": []}", &["said.jsonl", "none of its 1 ids"]);
    check("[1]", &["said.jsonl:1", "no `id`"]);
    check("{\"id\": 1}\n{\"id\": 1}", &["said.jsonl:2", "second line with id `1`"]);
    let desk = desk().with("corpus.jsonl", corpus());
    desk.run([
        "build",
        "corpus.jsonl",
        "--extractor",
        "recorded:none.jsonl",
        "--store",
        "store",
    ])
    .refused(&["none.jsonl", "cannot read"]);
    let run = desk.run(["build", "corpus.jsonl", "--extractor", "magic", "--store", "store"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(
        run.stderr.contains("'magic'") && run.stderr.contains("recorded:FILE"),
        "{run:#?}"
    );
}

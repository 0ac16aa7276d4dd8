//! Recorded extraction as an extractor: bounded by the schema, kept in the store, exact under change.

use crate::desk;
use banyan_tests::{Desk, Run};

const CORPUS: &str = r#"{"id": 1, "title": "Ada Quill", "text": "Ada Quill was born in Vessing. She painted The Long Shore."}
{"id": 2, "title": "Vessing", "text": "Vessing lies on the coast near Harrow."}
"#;
/// What was said of them: one relation that the general schema knows by its phrase, one that it does not, one malformed.
const SAID: &str = r#"{"id": 1, "entities": ["Ada Quill", "Vessing", "The Long Shore"], "triples": [["Ada Quill", "was born in", "Vessing"], ["Ada Quill", "dithered over", "The Long Shore"], ["Ada Quill", "x"]]}
{"id": 2, "entities": ["Vessing", "Harrow"], "triples": [["Vessing", "located in", "Harrow"]]}
"#;

fn build(desk: &Desk, corpus: &str, store: &str) -> Run {
    desk.banyan(&format!(
        "build {corpus} --extractor recorded:said.jsonl --store {store}"
    ))
}

#[test]
fn a_recording_is_bound_by_the_schema_and_kept_when_documents_go() {
    let desk = desk()
        .with("corpus.jsonl", CORPUS)
        .with("one/corpus.jsonl", CORPUS.lines().next().unwrap())
        .with("said.jsonl", SAID);
    build(&desk, "corpus.jsonl", "store")
        .done()
        .tells(&["2 documents stated, 1 item of the recording malformed"]);
    let dump = desk.dump("store");
    for fact in ["born_in", "located_in", " ~ ", "extractor recorded:said.jsonl"] {
        assert!(dump.contains(fact), "expected {fact}: {dump}");
    }
    desk.banyan("remove corpus.jsonl#2").done();
    build(&desk, "one/corpus.jsonl", "fresh").done();
    let stats = |store: &str| desk.banyan(&format!("stats --json --store {store}")).done().json();
    let (left, fresh) = (stats("store"), stats("fresh"));
    assert_eq!(left["triples_by_relation"], fresh["triples_by_relation"]);
    assert_eq!(left["entities"], fresh["entities"]);
}

/// What was stated was lost with the first decision on names, and with it every fact at the next change.
#[test]
fn a_recording_outlives_decisions_on_names() {
    let third = r#"{"id": 3, "title": "Ada Q.", "text": "Ada Q. painted The Gull."}"#;
    let said = r#"{"id": 3, "entities": ["Ada Q.", "The Gull"], "triples": []}"#;
    let desk = desk()
        .with("corpus.jsonl", format!("{CORPUS}{third}\n"))
        .with("said.jsonl", format!("{SAID}{said}\n"));
    build(&desk, "corpus.jsonl", "store").done();
    desk.run(["resolve", "--merge", "Ada Quill", "Ada Q."]).done();
    desk.banyan("remove corpus.jsonl#2").done();
    let dump = desk.dump("store");
    assert!(dump.contains("born_in") && dump.contains("Ada Q."), "{dump}");
}

#[test]
fn a_recording_that_cannot_be_used_is_refused_in_one_line() {
    let desk = desk().with("corpus.jsonl", CORPUS);
    let none = build(&desk, "corpus.jsonl", "store");
    none.refused(&["said.jsonl", "cannot read"]);
    desk.put("said.jsonl", "{\"id\": 1}\n{\"id\": 1}");
    build(&desk, "corpus.jsonl", "store").refused(&["said.jsonl:2", "second line with id `1`"]);
    assert!(!desk.path("store/CURRENT").exists());
    let run = desk.banyan("build corpus.jsonl --extractor magic");
    assert_eq!(run.code, Some(2), "{run:#?}");
    run.tells(&["'magic'", "recorded:FILE"]);
}

//! The same input gives the same bytes (ARCHITECTURE, invariant 1): run after run, for any number of threads, in any order.
//!
//! Every run is a process of its own, so hash orders differ between them.

use crate::desk;
use banyan_tests::workspace::root;
use banyan_tests::{Desk, Run, same};
use serde_json::Value;

const N_THREADS: [&str; 2] = ["1", "2"];

/// A corpus of this workspace.
fn corpus(name: &str) -> String {
    root().join("data").join(name).to_string_lossy().into_owned()
}

/// Runs the same with one and with two threads and twice with as many as there are; all must succeed.
fn runs(desk: &Desk, args: &[&str]) -> Vec<Run> {
    let with = |threads: &[&str]| desk.run(threads.iter().chain(args)).done();
    let limited = N_THREADS.map(|n| with(&["--threads", n]));
    limited.into_iter().chain([with(&[]), with(&[])]).collect()
}

/// Builds `corpus` with different numbers of threads and compares the dumps.
fn check(corpus: &str) {
    let desk = desk();
    let build = |threads: &[&str]| {
        desk.run(threads.iter().chain(&["build", corpus, "--store", "store"]))
            .done();
        desk.dump("store")
    };
    let expected = build(&[]);
    assert!(
        expected.contains("\n# tree\n4 "),
        "expected a tree in the dump: {expected}"
    );
    for threads in [&["--threads", "1"][..], &["--threads", "2"], &[]] {
        same(&build(threads), &expected, &format!("with {threads:?}"));
    }
}

/// Files of a little corpus, named so that no order is the obvious one.
fn files() -> Desk {
    desk()
        .with("m.txt", "Mount Aldrake rises in the north of Great Ommer. Ada Quill climbed Mount Aldrake in 1911.")
        .with("b/Ada Quill.txt", "Ada Quill (1880–1951) was a surveyor. She was born in Vessing and married Bo Ferren.")
        .with("z.jsonl", "{\"id\":2,\"title\":\"Bo Ferren\",\"text\":\"Bo Ferren lived in Vessing.\"}\n{\"id\":1,\"title\":\"Vessing\",\"text\":\"Vessing is a town on Great Ommer.\"}\n")
        .with("a.md", "# Great Ommer\n\nGreat Ommer is an island. Its largest town is Vessing.\n")
}

#[test]
fn the_same_articles_give_the_same_dump() {
    check(&corpus("harrow/corpus.jsonl"));
}

#[test]
fn the_same_directory_gives_the_same_dump() {
    check(&corpus("notes"));
}

#[test]
fn the_order_in_which_files_are_named_does_not_matter() {
    let desk = files();
    let orders = [
        ["m.txt", "b/Ada Quill.txt", "z.jsonl", "a.md"],
        ["a.md", "z.jsonl", "b", "m.txt"],
        ["z.jsonl", "m.txt", "a.md", "./b/Ada Quill.txt"],
    ];
    let dumps = orders.map(|order| {
        desk.run(["build"].iter().chain(&order).chain(&["--store", "store"]))
            .done();
        desk.dump("store")
    });
    assert_eq!(dumps[1], dumps[0]);
    assert_eq!(dumps[2], dumps[0]);
}

#[test]
fn the_order_of_records_in_a_file_does_not_matter() {
    let desk = files();
    desk.run(["build", "z.jsonl", "--store", "store"]).done();
    let expected = desk.dump("store");
    let turned = "{\"id\":1,\"title\":\"Vessing\",\"text\":\"Vessing is a town on Great Ommer.\"}\n\n{\"id\":2,\"title\":\"Bo Ferren\",\"text\":\"Bo Ferren lived in Vessing.\"}\n";
    desk.put("z.jsonl", turned);
    desk.run(["build", "z.jsonl", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), expected);
}

#[test]
fn the_same_question_gives_the_same_answer_and_evidence() {
    let desk = desk();
    desk.run(["build", &corpus("harrow/corpus.jsonl"), "--store", "store"])
        .done();
    let question = "Were the director Marius Quell and the painter Anselm Dray from the same town?";
    let runs = runs(&desk, &["query", question, "--store", "store", "--explain"]);
    assert!(runs.iter().all(|run| run.stdout == runs[0].stdout), "{runs:#?}");
}

#[test]
fn an_evaluation_reports_the_same_figures() {
    let desk = desk();
    let runs = runs(&desk, &["eval", &corpus("harrow"), "--json"]);
    let figures: Vec<Value> = runs.iter().map(|run| run.json()["systems"].clone()).collect();
    assert!(figures[0]["banyan"].is_object(), "{figures:?}");
    assert!(figures.iter().all(|each| *each == figures[0]), "{figures:#?}");
}

//! The same input gives the same bytes (ARCHITECTURE, invariant 1): run after run, for any number of threads, in any
//! order.
//!
//! Every run is a process of its own, so hash orders differ between them.

use crate::{built, desk};
use banyan_tests::workspace::{place, text};
use banyan_tests::{Desk, Run, same};
use serde_json::Value;

/// What is said on the number of threads: nothing twice, because also two equal runs must give the same.
const THREADS: [&[&str]; 4] = [&[], &["--threads", "1"], &["--threads", "2"], &[]];

/// Runs the same with each number of threads; all must succeed.
fn runs(desk: &Desk, args: &[&str]) -> Vec<Run> {
    let with = |threads: &&[&str]| desk.run(args.iter().chain(*threads)).done();
    THREADS.iter().map(with).collect()
}

#[test]
fn the_same_corpus_gives_the_same_dump() {
    for corpus in ["data/harrow/corpus.jsonl", "data/notes"] {
        let desk = desk();
        let dumps = THREADS.map(|threads| {
            desk.run(["build", &place(corpus)].iter().chain(threads)).done();
            desk.dump("store")
        });
        assert!(dumps[0].contains("\n# tree\n4 "), "expected a tree: {}", dumps[0]);
        for (dump, threads) in dumps.iter().zip(THREADS) {
            same(dump, &dumps[0], &format!("{corpus} with {threads:?}"));
        }
    }
}

#[test]
fn the_order_of_files_and_of_records_in_a_file_does_not_matter() {
    let records = [
        "{\"id\":2,\"title\":\"Bo Ferren\",\"text\":\"Bo Ferren lived in Vessing.\"}",
        "{\"id\":1,\"title\":\"Vessing\",\"text\":\"Vessing is a town on Great Ommer.\"}",
    ];
    // Named so that no order is the obvious one.
    let desk = desk().with_files([
        (
            "m.txt",
            "Mount Aldrake rises in the north of Great Ommer. Ada Quill climbed Mount Aldrake in 1911.",
        ),
        (
            "b/Ada Quill.txt",
            "Ada Quill (1880–1951) was a surveyor. She was born in Vessing and married Bo Ferren.",
        ),
        ("z.jsonl", &records.join("\n")),
        (
            "a.md",
            "# Great Ommer\n\nGreat Ommer is an island. Its largest town is Vessing.\n",
        ),
    ]);
    let dump = |files: [&str; 4]| {
        desk.run(["build"].iter().chain(&files)).done();
        desk.dump("store")
    };
    let first = dump(["m.txt", "b/Ada Quill.txt", "z.jsonl", "a.md"]);
    assert_eq!(dump(["a.md", "z.jsonl", "b", "m.txt"]), first);
    desk.put("z.jsonl", format!("{}\n\n{}\n", records[1], records[0]));
    assert_eq!(dump(["z.jsonl", "m.txt", "a.md", "./b/Ada Quill.txt"]), first);
}

#[test]
fn the_same_questions_give_the_same_answers_and_evidence() {
    let desk = built("harrow").with("questions.jsonl", text("data/harrow/questions.jsonl"));
    for args in [
        ["query", "--batch", "questions.jsonl", "--mode=open"],
        ["query", "Which river flows past Vessing?", "--explain", "--mode=open"],
    ] {
        let runs = runs(&desk, &args);
        assert!(
            runs.iter().all(|run| run.stdout == runs[0].stdout),
            "{args:?}: {runs:#?}"
        );
    }
}

#[test]
fn an_evaluation_reports_the_same_figures() {
    let runs = runs(&desk(), &["eval", &place("data/harrow"), "--json"]);
    let figures: Vec<Value> = runs.iter().map(|run| run.json()["systems"].clone()).collect();
    assert!(figures[0]["banyan"].is_object(), "{figures:?}");
    assert!(figures.iter().all(|each| *each == figures[0]), "{figures:#?}");
}

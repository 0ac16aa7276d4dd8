//! What `dump --json` writes is all that a store is made of: `load` makes the same store of it.

use crate::desk;
use banyan_tests::{Desk, same};

/// A store with a title and headings, decisions of each kind, a fact that a person stated, and refreshed communities.
fn built() -> Desk {
    let desk = desk().with_files([
        ("notes/Ada Quill.md", "# Ada Quill\n\nAda Quill was born in Vessing.\n\n## Later\n\nShe married Bo Ferren.\n\n```sh\nferry --start\n```\n"),
        ("notes/Vessing.txt", "Vessing is a town. Dr. Bo Ferren lived in Vessing."),
        ("Cass Orde.txt", "Cass Orde was born in Vessing. Cass Orde taught Ada Quill."),
    ]);
    desk.banyan("build notes").done();
    desk.run(["add", "Cass Orde.txt", "--communities", "refresh"]).done();
    desk.run(["entity", "rename", "Vessing", "Great Vessing", "--author", "M. Voss"])
        .done();
    desk.run([
        "fact",
        "add",
        "Bo Ferren",
        "born_in",
        "Karrowmouth",
        "--note",
        "parish book",
    ])
    .done();
    desk
}

fn written(desk: &Desk) -> String {
    desk.banyan("dump --json").done().stdout
}

#[test]
fn a_loaded_store_is_the_same_to_the_byte() {
    let desk = built();
    let lines = written(&desk);
    desk.put("lines.jsonl", &lines);
    desk.banyan("load lines.jsonl --store copy")
        .done()
        .tells(&["4 documents loaded"]);
    same(&desk.dump("copy"), &desk.dump("store"), "loaded");
    desk.banyan("verify --store copy").done();
    let again = desk.banyan("dump --json --store copy").done().stdout;
    assert_eq!(again, lines);
    let resolved = |store: &str| desk.run(["resolve", "--store", store]).done().stdout;
    assert_eq!(resolved("copy"), resolved("store"));
    desk.banyan("load lines.jsonl --store copy")
        .refused(&["holds a store already", "nothing was loaded"]);
}

#[test]
fn lines_that_are_not_whole_make_no_store() {
    let desk = built();
    let lines = written(&desk);
    let (first, rest) = lines.split_once('\n').unwrap();
    let newer = lines.replacen("{\"banyan\":1}", "{\"banyan\":99}", 1);
    let outside = lines.replacen(
        "\"headings\":[{\"span\":{\"start\":",
        "\"headings\":[{\"span\":{\"start\":99999",
        1,
    );
    assert_ne!(outside, lines);
    let cases = [
        (first.to_owned(), "no documents"),
        (lines.split_inclusive('\n').take(12).collect(), "it was cut"),
        (
            rest.to_owned(),
            "lines.jsonl:1: expected what `banyan dump --json` writes",
        ),
        (lines.replacen("{\"settings\"", "{\"sittings\"", 1), "lines.jsonl:2:"),
        (newer, "use a newer banyan"),
        (outside, "spans within the text expected"),
    ];
    for (text, expected) in cases {
        desk.put("lines.jsonl", text);
        desk.banyan("load lines.jsonl --store copy")
            .refused(&[expected, "nothing was loaded"]);
        assert!(!desk.path("copy").exists(), "{expected}");
    }
}

//! Corpora, schemas and questions that cannot be used: one clear line, exit code 2, and the store as it was.

use crate::desk;
use banyan_tests::Desk;
use std::iter::once;
use std::os::unix::fs::symlink;

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 16 << 20;

/// A desk with a store of one document, and the files of a case.
fn prepared(files: &[(&str, &[u8])]) -> Desk {
    let desk = desk().with("good.txt", "Ada Quill was born in Vessing.");
    desk.run(["build", "good.txt", "--store", "store"]).done();
    for (name, bytes) in files {
        desk.put(name, bytes);
    }
    desk
}

/// Holds that `args` with `--store store` is refused with a line that says `says`, and that the store stays.
fn refuse(desk: &Desk, args: &[&str], says: &[&str]) {
    let before = desk.dump("store");
    desk.run(args.iter().chain(&["--store", "store"])).refused(says);
    assert_eq!(desk.dump("store"), before, "{args:?} changed the store");
}

/// Holds that neither `build` nor `add` takes this file, beside a good one, and that no new store comes of it.
fn check(name: &str, bytes: &[u8], says: &[&str]) {
    let desk = prepared(&[(name, bytes)]);
    let says: Vec<&str> = once(name).chain(says.iter().copied()).collect();
    refuse(&desk, &["build", "good.txt", name], &says);
    refuse(&desk, &["add", name], &says);
    desk.run(["build", name, "--store", "new"]).refused(&says);
    assert!(!desk.path("new").exists(), "{name}: a store was left behind");
}

#[test]
fn an_empty_file_is_refused() {
    check("empty.txt", b"", &["empty", "expected text", "take it out"]);
    check("blank.md", b" \n\t\n", &["empty", "expected text", "take it out"]);
}

#[test]
fn text_that_is_not_utf8_is_refused_with_the_place_of_the_bad_byte() {
    check(
        "latin.txt",
        b"Vessing\nKarrowmo\xfcth",
        &["byte 16 (line 2)", "UTF-8", "iconv"],
    );
}

#[test]
fn a_line_longer_than_any_text_is_refused() {
    let line = vec![b'x'; MAX_LINE + (1 << 20)];
    check(
        "dump.txt",
        &line,
        &["line 1 has 17825792 bytes", "at most 16777216", "break it into lines"],
    );
}

#[test]
fn json_may_stand_on_one_long_line() {
    let field = "x".repeat(MAX_LINE);
    let record = format!("{{\"title\": \"Ada Quill\", \"text\": \"Ada Quill was born.\", \"scan\": \"{field}\"}}");
    let desk = prepared(&[("one.json", record.as_bytes())]);
    desk.run(["build", "one.json", "--store", "new"]).done();
    assert!(desk.dump("new").contains("\"Ada Quill\" one.json [0..19"));
}

/// A string of 200 MB took 2.9 GB, where a line of text may have 16 MB.
#[test]
fn a_string_with_a_line_longer_than_any_text_is_refused() {
    let record = format!("[{{\"text\": \"{}\"}}]", "x".repeat(MAX_LINE + 1));
    check(
        "long.json",
        record.as_bytes(),
        &["record 1", "a line of 16777217 bytes", "at most 16777216"],
    );
}

#[test]
fn json_of_another_shape_is_refused_with_the_place_of_the_record() {
    let expected = "expected an object with a string `text`";
    check("broken.json", b"[{\"text\": \"x\"}", &["broken.json", expected]);
    check("none.json", b"[]", &["found an empty array", expected]);
    check("bare.json", b"\"text\"", &["found a string", expected]);
    check(
        "missing.json",
        b"[{\"text\": \"x\"}, {\"title\": \"x\"}]",
        &["record 2", "found no `text`", expected],
    );
    check(
        "number.jsonl",
        b"{\"text\": \"x\"}\n{\"text\": 7}\n",
        &["line 2", "found a number as `text`", expected],
    );
    check(
        "title.jsonl",
        b"{\"text\": \"x\", \"title\": [1]}",
        &["line 1", "found an array as `title`", expected],
    );
    check("cut.jsonl", b"{\"text\": \"x\"}\n{\"text\": \"y", &["line 2", expected]);
    check(
        "deep.json",
        "[".repeat(100_000).as_bytes(),
        &["recursion limit", expected],
    );
}

#[test]
fn a_file_of_an_unknown_kind_is_refused_when_it_is_named() {
    check("scan.pdf", b"%PDF-1.7", &["kind", "json, jsonl"]);
}

#[test]
fn a_device_is_refused() {
    let desk = prepared(&[]);
    for command in ["build", "add"] {
        refuse(&desk, &[command, "/dev/null"], &["/dev/null", "unknown kind of file"]);
    }
}

/// One bad file among thousands ended a build.
#[test]
fn what_a_folder_holds_that_cannot_be_read_is_listed_and_left_out() {
    let desk = prepared(&[
        ("corpus/good.txt", b"Ada Quill was born in Vessing."),
        ("corpus/empty.txt", b""),
        ("corpus/deep/bad.md", b"\xff"),
    ]);
    let run = desk.run(["build", "corpus", "--store", "new"]).done();
    for says in [
        "corpus/empty.txt: empty",
        "corpus/deep/bad.md: not UTF-8",
        "2 files left out",
    ] {
        assert!(run.stderr.contains(says), "{says}: {run:#?}");
    }
    assert!(desk.dump("new").contains("documents 1 "));
    desk.run(["add", "corpus", "--store", "store"]).done();
    refuse(
        &desk,
        &["build", "corpus", "--strict"],
        &["corpus/deep/bad.md", "nothing was done"],
    );
    refuse(
        &desk,
        &["add", "corpus", "--strict"],
        &["corpus/deep/bad.md", "nothing was done"],
    );
    refuse(
        &desk,
        &["build", "corpus", "corpus/empty.txt"],
        &["corpus/empty.txt", "take it out"],
    );
}

#[test]
fn a_field_of_another_name_is_read_where_it_is_named() {
    let desk = prepared(&[(
        "news.jsonl",
        b"{\"headline\": \"Ada Quill\", \"body\": \"Ada Quill was born.\"}\n",
    )]);
    refuse(
        &desk,
        &["build", "news.jsonl"],
        &["line 1", "no `text`", "`body`", "`headline`"],
    );
    let fields = ["--text-field", "body", "--title-field", "headline"];
    desk.run(["build", "news.jsonl", "--store", "new"].iter().chain(&fields))
        .done();
    assert!(
        desk.dump("new").contains("\"Ada Quill\" news.jsonl [0..19"),
        "{}",
        desk.dump("new")
    );
    refuse(
        &desk,
        &["add", "news.jsonl", "--text-field", "lead"],
        &["string `lead`", "no `lead`"],
    );
}

#[test]
fn a_corpus_without_documents_is_refused() {
    let desk = prepared(&[("pictures/vessing.png", b"\x89PNG")]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    for place in ["empty", "pictures"] {
        refuse(&desk, &["build", place], &["no documents in", place, "jsonl"]);
        refuse(&desk, &["add", place], &["no documents in", place, "jsonl"]);
    }
}

#[test]
fn a_loop_of_links_is_walked_once() {
    for (target, link) in [
        ("..", "corpus/deep/up"),
        (".", "corpus/here"),
        ("../corpus", "corpus/deep/again"),
        ("self", "corpus/self"),
    ] {
        let desk = prepared(&[("corpus/deep/Ada Quill.txt", b"Ada Quill was born in Vessing.")]);
        symlink(target, desk.path(link)).unwrap();
        desk.run(["build", "corpus", "--store", "looped"]).done();
        let dump = desk.dump("looped");
        assert!(
            dump.contains("\"Ada Quill\" corpus/deep/Ada Quill.txt [0..30"),
            "{link}: {dump}"
        );
    }
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let desk = prepared(&[]);
    symlink("nowhere", desk.path("dangling.txt")).unwrap();
    for file in ["dangling.txt", "vanished.txt", "vanished"] {
        refuse(
            &desk,
            &["build", "good.txt", file],
            &[file, "check the path", "No such file"],
        );
        refuse(&desk, &["add", file], &[file, "check the path", "No such file"]);
    }
}

#[test]
fn a_link_to_nothing_in_a_directory_is_left_out_and_told() {
    let desk = prepared(&[("corpus/Ada Quill.txt", b"Ada Quill was born in Vessing.")]);
    symlink("nowhere", desk.path("corpus/dangling.txt")).unwrap();
    let run = desk.run(["build", "corpus", "--store", "new"]).done();
    assert!(run.stderr.contains("left out corpus/dangling.txt"), "{run:#?}");
    assert!(desk.dump("new").contains("documents 1 "));
}

#[test]
fn equal_documents_are_joined_and_told() {
    let desk = prepared(&[
        ("a/Ada Quill.txt", b"Ada Quill was born."),
        ("b/Ada Quill.txt", b"Ada Quill was born."),
    ]);
    let run = desk.run(["build", "a", "b", "--store", "new"]).done();
    assert!(
        run.stderr
            .contains("1 document joined with another of equal title and text"),
        "{run:#?}"
    );
    let dump = desk.dump("new");
    assert!(
        dump.contains("\"Ada Quill\" a/Ada Quill.txt b/Ada Quill.txt ["),
        "{dump}"
    );
}

#[test]
fn a_question_that_is_none_is_refused() {
    let desk = prepared(&[]);
    refuse(&desk, &["query", ""], &["the question is empty", "expected a sentence"]);
    refuse(
        &desk,
        &["query", " \n"],
        &["the question is empty", "expected a sentence"],
    );
    refuse(
        &desk,
        &["query", &"why ".repeat(2_501)],
        &["10004 bytes", "at most 10000"],
    );
}

#[test]
fn a_schema_that_cannot_bound_anything_is_refused() {
    let cases: [(&str, &str, &[&str]); 5] = [
        (
            "typo.json",
            "{\"name\": \"sea\", \"entity_typos\": []}",
            &["typo.json:1:30: ", "unknown field `entity_typos`", "`entity_types`"],
        ),
        (
            "nested.json",
            "{\"name\": \"sea\", \"relations\": [{\"name\": \"r\", \"symmetric\": true}]}",
            &["unknown field `symmetric`", "`inverse`"],
        ),
        (
            "twice.json",
            "{\"name\": \"sea\", \"entity_types\": [{\"name\": \"ship\"}, {\"name\": \"ship\"}]}",
            &["twice.json: ", "`ship` is defined twice", "unique"],
        ),
        (
            "unknown.json",
            "{\"name\": \"sea\", \"relations\": [{\"name\": \"r\", \"domain\": [\"ship\"]}]}",
            &["`r`", "domain", "`ship`", "does not define"],
        ),
        ("text.json", "not JSON", &["text.json:1:", "not a schema"]),
    ];
    for (name, json, says) in cases {
        let desk = prepared(&[(name, json.as_bytes())]);
        let says: Vec<&str> = once(name).chain(says.iter().copied()).collect();
        refuse(&desk, &["build", "good.txt", "--schema", name], &says);
    }
    refuse(
        &prepared(&[]),
        &["build", "good.txt", "--schema", "none.json"],
        &["none.json", "name another schema", "No such file"],
    );
}

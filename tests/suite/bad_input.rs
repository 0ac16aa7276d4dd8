//! Corpora, schemas and questions that cannot be used: one clear line, exit code 2, and the store as it was.

use crate::desk;
use banyan_tests::Desk;
use std::iter::once;
use std::os::unix::fs::{PermissionsExt, symlink};

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 16 << 20;
const ADA: &str = "Ada Quill was born in Vessing.";

/// A desk with a store of one document, and these files.
fn prepared<C: AsRef<[u8]>>(files: &[(&str, C)]) -> Desk {
    let desk = desk().with("good.txt", ADA);
    desk.banyan("build good.txt").done();
    desk.with_files(files.iter().map(|(name, bytes)| (name, bytes)))
}

/// Holds that each of these lines is refused with a line that says `says`, and that the store stays.
fn refuse(desk: &Desk, lines: &[&str], says: &[&str]) {
    let before = desk.dump("store");
    for line in lines {
        desk.banyan(line).refused(says);
    }
    assert_eq!(desk.dump("store"), before, "{lines:?} changed the store");
}

/// Holds that neither `build` nor `add` takes these files, beside a good one, and that no new store comes of them.
fn check(files: &[(&str, &[u8], &[&str])]) {
    let desk = prepared(&files.iter().map(|(name, bytes, _)| (*name, *bytes)).collect::<Vec<_>>());
    let before = desk.dump("store");
    for (name, _, says) in files {
        let says: Vec<&str> = once(name).chain(*says).copied().collect();
        for line in ["build good.txt", "add", "build --store new"] {
            desk.banyan(&format!("{line} {name}")).refused(&says);
        }
        assert!(!desk.path("new").exists(), "{name}: a store was left behind");
    }
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn text_that_cannot_be_read_is_refused_with_its_place() {
    let long = vec![b'x'; MAX_LINE + (1 << 20)];
    check(&[
        ("empty.txt", b"", &["empty", "expected text", "take it out"]),
        (
            "latin.txt",
            b"Vessing\nKarrowmo\xfcth",
            &["byte 16 (line 2)", "UTF-8", "iconv"],
        ),
        (
            "dump.txt",
            &long,
            &["line 1 has 17825792 bytes", "at most 16777216", "break it into lines"],
        ),
        ("disk.iso", b"CD001", &["kind", "json, jsonl"]),
    ]);
    let device = ["build /dev/null", "add /dev/null"];
    refuse(&prepared::<&str>(&[]), &device, &["/dev/null", "unknown kind of file"]);
}

/// A string of 200 MB took 2.9 GB, where a line of text may have 16 MB.
#[test]
fn json_that_cannot_be_read_is_refused_with_the_place_of_the_record() {
    let expected = "expected an object with a string `text`";
    let long = format!("[{{\"text\": \"{}\"}}]", "x".repeat(MAX_LINE + 1));
    let deep = "[".repeat(100_000);
    check(&[
        (
            "long.json",
            long.as_bytes(),
            &["record 1", "a line of 16777217 bytes", "at most 16777216"],
        ),
        ("broken.json", b"[{\"text\": \"x\"}", &[expected]),
        ("none.json", b"[]", &["found an empty array", expected]),
        (
            "number.jsonl",
            b"{\"text\": \"x\"}\n{\"text\": 7}\n",
            &["line 2", "found a number as `text`", expected],
        ),
        ("cut.jsonl", b"{\"text\": \"x\"}\n{\"text\": \"y", &["line 2", expected]),
        ("deep.json", deep.as_bytes(), &["recursion limit", expected]),
    ]);
}

#[test]
fn json_may_stand_on_one_long_line_and_name_its_fields_otherwise() {
    let field = "x".repeat(MAX_LINE);
    let record = format!("{{\"title\": \"Ada Quill\", \"text\": \"Ada Quill was born.\", \"scan\": \"{field}\"}}");
    let news = "{\"headline\": \"Ada Quill\", \"body\": \"Ada Quill was born.\"}\n";
    let desk = prepared(&[("one.json", record.as_str()), ("news.jsonl", news)]);
    desk.banyan("build one.json --store new").done();
    assert!(desk.dump("new").contains("\"Ada Quill\" one.json [0..19"));
    let says = ["line 1", "no `text`", "`body`", "`headline`"];
    refuse(&desk, &["build news.jsonl"], &says);
    desk.banyan("build news.jsonl --store new --text-field body --title-field headline")
        .done();
    assert!(desk.dump("new").contains("\"Ada Quill\" news.jsonl [0..19"));
    let lead = ["add news.jsonl --text-field lead"];
    refuse(&desk, &lead, &["string `lead`", "no `lead`"]);
}

/// One bad file among thousands ended a build.
#[test]
fn what_a_folder_holds_that_cannot_be_read_is_listed_and_left_out() {
    let files: [(&str, &[u8]); 3] = [
        ("corpus/good.txt", ADA.as_bytes()),
        ("corpus/empty.txt", b""),
        ("corpus/deep/bad.md", b"\xff"),
    ];
    let desk = prepared(&files);
    let strict = ["build corpus --strict", "add corpus --strict"];
    refuse(&desk, &strict, &["corpus/deep/bad.md", "nothing was done"]);
    let named = ["build corpus corpus/empty.txt"];
    refuse(&desk, &named, &["corpus/empty.txt", "take it out"]);
    symlink("nowhere", desk.path("corpus/dangling.txt")).unwrap();
    let run = desk.banyan("build corpus --store new").done();
    run.tells(&[
        "corpus/empty.txt: empty",
        "corpus/deep/bad.md: not UTF-8",
        "left out corpus/dangling.txt",
    ])
    .tells(&["files left out"]);
    assert!(desk.dump("new").contains("documents 1 "));
    desk.banyan("add corpus").done();
}

#[test]
fn a_corpus_that_is_not_there_or_has_no_documents_is_refused() {
    let desk = prepared(&[("pictures/vessing.png", b"\x89PNG")]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    symlink("nowhere", desk.path("dangling.txt")).unwrap();
    for place in ["empty", "pictures"] {
        let lines = [format!("build {place}"), format!("add {place}")];
        refuse(&desk, &[&lines[0], &lines[1]], &["no documents in", place, "jsonl"]);
    }
    for file in ["dangling.txt", "vanished.txt", "vanished"] {
        let lines = [format!("build good.txt {file}"), format!("add {file}")];
        refuse(
            &desk,
            &[&lines[0], &lines[1]],
            &[file, "check the path", "No such file"],
        );
    }
}

#[test]
fn a_loop_of_links_is_walked_once_and_equal_documents_are_joined() {
    let desk = prepared(&[("corpus/deep/Ada Quill.txt", ADA)]);
    for (target, link) in [
        ("..", "corpus/deep/up"),
        (".", "corpus/here"),
        ("../corpus", "corpus/deep/again"),
        ("self", "corpus/self"),
    ] {
        symlink(target, desk.path(link)).unwrap();
    }
    desk.banyan("build corpus --store looped").done();
    let dump = desk.dump("looped");
    assert!(
        dump.contains("\"Ada Quill\" corpus/deep/Ada Quill.txt [0..30"),
        "{dump}"
    );

    let desk = desk.with_files(["a/Ada Quill.txt", "b/Ada Quill.txt"].map(|name| (name, ADA)));
    desk.banyan("build a b --store new")
        .done()
        .tells(&["1 document joined with another of equal title and text"]);
    let dump = desk.dump("new");
    assert!(
        dump.contains("\"Ada Quill\" a/Ada Quill.txt b/Ada Quill.txt ["),
        "{dump}"
    );
}

#[test]
fn links_out_of_a_folder_are_told_and_not_followed() {
    let desk = prepared(&[
        ("corpus/good.txt", ADA),
        ("private/diary.txt", "Bo Ferren was born in Tidd."),
    ]);
    symlink("../private", desk.path("corpus/more")).unwrap();
    symlink("../private/diary.txt", desk.path("corpus/diary.txt")).unwrap();
    let run = desk.banyan("build corpus --store new").done();
    run.tells(&[
        "left out corpus/diary.txt: a link out",
        "left out corpus/more: a link out",
    ]);
    assert!(!desk.dump("new").contains("Tidd"));
    desk.banyan("build corpus/diary.txt --store named").done();
}

#[test]
fn nothing_in_a_document_steers_the_terminal_and_only_the_owner_enters_a_store() {
    let text = "Ada \u{1b}[31mQuill\u{202e} was born in Vessing.";
    let desk = prepared(&[("odd.txt", text)]);
    desk.banyan("build odd.txt --store new").done();
    let ask = |options: &str| {
        let asked = desk.ask("Where was Ada Quill born?", &format!("--store new {options}"));
        asked.stdout
    };
    let (shown, json) = (ask(""), ask("--json"));
    for printed in [&desk.dump("new"), &shown, &json] {
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{printed}");
    }
    assert!(shown.contains("\\u{1b}[31mQuill\\u{202e}"), "{shown}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json.to_string().contains('\u{202e}'));
    let mode = std::fs::metadata(desk.path("new")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_question_that_is_none_is_refused() {
    let desk = prepared::<&str>(&[]);
    let long = "why ".repeat(2_501);
    for (question, says) in [
        ("", ["the question is empty", "expected a sentence"]),
        (" \n", ["the question is empty", "expected a sentence"]),
        (&long, ["10004 bytes", "at most 10000"]),
    ] {
        desk.ask(question, "").refused(&says);
    }
}

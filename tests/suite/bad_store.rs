//! Store paths that cannot be used and stores that are damaged: one clear line, exit code 2, and nothing touched.

use crate::desk;
use banyan_tests::{Desk, Run};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

/// Commands that need a store; `build` and `add` bring a good file along.
const READERS: [&[&str]; 5] = [
    &["dump"],
    &["stats"],
    &["query", "Where was Ada Quill born?"],
    &["add", "good.txt"],
    &["remove", "Ada Quill"],
];
const BUILD: &[&str] = &["build", "good.txt"];

/// A desk with a good file and a store.
fn prepared() -> Desk {
    let desk = desk()
        .with("good.txt", "Ada Quill was born in Vessing.")
        .with("Bo Ferren.txt", "Bo Ferren met Ada Quill.");
    desk.run(["build", "good.txt", "Bo Ferren.txt", "--store", "store"])
        .done();
    desk
}

/// Every file below `path` with its bytes; the file itself where it is one.
fn content(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if path.is_file() {
        return BTreeMap::from([(path.to_owned(), fs::read(path).unwrap())]);
    }
    let entries = fs::read_dir(path).map_or_else(
        |_| Vec::new(),
        |entries| entries.map(|entry| entry.unwrap().path()).collect(),
    );
    entries.iter().flat_map(|entry| content(entry)).collect()
}

/// Holds that each of `commands` refuses the store at `path` with a line that names it and says `says`, and touches nothing.
fn check(desk: &Desk, path: &str, commands: &[&[&str]], says: &[&str]) {
    let before = content(&desk.path(path));
    for command in commands {
        desk.run(command.iter().chain(&["--store", path]))
            .refused(&[&[path], says].concat());
        assert_eq!(content(&desk.path(path)), before, "{command:?} changed {path}");
    }
}

#[test]
fn a_store_path_that_is_a_file_is_refused() {
    let desk = prepared();
    let all = [&READERS[..], &[BUILD]].concat();
    check(
        &desk,
        "good.txt",
        &all,
        &["not a store", "found a file", "name another directory"],
    );
}

#[test]
fn a_store_path_below_a_file_is_refused() {
    check(
        &prepared(),
        "good.txt/store",
        &[BUILD],
        &["cannot create the directory", "Not a directory"],
    );
}

#[test]
fn a_directory_of_something_else_is_refused() {
    let desk = prepared()
        .with("letters/to-ada.txt", "Dear Ada,")
        .with("letters/gen-1x/draft.txt", "Dear Bo,");
    check(&desk, "letters", &[BUILD], &["not a store", "name another directory"]);
    check(&desk, "letters", &READERS, &["no store at letters", "banyan build"]);
}

#[test]
fn a_store_that_is_not_there_is_missed() {
    let desk = prepared();
    check(&desk, "nowhere", &READERS, &["no store at nowhere", "banyan build"]);
    assert!(!desk.path("nowhere").exists(), "reading made a store");
}

#[test]
fn an_empty_directory_becomes_a_store() {
    let desk = prepared();
    fs::create_dir(desk.path("empty")).unwrap();
    check(&desk, "empty", &READERS, &["no store at empty", "banyan build"]);
    desk.run(["build", "good.txt", "Bo Ferren.txt", "--store", "empty"])
        .done();
    assert_eq!(desk.dump("empty"), desk.dump("store"));
}

/// Rewrites the format of the store at `store`.
fn put_format(desk: &Desk, format: u32) {
    let current = fs::read_to_string(desk.path("store/CURRENT")).unwrap();
    assert!(
        current.starts_with("banyan store 5\n"),
        "this test is written for format 5, found {current:?}"
    );
    desk.put(
        "store/CURRENT",
        current.replacen("store 5", &format!("store {format}"), 1),
    );
}

#[test]
fn a_store_of_a_newer_format_is_refused_by_every_command() {
    let desk = prepared();
    put_format(&desk, 6);
    let all = [&READERS[..], &[BUILD]].concat();
    check(&desk, "store", &all, &["format 6", "reads up to 5", "newer banyan"]);
}

/// A build replaced such a store, and what people had decided on it was gone.
#[test]
fn a_store_of_an_older_format_is_refused_by_every_command() {
    let desk = prepared();
    put_format(&desk, 4);
    let all = [&READERS[..], &[BUILD]].concat();
    check(
        &desk,
        "store",
        &all,
        &[
            "format 4",
            "reads 5",
            "cannot be carried over",
            "move the directory away",
        ],
    );
}

#[test]
fn a_store_with_an_unreadable_head_is_refused_by_every_command() {
    for head in [
        &b""[..],
        b"garbage\n",
        b"banyan store 5\n",
        b"banyan store 5\n../good\n",
        b"\xff\xfe",
    ] {
        let desk = prepared();
        desk.put("store/CURRENT", head);
        let all = [&READERS[..], &[BUILD]].concat();
        check(&desk, "store", &all, &["CURRENT"]);
    }
}

/// Where the live generation lies.
fn generation(desk: &Desk) -> PathBuf {
    let current = fs::read_to_string(desk.path("store/CURRENT")).unwrap();
    desk.path("store").join(current.lines().nth(1).unwrap())
}

/// Inverts the bits of the byte in the middle of what is used of a file.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[used / 2] ^= 0xff;
    fs::write(file, bytes).unwrap();
}

/// A build onto a store that could not be read dropped what people had decided, and said that all was well.
#[test]
fn a_damaged_store_is_refused_by_every_command_until_it_is_mended() {
    let harms: [fn(&Desk); 3] = [
        |desk| damage(&generation(desk).join("rows")),
        |desk| fs::remove_file(generation(desk).join("rows")).unwrap(),
        |desk| fs::write(generation(desk).join("rows"), "").unwrap(),
    ];
    for harm in harms {
        let desk = prepared();
        let expected = desk.dump("store");
        harm(&desk);
        check(&desk, "store", &READERS, &["store", "damaged", "banyan verify"]);
        let says = ["nothing was built", "decided", "--repair", "name another directory"];
        check(&desk, "store", &[BUILD], &says);
        check(&desk, "store", &[&["verify"]], &["store is damaged", "--repair"]);
        let found = desk.run(["verify", "--json", "--store", "store"]);
        assert_eq!(
            (found.code, found.json()["faults"].as_array().unwrap().is_empty()),
            (Some(2), false)
        );
        desk.run(["verify", "--repair", "--store", "store"]).done();
        let run = desk.run(["verify", "--store", "store"]).done();
        assert!(run.stdout.contains("store is whole: 2 documents"), "{run:#?}");
        assert_eq!(desk.dump("store"), expected);
    }
}

/// Readers do not need the database; nobody who reads notices its damage, and who verifies does.
#[test]
fn a_damaged_database_harms_no_reader_and_can_be_mended() {
    let harms: [fn(&Desk); 4] = [
        |desk| damage(&generation(desk).join("db")),
        |desk| fs::remove_file(generation(desk).join("db")).unwrap(),
        |desk| fs::write(generation(desk).join("conf"), "").unwrap(),
        |desk| desk.put("store/gen-1/blobs/77", "not of this store"),
    ];
    for harm in harms {
        let desk = prepared();
        let expected = desk.dump("store");
        harm(&desk);
        assert_eq!(desk.dump("store"), expected);
        check(&desk, "store", &[&["verify"]], &["store is damaged", "--repair"]);
        desk.run(["verify", "--repair", "--store", "store"]).done();
        desk.run(["verify", "--store", "store"]).done();
        assert_eq!(desk.dump("store"), expected);
    }
}

#[test]
fn a_store_that_lost_its_generation_is_told_and_cannot_be_mended() {
    let desk = prepared();
    fs::remove_dir_all(generation(&desk)).unwrap();
    let all = [&READERS[..], &[BUILD, &["verify"], &["verify", "--repair"]]].concat();
    check(&desk, "store", &all, &["store", "damaged"]);
}

/// A process that was killed while it read left this file, and nothing opened the store again.
#[test]
fn what_a_killed_reader_left_harms_nobody() {
    let desk = prepared();
    let expected = desk.dump("store");
    desk.put("store/gen-1/snap.FFFFFFFFFFFFFFFF.generating", "");
    assert_eq!(desk.dump("store"), expected);
    desk.run(["verify", "--store", "store"]).done();
    desk.run(["add", "good.txt", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), expected);
}

#[test]
fn reading_changes_nothing_in_a_store() {
    let desk = prepared();
    // What questions computed is kept beside the rows.
    let rows = |desk: &Desk| {
        let mut files = content(&desk.path("store"));
        files.retain(|path, _| !path.components().any(|part| part.as_os_str() == "derived"));
        files
    };
    let before = rows(&desk);
    for command in [
        &["dump"][..],
        &["stats"],
        &["query", "Who met Ada Quill?"],
        &["verify"],
        &["resolve"],
    ] {
        desk.run(command.iter().chain(&["--store", "store"]));
        assert_eq!(rows(&desk), before, "{command:?}");
    }
}

/// Starts eight readers at once; what each of them printed.
fn readers(desk: &Desk) -> Vec<String> {
    let start = || desk.command(["dump", "--store", "store"]).spawn().unwrap();
    let children: Vec<_> = (0..8).map(|_| start()).collect();
    let end = |child: Child| Run::from(child.wait_with_output().unwrap()).done().stdout;
    children.into_iter().map(end).collect()
}

#[test]
fn readers_do_not_disturb_each_other() {
    let desk = prepared();
    let expected = desk.dump("store");
    assert!(readers(&desk).iter().all(|found| *found == expected));
}

#[test]
fn readers_find_the_old_store_or_the_new_while_one_is_written() {
    let desk = prepared();
    desk.run(["build", "good.txt", "--store", "new"]).done();
    let (old, new) = (desk.dump("store"), desk.dump("new"));
    let writer = desk.command(["build", "good.txt", "--store", "store"]).spawn().unwrap();
    for found in readers(&desk) {
        assert!(found == old || found == new, "{found}");
    }
    Run::from(writer.wait_with_output().unwrap()).done();
    assert_eq!(desk.dump("store"), new);
}

/// The writer that comes next takes the very name that the interrupted one had taken, and finds rows of another corpus.
#[test]
fn leftovers_of_an_interrupted_writer_are_cleared() {
    let desk = prepared()
        .with("store/gen-7/db", "half a database")
        .with("store/CURRENT.new", "banyan st");
    let before = desk.dump("store");
    for (file, bytes) in content(&generation(&desk)) {
        let name = file.strip_prefix(desk.path("store/gen-1")).unwrap();
        desk.put(&format!("store/gen-2/{}", name.display()), bytes);
    }
    assert_eq!(desk.dump("store"), before);
    desk.run(["build", "good.txt", "--store", "store"]).done();
    desk.run(["build", "good.txt", "--store", "fresh"]).done();
    assert_eq!(desk.dump("store"), desk.dump("fresh"));
    assert!(!desk.path("store/gen-7").exists() && !desk.path("store/CURRENT.new").exists());
}

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

/// The path of the live database file.
fn database(desk: &Desk) -> PathBuf {
    let current = fs::read_to_string(desk.path("store/CURRENT")).unwrap();
    let generation = current.lines().nth(1).unwrap();
    desk.path("store").join(generation).join("db")
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

#[test]
fn a_store_of_a_newer_format_is_refused_by_every_command() {
    let desk = prepared();
    let current = fs::read_to_string(desk.path("store/CURRENT")).unwrap();
    assert!(
        current.starts_with("banyan store 4\n"),
        "this test is written for format 4, found {current:?}"
    );
    desk.put("store/CURRENT", current.replacen("store 4", "store 5", 1));
    let all = [&READERS[..], &[BUILD]].concat();
    check(&desk, "store", &all, &["format 5", "reads up to 4", "newer banyan"]);
}

#[test]
fn a_store_of_an_older_format_is_refused_by_readers_and_replaced_by_a_build() {
    let desk = prepared();
    let (expected, current) = (desk.dump("store"), desk.path("store/CURRENT"));
    let text = fs::read_to_string(&current).unwrap();
    desk.put("store/CURRENT", text.replacen("store 4", "store 3", 1));
    check(&desk, "store", &READERS, &["format 3", "reads 4", "build it again"]);
    desk.run(["build", "good.txt", "Bo Ferren.txt", "--store", "store"])
        .done();
    assert_eq!(desk.dump("store"), expected);
}

#[test]
fn a_store_with_an_unreadable_head_is_refused_by_every_command() {
    for head in [
        &b""[..],
        b"garbage\n",
        b"banyan store 4\n",
        b"banyan store 4\n../good\n",
        b"\xff\xfe",
    ] {
        let desk = prepared();
        desk.put("store/CURRENT", head);
        let all = [&READERS[..], &[BUILD]].concat();
        check(&desk, "store", &all, &["CURRENT"]);
    }
}

/// Damages a store, holds that reading says so, and that building into it again mends it.
fn check_damage(damage: impl Fn(&Desk)) {
    let desk = prepared();
    let expected = desk.dump("store");
    damage(&desk);
    for command in READERS {
        let says = ["store", "damaged", "build it again from its corpus"];
        desk.run(command.iter().chain(&["--store", "store"])).refused(&says);
    }
    desk.run(["build", "good.txt", "Bo Ferren.txt", "--store", "store"])
        .done();
    assert_eq!(desk.dump("store"), expected);
}

#[test]
fn a_missing_generation_is_told_and_built_again() {
    check_damage(|desk| fs::remove_dir_all(database(desk).parent().unwrap()).unwrap());
}

#[test]
fn a_missing_database_is_told_and_built_again() {
    check_damage(|desk| fs::remove_file(database(desk)).unwrap());
}

#[test]
fn a_truncated_database_is_told_and_built_again() {
    for thirds in 0..3 {
        check_damage(|desk| {
            let bytes = fs::read(database(desk)).unwrap();
            let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
            fs::write(database(desk), &bytes[..used * thirds / 3]).unwrap();
        });
    }
}

#[test]
fn a_flipped_bit_in_a_text_is_told_and_built_again() {
    check_damage(|desk| {
        let mut bytes = fs::read(database(desk)).unwrap();
        let word = b"Vessing";
        let at = bytes
            .windows(word.len())
            .position(|window| window == word)
            .expect("the text stands in the database");
        bytes[at] ^= 1;
        fs::write(database(desk), bytes).unwrap();
    });
}

/// A byte may lie in padding, where a flip does no harm; then the store must give what it gave.
#[test]
fn no_flipped_byte_changes_what_a_store_says() {
    let desk = prepared();
    let expected = desk.dump("store");
    let database = database(&desk);
    let sound = fs::read(&database).unwrap();
    for at in (0..sound.len()).step_by(sound.len() / 16) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xff;
        fs::write(&database, bytes).unwrap();
        let run = desk.run(["dump", "--store", "store"]);
        if run.code == Some(0) {
            assert_eq!(run.stdout, expected, "byte {at}");
        } else {
            run.refused(&["damaged", "build it again"]);
        }
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
    for (file, bytes) in content(&desk.path("store/gen-1")) {
        let name = file.strip_prefix(desk.path("store/gen-1")).unwrap();
        desk.put(&format!("store/gen-2/{}", name.display()), bytes);
    }
    assert_eq!(desk.dump("store"), before);
    desk.run(["build", "good.txt", "--store", "store"]).done();
    desk.run(["build", "good.txt", "--store", "fresh"]).done();
    assert_eq!(desk.dump("store"), desk.dump("fresh"));
    assert!(!desk.path("store/gen-7").exists() && !desk.path("store/CURRENT.new").exists());
}

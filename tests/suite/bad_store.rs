//! Store paths that cannot be used and stores that are damaged: one clear line, exit code 2, and nothing touched.

use crate::desk;
use banyan_engine::store::FORMAT;
use banyan_tests::{Desk, Run};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

/// Commands that need a store; `build` and `add` bring a good file along.
const READERS: [&str; 5] = ["dump", "stats", "query Vessing?", "add good.txt", "remove good.txt"];
const BUILD: [&str; 1] = ["build good.txt"];

/// A desk with a good file and a store.
fn prepared() -> Desk {
    let desk = desk()
        .with("good.txt", "Ada Quill was born in Vessing.")
        .with("bo.txt", "Bo Ferren met Ada Quill.");
    desk.banyan("build good.txt bo.txt").done();
    desk
}

/// Every file below `path` with its bytes; the file itself where it is one.
fn content(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if path.is_file() {
        return BTreeMap::from([(path.to_owned(), fs::read(path).unwrap())]);
    }
    let entries = fs::read_dir(path).into_iter().flatten();
    entries.flat_map(|entry| content(&entry.unwrap().path())).collect()
}

/// Holds that each of `commands` refuses the store at `path` with a line that names it and says `says`, and touches
/// nothing.
fn check(desk: &Desk, path: &str, commands: &[&str], says: &[&str]) {
    let before = content(&desk.path(path));
    for command in commands {
        desk.banyan(&format!("{command} --store {path}"))
            .refused(&[&[path], says].concat());
        assert_eq!(content(&desk.path(path)), before, "{command:?} changed {path}");
    }
}

/// The same for every command, with one line.
fn check_all(desk: &Desk, path: &str, says: &[&str]) {
    check(desk, path, &READERS, says);
    check(desk, path, &BUILD, says);
}

#[test]
fn a_path_that_is_no_store_is_refused_and_an_empty_directory_becomes_one() {
    let desk = prepared()
        .with("letters/to-ada.txt", "Dear Ada,")
        .with("letters/gen-1x/draft.txt", "Dear Bo,");
    fs::create_dir(desk.path("empty")).unwrap();
    let elsewhere = "name another directory";
    check_all(&desk, "good.txt", &["not a store", "found a file", elsewhere]);
    let below = ["cannot create the directory", "Not a directory"];
    check(&desk, "good.txt/store", &BUILD, &below);
    check(&desk, "letters", &BUILD, &["not a store", elsewhere]);
    for path in ["letters", "nowhere", "empty"] {
        let missing = format!("no store at {path}");
        check(&desk, path, &READERS, &[&missing, "banyan build"]);
    }
    assert!(!desk.path("nowhere").exists(), "reading made a store");
    desk.banyan("build good.txt bo.txt --store empty").done();
    assert_eq!(desk.dump("empty"), desk.dump("store"));
}

/// A build replaced a store of an older format, and what people had decided on it was gone.
#[test]
fn a_store_of_another_format_or_with_an_unreadable_head_is_refused_by_every_command() {
    let desk = prepared();
    let current = desk.read("store/CURRENT");
    let own = format!("banyan store {FORMAT}\n");
    assert!(current.starts_with(&own), "{current:?}");
    let of = |format: u32| {
        current
            .replacen(&own, &format!("banyan store {format}\n"), 1)
            .into_bytes()
    };
    let reads = format!("reads {FORMAT}");
    let (next, last) = (format!("format {}", FORMAT + 1), format!("format {}", FORMAT - 1));
    let newer = [next.as_str(), &reads, "newer banyan"];
    let older = [&last, &reads, "`banyan dump --json`", "`banyan load`"];
    let heads: [(Vec<u8>, &[&str]); 7] = [
        (of(FORMAT + 1), &newer),
        (of(FORMAT - 1), &older),
        (b"".to_vec(), &["CURRENT"]),
        (b"garbage\n".to_vec(), &["CURRENT"]),
        (own.clone().into_bytes(), &["CURRENT"]),
        (format!("{own}../good\n").into_bytes(), &["CURRENT"]),
        (b"\xff\xfe".to_vec(), &["CURRENT"]),
    ];
    for (head, says) in heads {
        desk.put("store/CURRENT", head);
        check_all(&desk, "store", says);
    }
}

/// Where the live generation lies.
fn generation(desk: &Desk) -> PathBuf {
    let current = desk.read("store/CURRENT");
    desk.path("store").join(current.lines().nth(1).unwrap())
}

/// Inverts the bits of the byte in the middle of what is used of a file.
fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[used / 2] ^= 0xff;
    fs::write(file, bytes).unwrap();
}

/// Holds that `verify` finds what `harm` does to the store and that `--repair` mends it; `meanwhile` is done to what is
/// damaged, with what the store knew.
fn check_mended(harm: fn(&Path), meanwhile: impl Fn(&Desk, &str)) {
    let desk = prepared();
    let expected = desk.dump("store");
    harm(&generation(&desk));
    meanwhile(&desk, &expected);
    check(&desk, "store", &["verify"], &["store is damaged", "--repair"]);
    let found = desk.banyan("verify --json");
    let faults = found.json()["faults"].as_array().map(Vec::len);
    assert!(found.code == Some(2) && faults > Some(0), "{found:#?}");
    desk.banyan("verify --repair").done();
    desk.banyan("verify").done().prints(&["store is whole: 2 documents"]);
    assert_eq!(desk.dump("store"), expected);
}

/// A build onto a store that could not be read dropped what people had decided, and said that all was well.
#[test]
fn a_damaged_store_is_refused_by_every_command_until_it_is_mended() {
    let harms: [fn(&Path); 3] = [
        |generation| damage(&generation.join("rows")),
        |generation| fs::remove_file(generation.join("rows")).unwrap(),
        |generation| fs::write(generation.join("rows"), "").unwrap(),
    ];
    for harm in harms {
        check_mended(harm, |desk, _| {
            check(desk, "store", &READERS, &["store", "damaged", "banyan verify"]);
            let says = ["nothing was built", "decided", "--repair", "name another directory"];
            check(desk, "store", &BUILD, &says);
        });
    }
    let desk = prepared();
    fs::remove_dir_all(generation(&desk)).unwrap();
    check_all(&desk, "store", &["store", "damaged"]);
    check(&desk, "store", &["verify", "verify --repair"], &["damaged"]);
}

/// Readers do not need the database; nobody who reads notices its damage, and who verifies does.
#[test]
fn a_damaged_database_harms_no_reader_and_can_be_mended() {
    let harms: [fn(&Path); 4] = [
        |generation| damage(&generation.join("db")),
        |generation| fs::remove_file(generation.join("db")).unwrap(),
        |generation| fs::write(generation.join("conf"), "").unwrap(),
        |generation| fs::write(generation.join("blobs/77"), "not of this store").unwrap(),
    ];
    for harm in harms {
        check_mended(harm, |desk, expected| assert_eq!(desk.dump("store"), expected));
    }
}

/// A process that was killed while it read left a file of sled's, and nothing opened the store again.
#[test]
fn reading_changes_nothing_in_a_store_and_what_a_killed_reader_left_harms_nobody() {
    let desk = prepared();
    let expected = desk.dump("store");
    desk.put("store/gen-1/snap.FFFFFFFFFFFFFFFF.generating", "");
    // What questions computed is kept beside the rows.
    let rows = || {
        let mut files = content(&desk.path("store"));
        files.retain(|path, _| !path.components().any(|part| part.as_os_str() == "derived"));
        files
    };
    let before = rows();
    for command in ["dump", "stats", "query Vessing?", "verify", "resolve"] {
        desk.banyan(command);
        assert_eq!(rows(), before, "{command}");
    }
    desk.banyan("verify").done();
    desk.banyan("add good.txt").done();
    assert_eq!(desk.dump("store"), expected);
}

#[test]
fn readers_disturb_nobody_and_find_the_old_store_or_the_new_while_one_is_written() {
    let desk = prepared();
    desk.banyan("build good.txt --store new").done();
    let (old, new) = (desk.dump("store"), desk.dump("new"));
    let writer = desk.command(BUILD[0].split(' ')).spawn().unwrap();
    let readers: Vec<Child> = (0..8).map(|_| desk.command(["dump"]).spawn().unwrap()).collect();
    for reader in readers {
        let found = Run::from(reader.wait_with_output().unwrap()).done().stdout;
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
    desk.banyan(BUILD[0]).done();
    desk.banyan("build good.txt --store fresh").done();
    assert_eq!(desk.dump("store"), desk.dump("fresh"));
    assert!(!desk.path("store/gen-7").exists() && !desk.path("store/CURRENT.new").exists());
}

#[test]
fn a_backup_is_the_store_as_it_was_and_takes_the_place_of_none() {
    let desk = prepared();
    let before = desk.dump("store");
    desk.banyan("backup copies/monday").done();
    desk.put("new.txt", "Cass Orde was born in Tidd.");
    desk.banyan("add new.txt").done();
    assert_eq!(desk.dump("copies/monday"), before);
    assert_ne!(desk.dump("store"), before);
    // What nobody may write is copied all the same.
    desk.shell("chmod -R a-w store && $BANYAN backup copies/tuesday; code=$?; chmod -R u+w store; exit $code")
        .done();
    let locked = desk.shell("find copies/tuesday -type f ! -perm -u+w").done();
    assert_eq!(locked.stdout, "");
    assert_eq!(desk.dump("copies/tuesday"), desk.dump("store"));
    desk.banyan("verify --store copies/monday").done();
    desk.banyan("backup copies/monday")
        .refused(&["copies/monday", "holds a store already"]);
    desk.put("letters/a.txt", "A letter.");
    desk.banyan("backup letters").refused(&["letters", "not a store"]);
    desk.banyan("backup new --store nowhere")
        .refused(&["no store at nowhere"]);
    assert!(!desk.path("new").exists());
}

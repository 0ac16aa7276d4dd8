//! Removing documents leaves what a fresh build of the remaining corpus gives, byte for byte, and so does adding them
//! where communities are detected; where they are refreshed, all but the communities is that (ARCHITECTURE, invariant
//! 4).

mod refresh;

use crate::desk;
use banyan_tests::{Desk, same};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use std::fs;

const PEOPLE: [&str; 4] = ["Ada Quill", "Bo Ferren", "Cass Orde", "Dov Merrow"];
const PLACES: [&str; 3] = ["Vessing", "Great Ommer", "Karrowmouth"];
const WORKS: [&str; 2] = ["Salt Road", "Low Water (novel)"];
/// `{p}` and `{q}` are people, `{l}` and `{m}` places, `{w}` is a work: few names, so that documents share them.
const SENTENCES: [&str; 9] = [
    "{p} was born in {l} on 3 May 1880.",
    "{p} married {q} in 1911.",
    "{w} was written by {p}.",
    "{p}, a painter from {l}, was the teacher of {q}.",
    "{l} is a town on {m}.",
    "{w} is a novel by {p} set in {l}.",
    "The {l} Gallery was founded by {p} and {q}.",
    "{l} had 4,200 inhabitants in 1931 and lies 12 km north of {m}.",
    "Nobody in {l} has ever read \"{w}\", although its author lived there.",
];
/// Most documents of a random corpus.
const MAX_DOCUMENTS: usize = 6;

/// A file of a random corpus.
#[derive(Clone, Debug)]
struct File {
    name: String,
    text: String,
    /// What it held in between, where it does not stay.
    draft: String,
    /// Whether it is in the corpus from the beginning to the end.
    stays: bool,
}

fn sentence() -> impl Strategy<Value = String> {
    let parts = (
        select(&SENTENCES[..]),
        select(&PEOPLE[..]),
        select(&PEOPLE[..]),
        select(&PLACES[..]),
        select(&PLACES[..]),
        select(&WORKS[..]),
    );
    parts.prop_map(|(pattern, p, q, l, m, w)| {
        [("{p}", p), ("{q}", q), ("{l}", l), ("{m}", m), ("{w}", w)]
            .into_iter()
            .fold(pattern.to_owned(), |text, (mark, name)| text.replace(mark, name))
    })
}

fn title() -> impl Strategy<Value = &'static str> {
    select([&PEOPLE[..], &PLACES, &WORKS].concat())
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(sentence(), 1..4).prop_map(|sentences| sentences.join(" "))
}

/// At least one file that stays and one that comes and goes; some files repeat another one in a directory of their own.
fn corpus() -> impl Strategy<Value = Vec<File>> {
    let repeats = prop::option::weighted(0.2, any::<prop::sample::Index>());
    let files = prop::collection::vec((title(), text(), text(), repeats, any::<bool>()), 2..=MAX_DOCUMENTS);
    files.prop_map(|drafts| {
        let file = |at: usize| {
            let (_, _, draft, repeats, stays) = &drafts[at];
            let (title, text, ..) = &drafts[repeats.map_or(at, |index| index.index(at + 1))];
            File {
                name: format!("{at}/{title}.txt"),
                text: text.clone(),
                draft: draft.clone(),
                stays: at == 0 || (at > 1 && *stays),
            }
        };
        (0..drafts.len()).map(file).collect()
    })
}

/// The dump of a fresh build of these files.
fn fresh<'a>(desk: &Desk, files: impl IntoIterator<Item = &'a str>) -> String {
    desk.run(["build", "--store", "fresh"].into_iter().chain(files)).done();
    desk.dump("fresh")
}

/// A dump with the members of all communities, and what is known of them, in the order of their lines: all but how they
/// are divided.
fn undivided(dump: &str) -> String {
    let (facts, tree) = dump.split_once("\n# tree\n").expect("the dump has a tree");
    let counted = |line: &&str| !line.starts_with("documents ");
    let facts: Vec<&str> = facts.lines().filter(counted).collect();
    let members = tree.split("\n  · ").skip(1);
    let own = |block: &str| {
        let lines = block.lines().take_while(|line| !line.starts_with('4'));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut members: Vec<String> = members.map(own).collect();
    members.sort();
    format!("{}\n{}", facts.join("\n"), members.join("\n"))
}

/// Builds what stays, adds drafts of the others, adds the others themselves, removes them again, and compares with fresh
/// builds; once with communities detected at each step, once with refreshed ones.
fn check(files: &[File]) {
    let desk = desk();
    let names = |stays: bool| {
        let chosen = files.iter().filter(move |file| file.stays == stays);
        chosen.map(|file| file.name.as_str())
    };
    let stores = [("store", "detect"), ("refreshed", "refresh")];
    let change = |command: &'static str| {
        for (store, communities) in stores {
            let kind = if command == "add" { communities } else { "detect" };
            let args = [command, "--store", store, "--communities", kind];
            desk.run(args.into_iter().chain(names(false))).done();
        }
    };
    for file in files {
        desk.put(&file.name, if file.stays { &file.text } else { &file.draft });
    }
    for (store, _) in stores {
        let args = ["build", "--store", store];
        desk.run(args.into_iter().chain(names(true))).done();
    }
    let later = |command: &'static str| {
        let args = [command, "--store", "later", "--join", "later"];
        desk.run(args.into_iter().chain(names(false))).done();
    };
    let args = ["build", "--store", "later"];
    desk.run(args.into_iter().chain(names(true))).done();
    later("add");
    change("add");
    for file in files {
        desk.put(&file.name, &file.text);
    }
    later("add");
    desk.banyan("compact --store later --communities detect").done();
    change("add");
    let all = fresh(&desk, files.iter().map(|file| file.name.as_str()));
    same(&desk.dump("store"), &all, "after adding");
    let refreshed = undivided(&desk.dump("refreshed"));
    same(&refreshed, &undivided(&all), "after adding with a refresh");
    same(&desk.dump("later"), &all, "after adding apart and joining");
    for file in files.iter().filter(|file| !file.stays) {
        desk.put(&file.name, &file.draft);
    }
    later("add");
    for file in files {
        desk.put(&file.name, &file.text);
    }
    later("add");
    same(&desk.dump("later"), &all, "after editing in place and back");
    change("remove");
    later("remove");
    desk.banyan("verify --store later").done();
    desk.banyan("compact --store later --communities detect").done();
    let left = fresh(&desk, names(true));
    same(&desk.dump("later"), &left, "after removing in place and joining");
    for (store, communities) in stores {
        same(&desk.dump(store), &left, &format!("after removing, {communities}"));
    }
}

#[test]
fn a_changed_store_equals_a_fresh_build() {
    let config = ProptestConfig {
        // PROPTEST_CASES asks for more.
        cases: std::env::var("PROPTEST_CASES").map_or(16, |n| n.parse().expect("PROPTEST_CASES is a number")),
        max_shrink_iters: 100,
        rng_seed: RngSeed::Fixed(42),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(files in corpus())| check(&files));
}

const ADA: &str = "Ada Quill was born in Vessing.";
const BO: &str = "Bo Ferren married Ada Quill in 1911.";
/// Two records with ids.
const RECORDS: &str = "{\"id\":1,\"title\":\"Ada Quill\",\"text\":\"Ada Quill was born in Vessing.\"}\n{\"id\":2,\"title\":\"Bo Ferren\",\"text\":\"Bo Ferren married Ada Quill in 1911.\"}\n";

/// A store of two files.
fn pair() -> Desk {
    let desk = desk().with("ada.txt", ADA).with("bo.txt", BO);
    desk.banyan("build ada.txt bo.txt").done();
    desk
}

#[test]
fn a_document_goes_by_any_of_its_names() {
    let desk = desk().with("records.jsonl", RECORDS);
    desk.banyan("build records.jsonl").done();
    let dump = desk.dump("store");
    let line = dump.lines().find(|line| line.contains("\"Bo Ferren\""));
    let (id, _) = line
        .and_then(|line| line.split_once(' '))
        .expect("the dump lists documents");
    for name in ["records.jsonl#2", "./records.jsonl#2", "Bo Ferren", id] {
        desk.banyan("build records.jsonl").done();
        desk.run(["remove", name]).done();
        let left = desk.dump("store");
        assert!(
            left.contains("\"Ada Quill\" records.jsonl#1 ") && !left.contains("records.jsonl#2"),
            "{name}: {left}"
        );
    }
    let desk = desk.with_files([("a/Ada Quill.txt", ADA), ("b/Ada Quill.txt", ADA), ("bo.txt", BO)]);
    desk.banyan("build a b bo.txt").done();
    desk.run(["remove", "a/Ada Quill.txt"]).done();
    assert_eq!(
        desk.dump("store"),
        fresh(&desk, ["b", "bo.txt"]),
        "one of two equal documents"
    );
}

/// Records were told apart by their line, too. A record that had moved to another line of its file, because one was put
/// before it, was then kept with the same origin twice, which no fresh build does.
#[test]
fn a_file_that_is_added_again_replaces_what_it_held() {
    let town = "{\"id\":0,\"title\":\"Vessing\",\"text\":\"Vessing is a town.\"}";
    let moved = format!("{town}\n{RECORDS}");
    let desk = desk().with("records.jsonl", RECORDS).with("bo.txt", BO);
    desk.banyan("build records.jsonl bo.txt").done();
    for records in [RECORDS, moved.as_str(), town] {
        desk.put("records.jsonl", records);
        desk.banyan("add ./records.jsonl --communities detect").done();
        assert_eq!(
            desk.dump("store"),
            fresh(&desk, ["records.jsonl", "bo.txt"]),
            "{records}"
        );
    }
}

#[test]
fn removing_everything_or_an_unknown_document_is_refused_and_removes_nothing() {
    let desk = pair();
    let before = desk.dump("store");
    desk.banyan("remove ada bo.txt")
        .refused(&["every document", "delete store"]);
    let says = ["cass.txt", "no such document in store", "nothing was removed"];
    desk.banyan("remove ada cass.txt").refused(&says);
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn a_synced_store_is_what_the_directory_holds_and_an_equal_one_is_not_touched() {
    let desk = desk().with_files([
        ("notes/ada.txt", ADA),
        ("notes/bo.txt", BO),
        ("other.txt", "Vessing is a town."),
    ]);
    desk.banyan("build notes other.txt").done();
    let generation = |desk: &Desk| desk.read("store/CURRENT");
    let before = generation(&desk);
    desk.banyan("sync ./notes").done();
    assert_eq!(generation(&desk), before, "nothing had changed");
    fs::remove_file(desk.path("notes/bo.txt")).unwrap();
    desk.put("notes/ada.txt", "Ada Quill was born in Karrowmouth.");
    desk.put("notes/cass.txt", "Cass Orde married Dov Merrow.");
    desk.banyan("sync notes --communities detect")
        .done()
        .tells(&["2 documents added, 2 documents removed"]);
    assert_eq!(desk.dump("store"), fresh(&desk, ["notes", "other.txt"]));
    desk.banyan("sync nowhere").refused(&["nowhere"]);
}

//! Removing documents leaves what a fresh build of the remaining corpus gives, byte for byte, and so does adding them where
//! communities are detected; where they are refreshed, all but the communities is that (ARCHITECTURE, invariant 4).

mod refresh;

use crate::desk;
use banyan_tests::{Desk, same};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

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

/// Builds what stays, adds drafts of the others, adds the others themselves, removes them again, and compares with
/// fresh builds; once with communities detected at each step, once with refreshed ones and each number of threads.
fn check(files: &[File]) {
    let desk = desk();
    let names = |stays: bool| {
        let chosen = files.iter().filter(move |file| file.stays == stays);
        chosen.map(|file| file.name.as_str())
    };
    let stores = [
        ("store", "detect", "2"),
        ("one", "refresh", "1"),
        ("two", "refresh", "2"),
    ];
    let change = |command: &'static str| {
        for (store, communities, threads) in stores {
            let kind = if command == "add" { communities } else { "detect" };
            let args = [command, "--store", store, "--communities", kind, "--threads", threads];
            desk.run(args.into_iter().chain(names(false))).done();
        }
        same(&desk.dump("one"), &desk.dump("two"), "with two threads");
    };
    for file in files {
        desk.put(&file.name, if file.stays { &file.text } else { &file.draft });
    }
    for (store, ..) in stores {
        desk.run(["build", "--store", store].into_iter().chain(names(true)))
            .done();
    }
    change("add");
    for file in files {
        desk.put(&file.name, &file.text);
    }
    change("add");
    let all = fresh(&desk, files.iter().map(|file| file.name.as_str()));
    same(&desk.dump("store"), &all, "after adding");
    same(
        &undivided(&desk.dump("one")),
        &undivided(&all),
        "after adding with a refresh",
    );
    change("remove");
    let left = fresh(&desk, names(true));
    same(&desk.dump("store"), &left, "after removing");
    same(&desk.dump("one"), &left, "after removing what came with a refresh");
}

#[test]
fn a_changed_store_equals_a_fresh_build() {
    let config = ProptestConfig {
        cases: 24,
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
    let desk = desk().with("Ada Quill.txt", ADA).with("Bo Ferren.txt", BO);
    desk.run(["build", "Ada Quill.txt", "Bo Ferren.txt", "--store", "store"])
        .done();
    desk
}

#[test]
fn one_of_two_equal_documents_can_go_while_the_other_stays() {
    let desk = desk()
        .with("a/Ada Quill.txt", ADA)
        .with("b/Ada Quill.txt", ADA)
        .with("Bo Ferren.txt", BO);
    desk.run(["build", "a", "b", "Bo Ferren.txt", "--store", "store"])
        .done();
    desk.run(["remove", "a/Ada Quill.txt", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), fresh(&desk, ["b", "Bo Ferren.txt"]));
}

#[test]
fn a_document_goes_by_any_of_its_names() {
    let id = |desk: &Desk| {
        let dump = desk.dump("store");
        let line = dump
            .lines()
            .find(|line| line.contains("\"Bo Ferren\""))
            .expect("the dump lists documents");
        line.split(' ').next().unwrap_or_default().to_owned()
    };
    let desk = desk()
        .with("records.jsonl", RECORDS)
        .with("one.jsonl", RECORDS.lines().next().unwrap_or_default());
    desk.run(["build", "records.jsonl", "--store", "store"]).done();
    for name in ["records.jsonl#2", "./records.jsonl#2", "Bo Ferren", &id(&desk)] {
        desk.run(["build", "records.jsonl", "--store", "store"]).done();
        desk.run(["remove", name, "--store", "store"]).done();
        let left = desk.dump("store");
        assert!(
            left.contains("\"Ada Quill\" records.jsonl#1 ") && !left.contains("records.jsonl#2"),
            "{name}: {left}"
        );
    }
}

#[test]
fn adding_what_is_there_changes_nothing() {
    let desk = pair();
    let before = desk.dump("store");
    desk.run(["add", "Ada Quill.txt", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), before);
}

/// Records were told apart by their line, too. A record that had moved to another line of its file, because one was put
/// before it, was then kept with the same origin twice, which no fresh build does.
#[test]
fn a_record_that_moved_within_its_file_is_the_same() {
    let desk = desk().with("records.jsonl", RECORDS);
    desk.run(["build", "records.jsonl", "--store", "store"]).done();
    desk.put(
        "records.jsonl",
        format!("{{\"id\":0,\"title\":\"Vessing\",\"text\":\"Vessing is a town.\"}}\n{RECORDS}"),
    );
    desk.run(["add", "records.jsonl", "--store", "store", "--communities", "detect"])
        .done();
    assert_eq!(desk.dump("store"), fresh(&desk, ["records.jsonl"]));
}

#[test]
fn a_file_that_is_added_again_replaces_what_it_held() {
    let desk = desk().with("records.jsonl", RECORDS).with("Bo Ferren.txt", BO);
    desk.run(["build", "records.jsonl", "Bo Ferren.txt", "--store", "store"])
        .done();
    desk.put(
        "records.jsonl",
        "{\"id\":3,\"title\":\"Vessing\",\"text\":\"Vessing is a town.\"}",
    );
    desk.run(["add", "./records.jsonl", "--store", "store", "--communities", "detect"])
        .done();
    assert_eq!(desk.dump("store"), fresh(&desk, ["records.jsonl", "Bo Ferren.txt"]));
}

/// Runs `remove` and holds that it is refused and the store stays.
fn refuse(desk: &Desk, documents: &[&str], says: &[&str]) {
    let before = desk.dump("store");
    desk.run(["remove", "--store", "store"].iter().chain(documents))
        .refused(says);
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn removing_everything_is_refused() {
    refuse(
        &pair(),
        &["Ada Quill", "Bo Ferren.txt"],
        &["every document", "delete store"],
    );
}

#[test]
fn removing_an_unknown_document_is_refused_and_removes_nothing_else() {
    refuse(
        &pair(),
        &["Ada Quill", "Cass Orde.txt"],
        &["Cass Orde.txt", "no such document in store", "nothing was removed"],
    );
}

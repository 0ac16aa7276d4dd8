//! Which names are one entity: what `banyan resolve` shows and changes, and that decisions outlive a change of documents.

use crate::desk;
use banyan_tests::Desk;
use serde_json::Value;

/// Two names of one company, one of them stated; a person with and without a title; a namesake of a sequel.
const TEXTS: [(&str, &str); 5] = [
    (
        "Basket Weaving.txt",
        "Basket weaving is a craft. The Inner Basket Makers (IBM) met in Vessing in 1911. Dr. Mara Voss spoke.",
    ),
    (
        "Tidd Strike.txt",
        "The strike began in 1912. The IBM closed its mill in Tidd Harbour.",
    ),
    (
        "Gull Songs.txt",
        "Gull Songs is a novel by Mara Voss. It was written in Vessing. Bob Orde drew the maps.",
    ),
    (
        "Gull Songs II.txt",
        "Gull Songs II is a novel by Mara Voss. It was sold by Robert Orde.",
    ),
    ("Vessing.txt", "Vessing is a town. Mara Voss lived in Vessing."),
];

/// A desk with the texts, built.
fn built() -> Desk {
    let desk = TEXTS
        .into_iter()
        .fold(desk(), |desk, (name, text)| desk.with(name, text));
    let files = TEXTS.map(|(name, _)| name);
    desk.run(["build", "--store", "store"].iter().chain(&files)).done();
    desk
}

fn log(desk: &Desk, options: &[&str]) -> Value {
    desk.run(["resolve", "--json", "--store", "store"].iter().chain(options))
        .done()
        .json()
}

/// The names of every joined entity.
fn joined(desk: &Desk) -> Vec<String> {
    let log = log(desk, &[]);
    let names = |entity: &Value| {
        let names = entity["names"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap());
        names.collect::<Vec<_>>().join(" | ")
    };
    log["entities"].as_array().unwrap().iter().map(names).collect()
}

/// Runs `resolve` with these arguments on the store.
fn resolve(desk: &Desk, args: &[&str]) -> banyan_tests::Run {
    desk.run(["resolve"].iter().chain(args).chain(&["--store", "store"]))
}

const MAKERS: &str = "IBM | Inner Basket Makers";
const VOSS: &str = "Dr. Mara Voss | Mara Voss";

#[test]
fn the_log_quotes_the_words_that_equate_two_names() {
    let desk = built();
    assert_eq!(joined(&desk), [MAKERS, VOSS]);
    let text = resolve(&desk, &["ibm"]).done().stdout;
    for part in [
        "Inner Basket Makers",
        "\"IBM\" is \"Inner Basket Makers\"",
        "alias: “Inner Basket Makers (IBM)” (Basket Weaving.txt:31..56)",
        "initials",
    ] {
        assert!(text.contains(part), "expected {part:?}: {text}");
    }
    let entity = &log(&desk, &["Inner Basket Makers"])["entities"][0];
    let alias = &entity["merges"][0]["evidence"][0];
    let at = |name: &str| usize::try_from(alias[name].as_u64().unwrap()).unwrap();
    assert_eq!(
        TEXTS[0].1.get(at("start")..at("end")),
        alias["quote"].as_str(),
        "{alias:#}"
    );
    assert!(
        resolve(&desk, &["Vessing"])
            .done()
            .stdout
            .contains("joined with no other name")
    );
}

#[test]
fn a_question_finds_an_entity_by_any_of_its_names() {
    let desk = built();
    let run = desk
        .run([
            "query",
            "What did the Inner Basket Makers close in Tidd Harbour?",
            "--store",
            "store",
            "--explain",
        ])
        .done();
    assert!(run.stdout.contains("Tidd Strike"), "{run:#?}");
}

#[test]
fn a_merge_a_split_and_two_undos_lead_back() {
    let desk = built();
    let fresh = desk.dump("store");
    let run = resolve(&desk, &["--merge", "Bob Orde", "Robert Orde"]).done();
    assert!(
        run.stderr
            .contains("\"Bob Orde\" and \"Robert Orde\" are one entity now"),
        "{run:#?}"
    );
    assert_eq!(joined(&desk), ["Bob Orde | Robert Orde", MAKERS, VOSS]);
    resolve(&desk, &["--split", "Mara Voss", "Dr. Mara Voss"]).done();
    assert_eq!(joined(&desk), ["Bob Orde | Robert Orde", MAKERS]);
    let log = log(&desk, &[]);
    let kinds: Vec<&str> = log["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["merge", "split"]);
    assert!(desk.dump("store").contains("! merge \"bob orde\" \"robert orde\""));
    resolve(&desk, &["--undo"]).done();
    assert_eq!(joined(&desk), ["Bob Orde | Robert Orde", MAKERS, VOSS]);
    resolve(&desk, &["--undo"]).done();
    assert_eq!(desk.dump("store"), fresh);
}

#[test]
fn decisions_outlive_documents_and_leave_no_trace_of_them() {
    let desk = built();
    resolve(&desk, &["--merge", "Bob Orde", "Robert Orde"]).done();
    resolve(&desk, &["--split", "Mara Voss", "Dr. Mara Voss"]).done();
    let before = desk.dump("store");
    desk.put(
        "Ordes.txt",
        "The Ordes lived in Tidd Harbour. Dr. Mara Voss met Bob Orde.",
    );
    desk.run(["add", "Ordes.txt", "--store", "store"]).done();
    assert_eq!(joined(&desk), ["Bob Orde | Robert Orde", MAKERS]);
    desk.run(["remove", "Ordes.txt", "--store", "store"]).done();
    assert_eq!(desk.dump("store"), before);
    let run = desk.run(["remove", "Gull Songs II.txt", "--store", "store"]).done();
    assert!(
        run.stderr
            .contains("without effect: merge \"bob orde\" \"robert orde\": no document names \"robert orde\""),
        "{run:#?}"
    );
    desk.run([
        "add",
        "Gull Songs II.txt",
        "--store",
        "store",
        "--communities",
        "detect",
    ])
    .done();
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn what_cannot_be_decided_is_refused_and_changes_nothing() {
    let desk = built();
    resolve(&desk, &["--merge", "Bob Orde", "Robert Orde"]).done();
    let before = desk.dump("store");
    let check = |args: &[&str], says: &[&str]| resolve(&desk, args).refused(says);
    check(
        &["--merge", "Mara Vos", "Vessing"],
        &["\"Mara Vos\": no such name in store", "did you mean \"Mara Voss\"?"],
    );
    check(
        &["--merge", "Xyzzy Plugh", "Vessing"],
        &["no such name", "`banyan dump` lists all names"],
    );
    check(&["Vesing"], &["did you mean \"Vessing\"?"]);
    check(
        &["--merge", "Mara Voss", "Dr. Mara Voss"],
        &["are one entity already", "nothing was changed"],
    );
    check(
        &["--split", "Vessing", "Tidd Harbour"],
        &["are not joined", "nothing was changed"],
    );
    check(
        &["--split", "Vessing", "vessing"],
        &["the same name", "nothing was changed"],
    );
    check(
        &["--split", "Robert Orde", "Bob Orde"],
        &[
            "contradicts the decision merge \"bob orde\" \"robert orde\"",
            "nothing was changed",
        ],
    );
    check(
        &["--merge", "Vessing", "Gull Songs"],
        &["a place and a work", "nothing was changed"],
    );
    assert_eq!(desk.dump("store"), before);
    resolve(&desk, &["--undo"]).done();
    check(&["--undo"], &["store: no decision to take back"]);
    let missing = desk.run(["resolve", "--store", "nowhere"]);
    missing.refused(&["no store at nowhere"]);
}

#[test]
fn a_build_over_a_store_keeps_what_was_decided_on_it() {
    let desk = built();
    resolve(&desk, &["--split", "Mara Voss", "Dr. Mara Voss"]).done();
    let decided = desk.dump("store");
    let files = TEXTS.map(|(name, _)| name);
    let run = desk.run(["build", "--store", "store"].iter().chain(&files)).done();
    assert!(
        run.stderr.contains("kept from the store before: 1 decision on names"),
        "{}",
        run.stderr
    );
    assert_eq!(joined(&desk), [MAKERS]);
    assert_eq!(desk.dump("store"), decided);
}

//! Which names are one entity: what `banyan resolve` shows and changes, and that decisions outlive a change of documents.

use crate::{desk, list, quoted};
use banyan_tests::{Desk, Run};
use serde_json::Value;

/// Two names of one company, one of them stated; a person with and without a title; a namesake of a sequel.
const TEXTS: [(&str, &str); 5] = [
    (
        "texts/Basket Weaving.txt",
        "Basket weaving is a craft. The Inner Basket Makers (IBM) met in Vessing in 1911. Dr. Mara Voss spoke.",
    ),
    (
        "texts/Tidd Strike.txt",
        "The strike began in 1912. The IBM closed its mill in Tidd Harbour.",
    ),
    (
        "texts/Gull Songs.txt",
        "Gull Songs is a novel by Mara Voss. It was written in Vessing. Bob Orde drew the maps.",
    ),
    (
        "texts/Gull Songs II.txt",
        "Gull Songs II is a novel by Mara Voss. It was sold by Robert Orde.",
    ),
    ("texts/Vessing.txt", "Vessing is a town. Mara Voss lived in Vessing."),
];
const MAKERS: &str = "IBM | Inner Basket Makers";
const VOSS: &str = "Dr. Mara Voss | Mara Voss";
const ORDE: &str = "Bob Orde | Robert Orde";

/// A desk with the texts, built.
fn built() -> Desk {
    let desk = desk().with_files(TEXTS);
    desk.banyan("build texts").done();
    desk
}

fn resolve(desk: &Desk, args: &[&str]) -> Run {
    desk.run(["resolve"].iter().chain(args))
}

fn merge(desk: &Desk) -> Run {
    resolve(desk, &["--merge", "Bob Orde", "Robert Orde"]).done()
}

fn split(desk: &Desk) -> Run {
    resolve(desk, &["--split", "Mara Voss", "Dr. Mara Voss"]).done()
}

/// The names of every joined entity.
fn joined(desk: &Desk) -> Vec<String> {
    let log = desk.banyan("resolve --json").done().json();
    let names = |entity: &Value| {
        let names = list(&entity["names"]).iter().filter_map(Value::as_str);
        names.collect::<Vec<_>>().join(" | ")
    };
    list(&log["entities"]).iter().map(names).collect()
}

#[test]
fn the_log_quotes_the_words_that_equate_two_names_and_either_finds_the_entity() {
    let desk = built();
    assert_eq!(joined(&desk), [MAKERS, VOSS]);
    resolve(&desk, &["ibm"]).done().prints(&[
        "Inner Basket Makers",
        "\"IBM\" is \"Inner Basket Makers\"",
        "alias: “Inner Basket Makers (IBM)” (texts/Basket Weaving.txt:31..56)",
        "initials",
    ]);
    let log = resolve(&desk, &["Inner Basket Makers", "--json"]).done().json();
    let alias = &log["entities"][0]["merges"][0]["evidence"][0];
    assert_eq!(quoted(TEXTS[0].1, alias), alias["quote"].as_str(), "{alias:#}");
    resolve(&desk, &["Vessing"])
        .done()
        .prints(&["joined with no other name"]);
    desk.ask("What did the Inner Basket Makers close in Tidd Harbour?", "--explain")
        .done()
        .prints(&["Tidd Strike"]);
}

#[test]
fn a_merge_a_split_and_two_undos_lead_back() {
    let desk = built();
    let fresh = desk.dump("store");
    merge(&desk).tells(&["\"Bob Orde\" and \"Robert Orde\" are one entity now"]);
    assert_eq!(joined(&desk), [ORDE, MAKERS, VOSS]);
    split(&desk);
    assert_eq!(joined(&desk), [ORDE, MAKERS]);
    let log = desk.banyan("resolve --json").done().json();
    let kinds: Vec<&Value> = list(&log["decisions"]).iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["merge", "split"]);
    let decided = desk.dump("store");
    assert!(decided.contains("! merge \"bob orde\" \"robert orde\""));
    desk.banyan("build texts")
        .done()
        .tells(&["kept from the store before: 2 decisions on names"]);
    assert_eq!(desk.dump("store"), decided);
    desk.banyan("resolve --undo").done();
    assert_eq!(joined(&desk), [ORDE, MAKERS, VOSS]);
    desk.banyan("resolve --undo").done();
    assert_eq!(desk.dump("store"), fresh);
}

#[test]
fn decisions_outlive_documents_and_leave_no_trace_of_them() {
    let desk = built();
    merge(&desk);
    split(&desk);
    let before = desk.dump("store");
    let ordes = "The Ordes lived in Tidd Harbour. Dr. Mara Voss met Bob Orde.";
    desk.put("Ordes.txt", ordes);
    desk.banyan("add Ordes.txt").done();
    assert_eq!(joined(&desk), [ORDE, MAKERS]);
    desk.banyan("remove Ordes.txt").done();
    assert_eq!(desk.dump("store"), before);
    let says = "without effect: merge \"bob orde\" \"robert orde\": no document names \"robert orde\"";
    desk.run(["remove", TEXTS[3].0]).done().tells(&[says]);
    desk.run(["add", TEXTS[3].0, "--communities", "detect"]).done();
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn what_cannot_be_decided_is_refused_and_changes_nothing() {
    let desk = built();
    merge(&desk);
    let before = desk.dump("store");
    let unchanged = "nothing was changed";
    let checks: [(&[&str], &[&str]); 8] = [
        (
            &["--merge", "Mara Vos", "Vessing"],
            &["\"Mara Vos\": no such name in store", "did you mean \"Mara Voss\"?"],
        ),
        (
            &["--merge", "Xyzzy Plugh", "Vessing"],
            &["no such name", "`banyan dump` lists all names"],
        ),
        (&["Vesing"], &["did you mean \"Vessing\"?"]),
        (
            &["--merge", "Mara Voss", "Dr. Mara Voss"],
            &["are one entity already", unchanged],
        ),
        (&["--split", "Vessing", "Tidd Harbour"], &["are not joined", unchanged]),
        (&["--split", "Vessing", "vessing"], &["the same name", unchanged]),
        (
            &["--split", "Robert Orde", "Bob Orde"],
            &["contradicts the decision merge \"bob orde\" \"robert orde\"", unchanged],
        ),
        (
            &["--merge", "Vessing", "Gull Songs"],
            &["a place and a work", unchanged],
        ),
    ];
    for (args, says) in checks {
        resolve(&desk, args).refused(says);
    }
    assert_eq!(desk.dump("store"), before);
    desk.banyan("resolve --undo").done();
    desk.banyan("resolve --undo")
        .refused(&["store: no decision to take back"]);
    desk.banyan("resolve --store nowhere").refused(&["no store at nowhere"]);
}

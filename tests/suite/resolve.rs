//! Which names are one entity: what `banyan resolve` shows and changes, and that decisions outlive a change of documents.

use crate::{desk, list, quoted};
use banyan_tests::{Desk, Run, same};
use serde_json::{Value, json};

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

#[test]
fn what_was_read_wrongly_is_corrected_outlives_rebuilds_and_can_be_taken_back() {
    let desk = desk().with("a/Ada Quill.txt", "Ada Quill was born in Vessing.");
    desk.banyan("build a").done();
    let before = desk.dump("store");
    assert!(before.contains("born_in"), "{before}");
    let signed = ["--author", "Jo", "--note", "the register says Tidd"];
    let deny = ["fact", "remove", "Ada Quill", "born_in", "Vessing"];
    desk.run(deny.iter().chain(&signed)).done();
    let told = desk.banyan("resolve").done().stdout;
    let line = r#"deny "ada quill" born_in "vessing" by Jo: the register says Tidd"#;
    assert!(told.contains(line), "{told}");
    desk.put(
        "a/bo.txt",
        "Ada Quill was born in Vessing. Bo Ferren was born in Vessing.",
    );
    for change in ["add a", "build a"] {
        desk.banyan(change).done();
        let facts: Vec<String> = desk
            .dump("store")
            .lines()
            .filter(|line| line.contains("born_in"))
            .map(str::to_owned)
            .collect();
        assert!(
            facts.iter().any(|line| line.contains("Bo Ferren")),
            "{change}: {facts:?}"
        );
        assert!(
            !facts.iter().any(|line| line.contains("Ada Quill")),
            "{change}: {facts:?}"
        );
        desk.banyan("verify").done();
    }
    desk.banyan("resolve --undo").done();
    desk.banyan("remove a/bo.txt --communities detect").done();
    same(&desk.dump("store"), &before, "taken back");

    let batch = r#"{"rename": {"entity": "Ada Quill", "name": "Ada Orde"}}
{"retype": {"entity": "Vessing", "kind": "organisation"}}
"#;
    let broken = format!("{batch}{{\"erase\": {{}}}}\n");
    desk.put(
        "more.jsonl",
        r#"{"delete": {"entity": "Ada Quill", "why": "no person"}}"#,
    );
    desk.banyan("fact batch more.jsonl")
        .refused(&["more.jsonl:1", "unknown field `why`"]);
    let unknown = format!("{batch}{{\"delete\": {{\"entity\": \"Nobody\"}}}}\n");
    desk.put("broken.jsonl", broken);
    desk.put("unknown.jsonl", unknown);
    desk.put("good.jsonl", batch);
    desk.banyan("fact batch broken.jsonl").refused(&[
        "broken.jsonl:3:8",
        "unknown variant `erase`, expected one of `deny`, `rename`",
    ]);
    desk.banyan("fact batch unknown.jsonl")
        .refused(&["correction 3 of 3", "\"Nobody\"", "no such name"]);
    let refused = |args: &[&str], says: &[&str]| desk.run(args).refused(says);
    refused(
        &["fact", "remove", "Ada Quill", "bron_in", "Vessing"],
        &["\"bron_in\"", "did you mean `born_in`"],
    );
    refused(
        &["fact", "remove", "Ada Quill", "born_in", "Vesing"],
        &["\"Vesing\"", "did you mean \"Vessing\""],
    );
    refused(
        &["fact", "remove", "Ada Quill", "died_in", "Vessing"],
        &["states no such fact"],
    );
    refused(
        &["entity", "rename", "Vessing", "Ada Quill"],
        &["another entity is called, a person", "--merge"],
    );
    desk.banyan("entity retype Vessing plac")
        .refused(&["no type", "did you mean `place`"]);
    same(&desk.dump("store"), &before, "nothing was changed");
    desk.banyan("fact batch good.jsonl").done();
    let node = |name: &str| desk.run(["node", name, "--json"]).done().json();
    let ada = node("Ada Orde");
    assert_eq!(
        (&ada["name"], &ada["aliases"][0]),
        (&json!("Ada Orde"), &json!("Ada Quill"))
    );
    assert_eq!(node("Vessing")["types"][0], "organisation");
    desk.run(["entity", "rename", "Ada Orde", "Ada Tarn"]).done();
    assert_eq!(node("Ada Orde")["name"], "Ada Tarn");
    desk.run(["resolve", "Ada Orde"]).done();
    desk.banyan("resolve --undo").done();
    desk.run(["entity", "delete", "Ada Orde"]).done();
    refused(&["node", "Ada Quill"], &["no such name"]);
    refused(&["entity", "delete", "Ada Quill"], &["no entity any more"]);
    for _ in 0..3 {
        desk.banyan("resolve --undo").done();
    }
    same(&desk.dump("store"), &before, "all is taken back");
}

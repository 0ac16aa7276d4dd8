//! Facts that somebody wrote down: they come into the graph with documents that state them, outlive rebuilds where a person
//! stated them, and go again.

use crate::desk;
use banyan_tests::{Desk, Run, same};

const ADA: &str = "Ada Quill was born in Vessing.";
const FACTS: &str = "head,relation,tail,source\nBo Ferren,born_in,Karrowmouth,Parish book\nBo Ferren,married,Ada Quill,Parish book\nBo Ferren,sang_with,Dov Merrow,\n";

fn built() -> Desk {
    let desk = desk().with("notes.txt", ADA).with("facts.csv", FACTS);
    desk.banyan("build notes.txt").done();
    desk
}

#[test]
fn facts_of_a_file_are_asked_like_those_that_were_read_and_go_with_it() {
    let desk = built();
    let before = desk.dump("store");
    let told = ["3 written facts, 1 of them refused", "sang_with", "no such relation"];
    desk.banyan("import facts.csv").done().tells(&told);
    desk.run(["match", "?who spouse ?whom . ?who born_in ?place"])
        .done()
        .prints(&["Bo Ferren", "Ada Quill", "Karrowmouth"]);
    desk.ask("Where was Bo Ferren born?", "")
        .done()
        .prints(&["Karrowmouth", "facts.csv#2"]);
    desk.banyan("verify").done();
    desk.banyan("build notes.txt --facts facts.csv --store both").done();
    let imported = desk.dump("store");
    desk.banyan("add notes.txt --communities detect").done();
    same(&desk.dump("store"), &desk.dump("both"), "built at once");
    desk.banyan("import facts.csv").done().tells(&["nothing to change"]);
    desk.banyan("remove facts.csv").done();
    same(&desk.dump("store"), &before, "removed");
    assert_ne!(imported, before);
    desk.banyan("build --facts facts.csv --schema-mode open --store open")
        .done();
    desk.run(["match", "?a sang_with ?b", "--store", "open"])
        .done()
        .prints(&["Dov Merrow"]);
    desk.banyan("build --facts facts.csv --store facts").done();
    desk.run(["node", "Bo Ferren", "--store", "facts"])
        .done()
        .prints(&["Bo Ferren"]);
}

#[test]
fn graphs_of_other_programs_and_our_own_are_read() {
    let openie = r#"{"docs": [{"idx": "d1", "passage": "…", "extracted_entities": ["Bo Ferren"],
        "extracted_triples": [["Bo Ferren", "born in", "Karrowmouth"], ["broken"]]}], "avg_ent_chars": 9}"#;
    let pairs = r#"[
        {"start_node": {"label": "entity", "properties": {"name": "Bo Ferren", "chunk id": "x"}}, "relation": "born_in",
         "end_node": {"label": "entity", "properties": {"name": "Karrowmouth"}}},
        {"start_node": {"label": "entity", "properties": {"name": "Bo Ferren"}}, "relation": "has_attribute",
         "end_node": {"label": "attribute", "properties": {"name": "birth_date: 1912"}}},
        {"start_node": {"label": "entity", "properties": {"name": "Bo Ferren"}}, "relation": "member_of",
         "end_node": {"label": "community", "properties": {"name": "The Ferrens"}}}]"#;
    let desk = built().with("openie.json", openie).with("pairs.json", pairs);
    desk.banyan("import facts.csv").done();
    for file in ["all.json", "all.jsonl", "all.graphml", "all.nt"] {
        desk.banyan(&format!("export --out {file}")).done();
    }
    let n_attributes = desk.run(["stats", "--json"]).done().json()["attributes"].clone();
    for (file, n_facts) in [
        ("openie.json", 1),
        ("pairs.json", 1),
        ("all.json", 3),
        ("all.jsonl", 3),
        ("all.graphml", 3),
        ("all.nt", 3),
    ] {
        let store = format!("of-{file}");
        desk.banyan(&format!("build --facts {file} --store {store}")).done();
        let found = desk.run(["match", "?who born_in Karrowmouth", "--store", &store]);
        found.done().prints(&["Bo Ferren"]);
        let stats = desk.run(["stats", "--json", "--store", &store]).done().json();
        assert_eq!(stats["triples"], n_facts, "{file}: {stats:#}");
        if file.starts_with("all.") {
            assert_eq!(stats["attributes"], n_attributes, "{file}: {stats:#}");
        }
    }
    let desk = desk
        .with("odd.json", "{\"a\": 1}")
        .with("odd.graphml", "<graphml><node");
    desk.banyan("import odd.json")
        .refused(&["odd.json", "expected a graph", "nothing was imported"]);
    desk.banyan("import odd.graphml")
        .refused(&["odd.graphml", "no GraphML"]);
}

#[test]
fn a_line_that_is_no_fact_loads_nothing() {
    let desk = built().with(
        "broken.jsonl",
        "{\"head\":\"Ada Quill\",\"relation\":\"married\",\"tail\":\"Bo\"}\n{}\n",
    );
    let before = desk.dump("store");
    desk.banyan("import broken.jsonl")
        .refused(&["broken.jsonl:2:", "nothing was imported"]);
    desk.banyan("import notes.txt")
        .refused(&["unknown kind of file", "nothing was imported"]);
    desk.banyan("import facts.csv --store none")
        .refused(&["no store at none"]);
    assert_eq!(desk.dump("store"), before);
}

#[test]
fn a_fact_that_a_person_states_outlives_a_rebuild_and_can_be_taken_back() {
    let desk = built();
    let before = desk.dump("store");
    let state = |relation: &str| {
        let args = [
            "fact",
            "add",
            "Ada Quill",
            relation,
            "Bo Ferren",
            "--author",
            "M. Voss",
            "--note",
            "told in person",
        ];
        desk.run(args)
    };
    state("married").refused(&[
        "the schema has no relation or attribute \"married\"",
        "`spouse`",
        "Nothing was changed",
    ]);
    assert_eq!(desk.dump("store"), before);
    let first = number(&state("spouse").done());
    state("spouse").done().tells(&["nothing to change"]);
    let shown = ["spouse", "Bo Ferren"];
    desk.run(["neighbours", "Ada Quill", "--facts"]).done().prints(&shown);
    desk.ask("Who did Ada Quill marry?", "--mode open")
        .done()
        .prints(&["Bo Ferren", &first]);
    let stated = desk.dump("store");
    desk.banyan("build notes.txt")
        .done()
        .tells(&["1 document that people stated"]);
    same(&desk.dump("store"), &stated, "rebuilt");
    let second = number(&desk.run(["fact", "add", "Bo Ferren", "born_in", "Karrowmouth"]).done());
    desk.run(["remove", &second]).done();
    desk.run(["remove", &first]).done();
    same(&desk.dump("store"), &before, "taken back");
}

/// It was lost without a word.
#[test]
fn a_note_outlives_a_rebuild() {
    let desk = built();
    desk.run(["note", "Cass Orde", "Cass Orde was born in Tidd."]).done();
    let noted = desk.dump("store");
    desk.banyan("build notes.txt")
        .done()
        .tells(&["1 document that people stated or noted"]);
    same(&desk.dump("store"), &noted, "rebuilt");
}

/// What takes back a fact that was stated: `fact#` and its number.
fn number(said: &Run) -> String {
    let (_, rest) = said
        .stderr
        .split_once("banyan remove ")
        .expect("it says how to take it back");
    rest.split('`').next().unwrap_or_default().to_owned()
}

/// It said that all was stated, and refused it; and what was refused changed what other texts were read to say.
#[test]
fn a_fact_that_would_be_refused_is_not_stated() {
    let desk = built();
    let before = desk.dump("store");
    desk.run(["fact", "add", "Vessing", "born_in", "Ada Quill"]).refused(&[
        "refused",
        "Vessing",
        "entity retype",
        "nothing was changed",
    ]);
    desk.run(["fact", "add", "Ada Quill", "birth_date", "a while ago"])
        .refused(&["birth_date", "another kind of value", "nothing was changed"]);
    assert_eq!(desk.dump("store"), before);
    desk.run(["fact", "remove", "Ada Quill", "born_in", "Vessing"]).done();
    desk.run(["fact", "add", "Ada Quill", "born_in", "Vessing"])
        .refused(&["decided not to hold", "nothing was changed"]);
    desk.run(["fact", "add", "Ada Quill", "spouse", "Ada Quill"])
        .refused(&["both are one entity", "nothing was changed"]);
}

/// It said that it was stated.
#[test]
fn a_fact_that_was_stated_and_denied_is_not_stated_again() {
    let desk = built();
    let stated = ["fact", "add", "Ada Quill", "spouse", "Bo Ferren"];
    desk.run(stated).done();
    desk.run(stated).done().tells(&["was stated before; nothing to change"]);
    desk.run(["fact", "remove", "Ada Quill", "spouse", "Bo Ferren"]).done();
    desk.run(stated)
        .refused(&["decided not to hold", "nothing was changed"]);
}

#[test]
fn a_fact_is_denied_from_either_side_but_not_turned() {
    let desk = built();
    desk.run(["fact", "add", "Ada Quill", "parent_of", "Cass Orde"]).done();
    for [relation, head, tail] in [
        ["child_of", "Ada Quill", "Cass Orde"],
        ["parent_of", "Cass Orde", "Ada Quill"],
    ] {
        desk.run(["fact", "remove", head, relation, tail])
            .refused(&["states no such fact"]);
    }
    let facts = || desk.run(["match", "?who parent_of ?child", "--json"]).done().json();
    assert_eq!(facts()["rows"][0]["values"]["child"], "Cass Orde");
    desk.run(["fact", "remove", "Cass Orde", "child_of", "Ada Quill"])
        .done();
    assert_eq!(facts()["rows"][0]["values"]["child"], serde_json::Value::Null);
}

/// It said that it had been stated before, and went with the file.
#[test]
fn a_fact_that_a_file_states_can_be_stated_too() {
    let desk = built().with("one.csv", "head,relation,tail\nAda Quill,spouse,Bo Ferren\n");
    desk.banyan("import one.csv").done();
    let fact = ["fact", "add", "Ada Quill", "spouse", "Bo Ferren"];
    desk.run(fact).done().tells(&["stated"]);
    desk.banyan("remove one.csv").done();
    desk.run(["neighbours", "Ada Quill", "--facts"])
        .done()
        .prints(&["Bo Ferren"]);
}

#[test]
fn a_directory_is_synced_without_what_was_imported_stated_or_cannot_be_read() {
    let desk = desk()
        .with_files([
            ("all/ada.txt", ADA),
            ("all/in/bo.txt", "Bo Ferren lived in Tidd."),
            ("other/cass.txt", "Cass Orde lived in Tidd."),
        ])
        .with("all/facts.csv", FACTS);
    desk.banyan("build all").done();
    desk.banyan("import all/facts.csv").done();
    desk.run(["fact", "add", "Ada Quill", "spouse", "Bo Ferren"]).done();
    let before = desk.dump("store");
    for directory in ["other", "all/in"] {
        let up = "../".repeat(1 + directory.matches('/').count());
        let run = desk.shell(&format!("cd {directory} && $BANYAN sync . --store {up}store"));
        assert!(
            run.code == Some(2) && run.stderr.contains("none of the files there is known"),
            "{run:#?}"
        );
        assert_eq!(desk.dump("store"), before, "{directory}");
    }
    desk.put("all/in/bo.txt", [0xff, 0xfe, 0x00]);
    desk.banyan("sync all")
        .done()
        .tells(&["kept as known before", "all/in/bo.txt", "nothing to change"]);
    assert_eq!(desk.dump("store"), before);
    desk.put("all/in/bo.txt", " \n");
    desk.banyan("sync all").done();
    assert!(!desk.dump("store").contains("bo.txt"), "what was emptied is gone");
}

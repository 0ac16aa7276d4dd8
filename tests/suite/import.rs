//! Facts that somebody wrote down: they come into the graph with documents that state them, outlive rebuilds where a person
//! stated them, and go again.

use crate::desk;
use banyan_tests::{Desk, same};

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
    let told = ["3 facts imported", "1 of them tie their ends", "sang_with"];
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
    desk.banyan("build --facts facts.csv --store facts").done();
    desk.run(["node", "Bo Ferren", "--store", "facts"])
        .done()
        .prints(&["Bo Ferren"]);
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
    state("spouse").done().tells(&["banyan remove fact#1"]);
    let shown = ["spouse", "Bo Ferren"];
    desk.run(["neighbours", "Ada Quill", "--facts"]).done().prints(&shown);
    desk.ask("Who did Ada Quill marry?", "--mode open")
        .done()
        .prints(&["Bo Ferren", "fact#1"]);
    let stated = desk.dump("store");
    desk.banyan("build notes.txt")
        .done()
        .tells(&["1 document that people stated"]);
    same(&desk.dump("store"), &stated, "rebuilt");
    desk.run(["fact", "add", "Bo Ferren", "born_in", "Karrowmouth"])
        .done()
        .tells(&["banyan remove fact#2"]);
    desk.banyan("remove fact#2").done();
    desk.banyan("remove fact#1").done();
    same(&desk.dump("store"), &before, "taken back");
}

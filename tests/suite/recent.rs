//! Documents that are read apart from the rest of a store: found at once, kept, and one with the rest when they are joined.

use crate::desk;
use banyan_tests::Desk;
use std::fs;

const ADA: &str = "Ada Quill was born in Vessing. Ada Quill was a painter.";
const BO: &str = "Bo Ferren married Ada Quill in 1911. Bo Ferren lived in Great Ommer.";

/// A store of two files, and a third that lies over it.
fn laid() -> Desk {
    let desk = desk().with_files([
        ("ada.txt", ADA),
        ("bo.txt", BO),
        (
            "notes/cass.txt",
            "Cass Orde was born in Karrowmouth. Cass Orde married Bo Ferren in 1920.",
        ),
    ]);
    desk.banyan("build ada.txt bo.txt").done();
    let generation = desk.read("store/CURRENT");
    desk.banyan("add notes --join later").done().tells(&[
        "1 document added",
        "1 document read apart",
        "banyan compact",
    ]);
    assert_eq!(desk.read("store/CURRENT"), generation, "the store was written anew");
    desk
}

/// The dump of a fresh build.
fn fresh(desk: &Desk, corpus: &str) -> String {
    desk.banyan(&format!("build {corpus} --store fresh")).done();
    desk.dump("fresh")
}

#[test]
fn what_lies_over_a_store_is_asked_looked_up_and_joined() {
    let desk = laid();
    desk.ask("Where was Cass Orde born?", "")
        .done()
        .prints(&["Karrowmouth", "notes/cass.txt:1:1"]);
    desk.run(["node", "Cass Orde"])
        .done()
        .prints(&["none yet", "notes/cass.txt"]);
    let near = desk.run(["neighbours", "Bo Ferren", "--json"]).done();
    near.prints(&["cass", "ada"]);
    desk.run(["paths", "Cass Orde", "Vessing"])
        .done()
        .prints(&["Bo Ferren"]);
    desk.banyan("stats").done().prints(&["1 of them read apart"]);
    desk.banyan("verify").done();
    desk.banyan("backup copy").done();
    assert_eq!(desk.dump("copy"), desk.dump("store"));
    desk.banyan("compact --communities detect").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "ada.txt bo.txt notes"));
    desk.banyan("compact").done().tells(&["nothing to join"]);
}

#[test]
fn a_file_that_lies_over_a_store_is_replaced_and_one_below_is_read_with_all() {
    let desk = laid();
    desk.banyan("add notes --join later")
        .done()
        .tells(&["nothing to change"]);
    desk.put("notes/cass.txt", "Cass Orde was born in Skelva.");
    desk.put("copy.txt", "Dov Merrow was born in Vessing.");
    desk.banyan("sync notes copy.txt --join later")
        .done()
        .tells(&["2 documents read apart"]);
    desk.ask("Where was Cass Orde born?", "").done().prints(&["Skelva"]);
    let dump = desk.dump("store");
    assert!(!dump.contains("Karrowmouth"), "{dump}");
    desk.put("bo.txt", "Bo Ferren married Ada Quill in 1912.");
    desk.banyan("add bo.txt --join later --communities auto").done();
    assert!(!desk.path("store/gen-1").exists() && !desk.path("store/gen-2/recent").exists());
    desk.banyan("add notes --join later").done();
    desk.put("last.txt", "Eli Rusk was born in Vessing.");
    desk.banyan("add last.txt --join later").done();
    let generation = desk.read("store/CURRENT");
    desk.banyan("remove last.txt").done().tells(&["1 document removed"]);
    assert!(!desk.path("store/gen-2/recent").exists() && desk.read("store/CURRENT") == generation);
    desk.banyan("remove copy.txt").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "ada.txt bo.txt notes"));
}

#[test]
fn a_text_that_a_store_has_is_one_document_with_a_further_place() {
    let desk = laid();
    desk.put("again/ada.txt", ADA);
    desk.put("again/eli.txt", "Eli Rusk was born in Skelva.");
    desk.banyan("add again --join later")
        .done()
        .tells(&["1 document added"]);
    let dump = desk.dump("store");
    assert!(dump.contains("\"ada\" ada.txt again/ada.txt "), "{dump}");
    fs::remove_file(desk.path("again/ada.txt")).unwrap();
    desk.put("again/dov.txt", "Dov Merrow was born in Vessing.");
    desk.banyan("sync again --join later").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "ada.txt bo.txt notes again"));
}

#[test]
fn decisions_and_facts_join_what_lies_over_a_store_first() {
    let desk = laid();
    desk.run(["entity", "rename", "Cass Orde", "Cassandra Orde"]).done();
    desk.run(["node", "Cassandra Orde"]).done();
    desk.put("dov.txt", "Dov Merrow married Cass Orde in 1931.");
    desk.banyan("add dov.txt --join later").done();
    desk.run(["node", "Cassandra Orde"]).done().prints(&["dov.txt:1"]);
    desk.run(["entity", "delete", "Dov Merrow"]).done();
    desk.put("more.txt", "Dov Merrow lived in Vessing.");
    desk.banyan("add more.txt --join later").done();
    desk.run(["node", "Dov Merrow"]).refused(&["Dov Merrow"]);
    for (join, file) in [("later", "x.txt"), ("now", "y.txt")] {
        let text = format!("Cassandra Orde was born in Vessing. Here is {file}.");
        desk.put(file, text);
        desk.run(["fact", "remove", "Cassandra Orde", "born_in", "Vessing"]);
        desk.run(["add", file, "--join", join]).done();
        let node = desk.run(["node", "Cassandra Orde"]).done();
        node.prints(&[file, "notes/cass.txt"]);
    }
}

#[test]
fn damage_to_what_lies_over_a_store_is_found_and_the_rest_is_kept() {
    let desk = laid();
    let path = desk.path("store/gen-1/recent");
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 20) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&path, &bytes).unwrap();
        desk.banyan("stats").refused(&["recent", "banyan verify"]);
        let verdict = desk.banyan("verify");
        assert!(
            verdict.stderr.contains("recent") && verdict.stderr.contains("its copy is whole"),
            "{verdict:?}"
        );
    }
    let before = |desk: &Desk| fs::write(&path, &whole).map(|()| desk.dump("store")).unwrap();
    let kept = before(&desk);
    fs::remove_file(&path).unwrap();
    let verdict = desk.banyan("verify");
    assert!(verdict.stderr.contains("its copy is whole"), "{verdict:?}");
    desk.banyan("verify --repair").done();
    assert_eq!(desk.dump("store"), kept, "restored from the copy");
    for name in ["recent", "recent.copy"] {
        fs::write(desk.path("store/gen-2").join(name), b"nothing").unwrap();
    }
    desk.banyan("backup copy").refused(&["recent"]);
    desk.banyan("verify --repair").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "ada.txt bo.txt"));
    let desk = laid();
    let rows = desk.path("store/gen-1/rows");
    let mut bytes = fs::read(&rows).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&rows, &bytes).unwrap();
    desk.banyan("verify --repair").done();
    desk.ask("Where was Cass Orde born?", "")
        .done()
        .prints(&["Karrowmouth"]);
}

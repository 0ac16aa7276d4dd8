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
fn what_lies_over_a_store_is_replaced_and_taken_away_again() {
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
    desk.put("last.txt", "Eli Rusk was born in Vessing.");
    desk.banyan("add last.txt --join now").done();
    desk.banyan("add last.txt notes --join later").done();
    desk.put("more.txt", "Fay Holm was born in Vessing.");
    desk.banyan("add more.txt --join later").done();
    let generation = desk.read("store/CURRENT");
    desk.banyan("remove more.txt").done().tells(&["1 document removed"]);
    assert!(!desk.path("store/gen-2/recent").exists() && desk.read("store/CURRENT") == generation);
    desk.banyan("remove copy.txt last.txt").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "ada.txt bo.txt notes"));
}

#[test]
fn what_is_edited_or_removed_in_place_is_seen_by_nobody() {
    let desk = laid();
    desk.banyan("compact").done();
    let generation = desk.read("store/CURRENT");
    desk.put("bo.txt", "Bo Ferren married Dov Merrow in 1912.");
    desk.banyan("add bo.txt --join later")
        .done()
        .tells(&["1 document added, 1 document removed", "stays in the files"]);
    desk.banyan("remove notes/cass.txt --join later")
        .done()
        .tells(&["1 document removed"]);
    assert_eq!(desk.read("store/CURRENT"), generation, "the store was written anew");
    desk.ask("Who did Bo Ferren marry?", "").done().prints(&["Dov Merrow"]);
    for (name, is_known) in [
        ("Bo Ferren", true),
        ("Dov Merrow", true),
        ("Cass Orde", false),
        ("Great Ommer", false),
    ] {
        assert_eq!(desk.run(["node", name]).code == Some(0), is_known, "{name}");
    }
    let gone = ["Cass Orde", "Karrowmouth", "1911", "Great Ommer"];
    let files = fs::read(desk.path("store/gen-2/recent")).unwrap();
    assert!(!files.is_empty());
    for command in [
        "stats --json",
        "communities --json",
        "export --format json --output out",
        "ask --text --question x",
        "dump",
    ] {
        let told = match command {
            "dump" => desk.dump("store"),
            _ => desk.banyan(command).stdout,
        };
        let written = fs::read_to_string(desk.path("out")).unwrap_or_default();
        let found: Vec<_> = gone
            .iter()
            .filter(|word| told.contains(**word) || written.contains(**word))
            .collect();
        assert!(found.is_empty(), "{command} tells {found:?}: {told}");
    }
    desk.banyan("stats")
        .done()
        .prints(&["documents           2", "2 removed ones"]);
    desk.banyan("verify").done();
    desk.run(["paths", "Bo Ferren", "Dov Merrow"]).done();
    fs::rename(desk.path("bo.txt"), desk.path("ferren.txt")).unwrap();
    let last = desk.banyan("remove ada.txt bo.txt --join later");
    last.refused(&["every document"]);
    let synced = desk.banyan("sync . --join later").done();
    synced.tells(&["2 documents added, 1 document removed"]);
    desk.ask("Who did Bo Ferren marry?", "").done().prints(&["ferren.txt"]);
    assert_eq!(desk.read("store/CURRENT"), generation, "the store was written anew");
    desk.banyan("compact --communities detect").done();
    assert_eq!(desk.dump("store"), fresh(&desk, "."));
}

#[test]
fn a_name_that_only_removed_text_used_goes_from_the_one_that_bore_it() {
    let desk = laid();
    desk.put(
        "addie.txt",
        "Addie Quill was born in Vessing. Addie Quill married Eli Rusk.",
    );
    desk.banyan("add addie.txt --join now").done();
    desk.run(["resolve", "--merge", "Addie Quill", "Ada Quill"]).done();
    desk.run(["node", "Addie Quill"]).done();
    desk.banyan("remove ada.txt bo.txt notes --join later").done();
    desk.run(["node", "Addie Quill"]).done().prints(&["addie.txt"]);
    desk.run(["node", "Ada Quill"]).refused(&["no such name"]);
    desk.banyan("add ada.txt --join later").done();
    desk.banyan("remove addie.txt --join later").done();
    desk.run(["node", "Ada Quill"]).done().prints(&["ada.txt"]);
    desk.run(["node", "Addie Quill"]).refused(&["no such name"]);
    let read = "The Grell Lighthouse (GL) was built by Ilse Marrow. GL stands in Vessing.";
    desk.put("read.txt", read);
    desk.put(
        "gl.txt",
        "GL was painted in 1930. GL stands in Vessing. ADA-QUILL rode to GL. Ada Quill rode home.",
    );
    desk.put("ada-quill.txt", "Ada Quill was born in Vessing.");
    desk.banyan("add read.txt gl.txt ada-quill.txt --join now").done();
    desk.banyan("remove read.txt --join later").done();
    for command in ["resolve", "resolve --json", "dump --json", "stats"] {
        let told = desk.banyan(command).done().stdout;
        assert!(!told.contains("Grell") && !told.contains("grell"), "{command}: {told}");
    }
    desk.run(["node", "Grell Lighthouse"]).refused(&["no such name"]);
    desk.banyan("remove gl.txt --join later").done();
    let node = desk.run(["node", "Ada Quill"]).done().stdout;
    assert!(!node.contains("ADA-QUILL"), "{node}");
}

#[test]
fn a_store_that_was_changed_in_place_is_named_written_down_and_guarded_like_another() {
    let desk = laid();
    desk.banyan("compact").done();
    fs::rename(desk.path("bo.txt"), desk.path("notes/z.txt")).unwrap();
    desk.banyan("add notes/z.txt --join later").done();
    desk.banyan("remove bo.txt --join later").done();
    desk.banyan("remove notes/cass.txt cass --join later").done();
    let last = desk.banyan("remove notes/z.txt notes/z.txt ada.txt --join later");
    last.refused(&["every document"]);
    fs::write(desk.path("written.jsonl"), desk.banyan("dump --json").done().stdout).unwrap();
    desk.banyan("load written.jsonl --store loaded").done();
    assert_eq!(desk.dump("loaded"), fresh(&desk, "ada.txt notes/z.txt"));
    desk.banyan("verify").done().prints(&["2 documents"]);
    fs::remove_file(desk.path("store/gen-2/recent")).unwrap();
    desk.banyan("stats").refused(&["recent", "banyan verify"]);
    desk.banyan("verify --repair").done().prints(&["2 documents"]);
    desk.banyan("remove notes/z.txt --join later").done();
    desk.banyan("compact --communities detect").done();
    let whole = desk.dump("store");
    assert_eq!(whole, fresh(&desk, "ada.txt"));
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
    assert!(!desk.dump("store").contains("again/ada.txt"));
    desk.banyan("compact --communities detect").done();
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

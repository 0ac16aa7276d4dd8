//! Tags for names through the program: no name left, questions over the graph, and the way back byte for byte.

use crate::{desk, list, quoted};
use banyan_tests::workspace::text;
use banyan_tests::{Desk, rows};
use serde_json::{Value, json};

/// The entities of a key.
fn key(desk: &Desk) -> Vec<Value> {
    let key: Value = serde_json::from_str(&desk.read("out/key.json")).unwrap();
    list(&key["entities"]).to_vec()
}

#[test]
fn no_name_is_left_and_what_was_anonymised_comes_back_byte_for_byte() {
    let texts = [
        (
            "a/tale.txt",
            "\u{feff}Orla Venn left Skelva.\r\nOrla Venn's boat, the Marigold, sank near Skelva.\n",
        ),
        (
            "b.json",
            "[{\"text\": \"Orla Venn met \\u0054obin Reed in Skelva.\",\n \"title\": \"Orla Venn\"}]",
        ),
        (
            "c.md",
            "# Skelva\n\nA *port*; Tobin Reed lives in [Skelva](skelva.md).\n",
        ),
    ];
    let desk = desk().with_files(texts.map(|(name, text)| (format!("in/{name}"), text)));
    desk.exam("anonymize in --out out").done();
    desk.exam("anonymize out --restore --out back").done();
    for (name, text) in texts {
        assert_eq!(desk.read(&format!("back/{name}")), text, "{name}");
    }
    let key = key(&desk);
    let skelva = key.iter().find(|entity| entity["name"] == "Skelva");
    let tag = skelva.and_then(|entity| entity["tag"].as_str()).expect("a tag");
    for file in ["0001.txt", "0002.json", "0003.md"] {
        let hidden = desk.read(&format!("out/corpus/{file}"));
        let left = ["Orla", "Venn", "Skelva", "Reed"].map(|name| hidden.contains(name));
        assert!(hidden.contains(tag) && left == [false; 4], "{file}: {hidden}");
    }
}

#[test]
fn questions_cover_one_to_six_hops_with_the_places_that_answer_them() {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    desk.exam("anonymize corpus.jsonl --out out").done();
    let asked = rows(&desk.read("out/questions.jsonl"));
    assert!(asked.len() >= 150, "{}", asked.len());
    let records = rows(&desk.read("out/corpus/0001.jsonl"));
    for question in &asked {
        let gold = list(&question["gold"]);
        assert_eq!(json!(gold.len()), question["hops"], "{question}");
        for place in gold {
            let is_it = |record: &&Value| record["id"].to_string().trim_matches('"') == place["record"];
            let record = records.iter().find(is_it).unwrap_or_else(|| panic!("{place}"));
            let text = record["text"].as_str().unwrap();
            assert_eq!(quoted(text, place), place["quote"].as_str());
        }
        if question["query_type"] == "multiple_choice" {
            let option = format!("\n{}. [", question["answer"].as_str().unwrap());
            assert!(question["question"].as_str().unwrap().contains(&option), "{question}");
        }
    }
    for hops in 1..=6 {
        let n = asked.iter().filter(|one| one["hops"] == hops).count();
        assert!(n >= 25, "{n} of {hops} hops");
    }
    desk.exam("anonymize corpus.jsonl --out again").done();
    for file in ["questions.jsonl", "key.json"] {
        let read = |set: &str| desk.read(&format!("{set}/{file}"));
        assert_eq!(read("again"), read("out"), "{file}");
    }
    desk.exam("anonymize corpus.jsonl --out other --seed 7 --questions 12 --hops 2..3")
        .done();
    let other = rows(&desk.read("other/questions.jsonl"));
    let is_between = |one: &Value| one["hops"] == 2 || one["hops"] == 3;
    assert!(other.len() == 12 && other.iter().all(is_between), "{other:#?}");
}

#[test]
fn what_cannot_be_anonymised_or_restored_is_told_and_nothing_is_written() {
    let desk = desk()
        .with("plain.txt", "nothing but small words stand here, and no name at all.")
        .with("tale.txt", "Orla Venn left Skelva. Orla Venn sank near Skelva.")
        .with("full/file", "x");
    let refuse = |line: &str, says: &[&str]| desk.exam(&format!("anonymize {line}")).refused(says);
    refuse("plain.txt --out out", &["no names were found"]);
    refuse(
        "tale.txt --out full",
        &["full", "expected a directory that does not exist or is empty"],
    );
    refuse("missing --out out", &["missing"]);
    refuse("full --restore --out back", &["key.json", "--key"]);
    desk.exam("anonymize tale.txt --out set").done();
    desk.put("set/corpus/0001.txt", "no tags");
    refuse(
        "set --restore --out back",
        &["0001.txt", "0 tags", "its key tells of 4"],
    );
    desk.put("set/key.json", "{\"format\": 3}");
    refuse("set --restore --out back", &["set/key.json", "not a key"]);
    assert!(!desk.path("out").exists() && !desk.path("back").exists());
}

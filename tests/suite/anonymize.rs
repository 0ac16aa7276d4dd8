//! Tags for names through the program: no name left, and questions over the graph.

use crate::{desk, list, quoted};
use banyan_tests::rows;
use banyan_tests::workspace::text;
use serde_json::{Value, json};

#[test]
fn no_name_is_left_and_the_key_has_the_texts_as_they_were() {
    let desk = desk()
        .with(
            "in/a/tale.txt",
            "\u{feff}Orla Venn left Skelva.\r\nOrla Venn's boat, the Marigold, sank near Skelva.\n",
        )
        .with(
            "in/b.json",
            "[{\"text\": \"Orla Venn met \\u0054obin Reed in Skelva.\", \"title\": \"Orla Venn\"}]",
        )
        .with(
            "in/c.md",
            "# Skelva\n\nA *port*; Tobin Reed lives in [Skelva](skelva.md).\n",
        );
    desk.exam("anonymize in --out out").done();
    let key: Value = serde_json::from_str(&desk.read("out/key.json")).unwrap();
    let hidden = rows(&desk.read("out/corpus.jsonl"));
    let mut entities = list(&key["entities"]).iter();
    let skelva = entities.find(|entity| entity["name"] == "Skelva").expect("a tag");
    assert_eq!((hidden.len(), list(&key["documents"]).len()), (3, 3));
    for (hidden, shown) in hidden.iter().zip(list(&key["documents"])) {
        let (hidden, shown) = (hidden["text"].as_str().unwrap(), shown["text"].as_str().unwrap());
        let left = ["Orla", "Venn", "Skelva", "Reed"].map(|name| hidden.contains(name));
        assert!(left == [false; 4] && shown.contains("Skelva"), "{hidden}");
        assert!(hidden.contains(skelva["tag"].as_str().unwrap()), "{hidden}");
    }
}

#[test]
fn questions_cover_one_to_six_hops_with_the_places_that_answer_them() {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    desk.exam("anonymize corpus.jsonl --out out").done();
    let asked = rows(&desk.read("out/questions.jsonl"));
    assert!(asked.len() >= 150, "{}", asked.len());
    let records = rows(&desk.read("out/corpus.jsonl"));
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
fn what_cannot_be_anonymised_is_told_and_nothing_is_written() {
    let desk = desk()
        .with("plain.txt", "nothing but small words stand here, and no name at all.")
        .with("tale.txt", "Orla Venn left Skelva. Orla Venn sank near Skelva.")
        .with("full/key.json", "{\"format\": 3}");
    let refuse = |line: &str, says: &[&str]| desk.exam(line).refused(says);
    refuse("anonymize plain.txt --out out", &["no names were found"]);
    refuse(
        "anonymize tale.txt --out full",
        &["full", "expected a directory that does not exist or is empty"],
    );
    refuse("anonymize missing --out out", &["missing"]);
    refuse("leakage full", &["full/key.json", "not a key"]);
    assert!(!desk.path("out").exists());
}

//! Tags for names through the program: no name left, questions over the graph, and the way back byte for byte.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::text;
use serde_json::Value;
use std::fs;

fn read(desk: &Desk, file: &str) -> String {
    fs::read_to_string(desk.path(file)).unwrap()
}

fn json(desk: &Desk, file: &str) -> Value {
    serde_json::from_str(&read(desk, file)).unwrap()
}

fn questions(desk: &Desk, file: &str) -> Vec<Value> {
    let lines = read(desk, file);
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A desk with one of our own corpora in `corpus.jsonl`, anonymised in `out`.
fn anonymised(corpus: &str) -> Desk {
    let desk = desk().with("corpus.jsonl", text(&format!("data/{corpus}/corpus.jsonl")));
    desk.exam(["anonymize", "corpus.jsonl", "--out", "out"]).done();
    desk
}

/// Whether `text` has `name` as words, in any letter case; in Chinese anywhere.
fn has(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_letter = |ch: char| ch.is_alphanumeric() && ch.is_ascii();
    text.match_indices(&name).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        let begins = !name.starts_with(is_letter) || !before.is_some_and(is_letter);
        begins && (!name.ends_with(is_letter) || !after.is_some_and(is_letter))
    })
}

#[test]
fn no_name_of_the_key_is_left_in_texts_and_questions() {
    for corpus in ["harrow", "dongling"] {
        let desk = anonymised(corpus);
        let mut texts: Vec<String> = Vec::new();
        for line in read(&desk, "out/corpus/0001.jsonl").lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            texts.extend(["title", "text"].map(|field| record[field].as_str().unwrap().to_owned()));
        }
        let asked = questions(&desk, "out/questions.jsonl");
        texts.extend(asked.iter().map(|one| one["question"].as_str().unwrap().to_owned()));
        let text = texts.join("\n");
        let key = json(&desk, "out/key.json");
        let mut n_names = 0;
        for entity in key["entities"].as_array().unwrap() {
            let aliases = entity["aliases"].as_array().unwrap();
            for name in aliases.iter().chain([&entity["name"]]) {
                n_names += 1;
                assert!(!has(&text, name.as_str().unwrap()), "{corpus}: {name} is left");
            }
        }
        assert!(n_names > 40, "{corpus}: {n_names} names");
    }
}

#[test]
fn what_was_anonymised_comes_back_byte_for_byte() {
    let desk = desk()
        .with(
            "in/a/tale.txt",
            "\u{feff}Orla Venn left Skelva.\r\nOrla Venn's boat, the Marigold, sank near Skelva.\n",
        )
        .with(
            "in/b.json",
            "[{\"text\": \"Orla Venn met \\u0054obin Reed in Skelva.\",\n \"title\": \"Orla Venn\"}]",
        )
        .with(
            "in/c.md",
            "# Skelva\n\nA *port*; Tobin Reed lives in [Skelva](skelva.md).\n",
        );
    desk.exam(["anonymize", "in", "--out", "out"]).done();
    desk.exam(["anonymize", "out", "--restore", "--out", "back"]).done();
    for file in ["a/tale.txt", "b.json", "c.md"] {
        let (old, new) = (
            fs::read(desk.path(format!("in/{file}"))),
            fs::read(desk.path(format!("back/{file}"))),
        );
        assert_eq!(old.unwrap(), new.unwrap(), "{file}");
    }
    let tag = json(&desk, "out/key.json")["entities"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entity| entity["name"] == "Skelva")
        .map(|entity| entity["tag"].as_str().unwrap().to_owned());
    let tag = tag.expect("Skelva has a tag");
    for file in ["0001.txt", "0002.json", "0003.md"] {
        assert!(read(&desk, &format!("out/corpus/{file}")).contains(&tag), "{file}");
    }
}

#[test]
fn questions_cover_one_to_six_hops_with_the_places_that_answer_them() {
    let desk = anonymised("harrow");
    let asked = questions(&desk, "out/questions.jsonl");
    assert!(asked.len() >= 150, "{}", asked.len());
    let records: Vec<Value> = read(&desk, "out/corpus/0001.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for question in &asked {
        let gold = question["gold"].as_array().unwrap();
        assert_eq!(gold.len() as u64, question["hops"].as_u64().unwrap(), "{question}");
        for place in gold {
            let record = records
                .iter()
                .find(|record| record["id"].to_string().trim_matches('"') == place["record"]);
            let text = record.unwrap_or_else(|| panic!("{place}"))["text"].as_str().unwrap();
            let at = |end: &str| usize::try_from(place[end].as_u64().unwrap()).unwrap();
            assert_eq!(&text[at("start")..at("end")], place["quote"].as_str().unwrap());
        }
        if question["query_type"] == "multiple_choice" {
            let letter = question["answer"].as_str().unwrap();
            assert!(
                question["question"]
                    .as_str()
                    .unwrap()
                    .contains(&format!("\n{letter}. [")),
                "{question}"
            );
        }
    }
    for hops in 1..=6 {
        assert!(
            asked.iter().filter(|one| one["hops"] == hops).count() >= 25,
            "{hops} hops"
        );
    }
    desk.exam(["anonymize", "corpus.jsonl", "--out", "again"]).done();
    assert_eq!(read(&desk, "again/questions.jsonl"), read(&desk, "out/questions.jsonl"));
    assert_eq!(read(&desk, "again/key.json"), read(&desk, "out/key.json"));
    let other = [
        "anonymize",
        "corpus.jsonl",
        "--out",
        "other",
        "--seed",
        "7",
        "--questions",
        "12",
        "--hops",
        "2..3",
    ];
    desk.exam(other).done();
    let other = questions(&desk, "other/questions.jsonl");
    assert_eq!(other.len(), 12);
    assert!(other.iter().all(|one| one["hops"] == 2 || one["hops"] == 3));
}

#[test]
fn what_cannot_be_anonymised_or_restored_is_told_and_nothing_is_written() {
    let desk = desk()
        .with("plain.txt", "nothing but small words stand here, and no name at all.")
        .with("tale.txt", "Orla Venn left Skelva. Orla Venn sank near Skelva.")
        .with("full/file", "x");
    desk.exam(["anonymize", "plain.txt", "--out", "out"])
        .refused(&["no names were found"]);
    desk.exam(["anonymize", "tale.txt", "--out", "full"])
        .refused(&["full", "expected a directory that does not exist or is empty"]);
    desk.exam(["anonymize", "missing", "--out", "out"])
        .refused(&["missing"]);
    assert!(!desk.path("out").exists());
    desk.exam(["anonymize", "tale.txt", "--out", "set"]).done();
    desk.exam(["anonymize", "full", "--restore", "--out", "back"])
        .refused(&["key.json", "--key"]);
    desk.put("set/corpus/0001.txt", "no tags");
    desk.exam(["anonymize", "set", "--restore", "--out", "back"]).refused(&[
        "0001.txt",
        "0 tags",
        "its key tells of 4",
    ]);
    desk.put("set/key.json", "{\"format\": 3}");
    desk.exam(["anonymize", "set", "--restore", "--out", "back"])
        .refused(&["set/key.json", "not a key"]);
    assert!(!desk.path("back").exists());
}

//! Weights of the answerer: fitted by a command, the same for any number of threads, and tried on questions not fitted to.

use crate::desk;
use banyan_tests::Desk;
use serde_json::Value;
use std::fs;

/// Two sets of questions over a few documents; those of the second come without answers.
const CORPUS: &str = r#"{"id": 1, "title": "Orla Finch", "text": "Orla Finch is a Norwegian painter. She was born in Kestle."}
{"id": 2, "title": "Kestle", "text": "Kestle is a town on the river Amber."}
{"id": 3, "title": "The Grey Heron", "text": "The Grey Heron is a painting by Orla Finch."}
{"id": 4, "title": "Tamsin Rook", "text": "Tamsin Rook is a singer. She was born in Dunmarrick."}
{"id": 5, "title": "Dunmarrick", "text": "Dunmarrick is a port on the Sallow Sea. Its pier is 762 mm wide."}
"#;
const QUESTIONS: &str = r#"{"id": "a", "question": "In which town was the painter of The Grey Heron born?", "answers": ["Kestle"], "decomposition": [{"q": "painter of The Grey Heron", "a": "Orla Finch"}, {"q": "Where was #1 born?", "a": "Kestle"}]}
{"id": "b", "question": "Where was Tamsin Rook born?", "answers": ["Dunmarrick"]}
{"id": "c", "question": "Where was Orla Finch born?", "answers": ["Kestle"]}
"#;
const UNANSWERED: &str = r#"{"id": "d", "question": "Who was born in Dunmarrick?"}
{"id": "e", "question": "Which river is Kestle on?"}
"#;
const ANSWERS: &str = r#"{"id": "d", "answers": ["Tamsin Rook"]}
"#;

fn sets() -> Desk {
    desk()
        .with("one/corpus.jsonl", CORPUS)
        .with("one/questions.jsonl", QUESTIONS)
        .with("two/corpus.jsonl", CORPUS)
        .with("two/questions.jsonl", UNANSWERED)
        .with("known.jsonl", ANSWERS)
}

const FIT: [&str; 9] = [
    "answers",
    "--data",
    "one",
    "two",
    "--answers",
    "known.jsonl",
    "--json",
    "--cross-validate",
    "--fit",
];

#[test]
fn a_fit_tells_what_its_weights_are_worth_on_questions_they_have_not_seen() {
    let desk = sets();
    let report = desk.exam(FIT.iter().chain(&["w.txt"])).done().json();
    let rows = report["rows"].as_array().unwrap();
    let row = |division: &str, set: &str| {
        let is_it = |row: &&Value| row["division"] == division && row["set"] == set;
        rows.iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("no {division} {set} in {rows:#?}"))
    };
    for division in ["shipped", "folds", "without_set", "fitted"] {
        assert_eq!(row(division, "one")["questions"], 3);
        assert_eq!(row(division, "two")["questions"], 1);
        let em = row(division, "one")["em"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&em), "{em}");
    }
    assert!(
        row("fitted", "one")["em"].as_f64() >= Some(0.6),
        "{}",
        row("fitted", "one")
    );
}

#[test]
fn a_fit_gives_the_same_files_for_any_number_of_threads() {
    let desk = sets();
    desk.exam(FIT.iter().chain(&["one.txt", "--threads", "1"])).done();
    desk.exam(FIT.iter().chain(&["three.txt", "--threads", "3"])).done();
    for name in ["txt", "calibration.json"] {
        let read = |stem: &str| fs::read_to_string(desk.path(format!("{stem}.{name}"))).unwrap();
        assert_eq!(read("one"), read("three"));
    }
}

#[test]
fn a_set_without_any_answer_is_refused() {
    sets()
        .exam(["answers", "--data", "two"])
        .refused(&["two", "no question has a known answer", "--answers FILE"]);
}

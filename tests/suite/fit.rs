//! Weights of the answerer: fitted by a command, the same for any number of threads, and tried on questions not fitted to.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::root;
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
const UNANSWERED: &str = r#"{"id": "d", "question": "Who was born in Dunmarrick?", "gold": []}
{"id": "e", "question": "Which river is Kestle on?", "gold": []}
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

const FIT: [&str; 8] = [
    "answers",
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
    let figure = |set: &str, method: &str| {
        let figures = report["figures"].as_array().unwrap();
        let is_it = |one: &&Value| one["set"] == set && one["method"] == method && one["metric"] == "em";
        figures
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("no {method} {set} in {figures:#?}"))
            .clone()
    };
    for method in ["shipped", "folds", "other sets", "fitted"] {
        assert_eq!(figure("one", method)["n"], 3);
        assert_eq!(figure("two", method)["n"], 1);
    }
    assert!(figure("one", "fitted")["value"].as_f64() >= Some(0.6), "{report}");
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
        .exam(["answers", "two"])
        .refused(&["two", "no question has a known answer", "--answers FILE"]);
}

#[test]
fn choices_are_measured_by_folds() {
    let data = root().join("data/questions/router.jsonl");
    let args = ["router", &data.to_string_lossy(), "--cross-validate", "--json"];
    let report = desk().exam(args).done().json();
    let figures = report["figures"].as_array().unwrap();
    for (method, metric) in [("shipped", "accuracy"), ("folds", "accuracy"), ("folds", "macro f1")] {
        let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
        let value = figures.iter().find(is_it).and_then(|one| one["value"].as_f64());
        assert!(value > Some(0.6), "{method} {metric}: {value:?}");
    }
}

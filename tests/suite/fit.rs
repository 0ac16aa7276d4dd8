//! Weights of the answerer: fitted by a command, the same for any number of threads, and tried on questions not fitted
//! to.

use crate::{desk, figure, list};
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run};
use serde_json::Value;

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
    desk().with_files([
        ("one/corpus.jsonl", CORPUS),
        ("one/questions.jsonl", QUESTIONS),
        ("two/corpus.jsonl", CORPUS),
        ("two/questions.jsonl", UNANSWERED),
        ("known.jsonl", ANSWERS),
    ])
}

fn fit(desk: &Desk, file: &str) -> Run {
    let line = "answers one two --answers known.jsonl --json --cross-validate --fit";
    desk.exam(&format!("{line} {file}"))
}

#[test]
fn a_fit_tells_what_its_weights_are_worth_elsewhere_and_is_the_same_for_any_number_of_threads() {
    let desk = sets();
    let report = fit(&desk, "one.txt --threads 1").done().json();
    let figure = |set: &str, method: &str| {
        let is_it = |one: &&Value| one["set"] == set && one["method"] == method && one["metric"] == "em";
        let found = list(&report["figures"]).iter().find(is_it);
        found.unwrap_or_else(|| panic!("no {method} {set} in {report:#}"))
    };
    for method in ["shipped", "folds", "other sets", "fitted"] {
        assert_eq!(figure("one", method)["n"], 3);
        assert_eq!(figure("two", method)["n"], 1);
    }
    assert!(figure("one", "fitted")["value"].as_f64() >= Some(0.6), "{report}");
    fit(&desk, "three.txt --threads 3").done();
    assert_eq!(desk.read("one.txt"), desk.read("three.txt"));
    desk.exam("answers two")
        .refused(&["two", "no question has a known answer", "--answers FILE"]);
}

#[test]
fn choices_are_measured_by_folds() {
    let desk = desk().with("router.jsonl", text("data/questions/router.jsonl"));
    let report = desk.exam("router router.jsonl --cross-validate --json").done().json();
    for (method, metric) in [("shipped", "accuracy"), ("folds", "accuracy"), ("folds", "macro f1")] {
        let value = figure(&report, method, metric)["value"].as_f64();
        assert!(value > Some(0.6), "{method} {metric}: {value:?}");
    }
}

//! Many questions to one store, questions about the whole, and what `--explain` tells.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::root;
use serde_json::Value;

/// A desk with a store of the demo corpus.
fn harrow() -> Desk {
    let desk = desk();
    let corpus = root().join("data/harrow/corpus.jsonl");
    desk.run(["build", &corpus.to_string_lossy(), "--store", "store"])
        .done();
    desk
}

/// The objects that `query --batch` prints for the lines of a file.
fn batch(desk: &Desk, lines: &str, options: &[&str]) -> Vec<Value> {
    desk.put("questions.txt", lines);
    let arguments = ["query", "--batch", "questions.txt", "--store", "store"];
    let run = desk.run(arguments.iter().chain(options)).done();
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_batch_is_answered_in_its_order_by_id_or_number_of_the_line() {
    let desk = harrow();
    let lines = "Which river flows past Vessing?\n\n{\"id\": \"b\", \"question\": \"🌊🚢\"}\nWo liegt Vessing?\n{\"question\": \"Who runs Ferren Works?\"}\n";
    let replies = batch(&desk, lines, &[]);
    let ids: Vec<&Value> = replies.iter().map(|reply| &reply["id"]).collect();
    assert_eq!(ids, [&Value::from(1), &"b".into(), &4.into(), &5.into()]);
    let alone = desk
        .run(["query", "Which river flows past Vessing?", "--store", "store", "--json"])
        .done();
    assert_eq!(replies[0]["answer"], alone.json()["answer"]);
    assert_eq!(replies[1]["answer"]["text"], Value::Null);
    assert_eq!(batch(&desk, lines, &["--threads", "1"]), replies);
}

#[test]
fn a_bad_line_is_named_before_any_question_is_asked() {
    let desk = harrow();
    let long = "x ".repeat(50_000);
    for (lines, expected) in [
        (
            "Who?\n{\"id\": 1}\n",
            "questions.txt line 2: expected an object with `question`",
        ),
        ("Who?\n\n{nonsense\n", "questions.txt line 3"),
        (long.as_str(), "questions.txt line 1: the question has"),
        ("\n \n", "questions.txt: no questions"),
    ] {
        desk.put("questions.txt", lines);
        let run = desk.run(["query", "--batch", "questions.txt", "--store", "store"]);
        run.refused(&[expected]);
    }
}

#[test]
fn main_themes_are_told_from_several_communities_with_sources() {
    let reply = harrow()
        .run([
            "query",
            "What are the main themes of this corpus?",
            "--store",
            "store",
            "--json",
        ])
        .done()
        .json();
    let points = reply["points"].as_array().unwrap();
    assert!(points.len() > 2, "{points:?}");
    for point in points {
        let facts = point["facts"].as_array().unwrap();
        assert!(!facts.is_empty(), "{point}");
        for fact in facts {
            let quote = fact["citation"]["quote"].as_str().unwrap();
            let named = fact["what"][2]
                .as_str()
                .unwrap()
                .split_whitespace()
                .next_back()
                .unwrap_or_default();
            assert!(
                !quote.is_empty() && quote.contains(named.trim_end_matches(')')),
                "{fact}"
            );
        }
    }
}

#[test]
fn a_comparison_shows_each_thing_with_its_own_facts() {
    let desk = harrow();
    let ask = |question: &str| {
        desk.run(["query", question, "--store", "store", "--json"])
            .done()
            .json()
    };
    let headings = |reply: &Value| -> Vec<String> {
        let points = reply["points"].as_array().unwrap().iter();
        points
            .map(|point| point["heading"].as_str().unwrap().to_owned())
            .collect()
    };
    let reply = ask("Compare Karrowmouth and Dunmarrick.");
    assert_eq!(headings(&reply), ["Karrowmouth", "Dunmarrick"]);
    // A question that is none about the whole has no points.
    assert!(headings(&ask("Which river flows past Vessing?")).is_empty());
}

#[test]
fn explain_tells_what_each_route_says_and_what_was_cut() {
    let run = harrow()
        .run([
            "query",
            "Which river flows past Vessing?",
            "--store",
            "store",
            "--explain",
            "--top-k",
            "3",
        ])
        .done();
    for expected in ["chunk ", "entity ", "path ", "triple ", "cut: ", "more passages"] {
        assert!(run.stdout.contains(expected), "no {expected:?} in {}", run.stdout);
    }
}

#[test]
fn reject_mode_decides_by_the_calibration_that_it_is_given() {
    let desk = harrow();
    let data = root().join("data/harrow");
    let set = data.to_string_lossy();
    let calibrate = ["calibrate", &set, "--fit", "sure.json", "--json"];
    let report = desk.exam(calibrate).done().json();
    assert_eq!(report["parts"][0]["questions"].as_array().map(Vec::len), Some(37));
    desk.exam(calibrate).refused(&["sure.json", "not taken"]);
    let fitted = std::fs::read_to_string(desk.path("sure.json")).unwrap();
    let fitted: Value = serde_json::from_str(&fitted).unwrap();
    let ask = |file: &str| {
        desk.run([
            "query",
            "Which river flows past Vessing?",
            "--store",
            "store",
            "--mode",
            "reject",
            "--calibration",
            file,
        ])
    };
    let weights = vec![0.0; fitted["weights"].as_array().unwrap().len()];
    for (name, threshold) in [("never.json", 1.0), ("always.json", 0.0)] {
        let calibration = serde_json::json!({"weights": weights, "bias": 0.0, "threshold": threshold});
        desk.put(name, calibration.to_string());
    }
    assert!(ask("never.json").unanswered().stdout.starts_with("no answer: "));
    ask("always.json").done();
    desk.put("bad.json", "{}");
    ask("bad.json").refused(&["bad.json", "expected a calibration"]);
}

//! `banyan eval SUITE` over sets of every kind: anonymised texts and records beside questions with answers.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::{root, text};
use serde_json::Value;

const SUITE: &str = r#"name = "kinds"
k = [5, 20]

[[set]]
name = "tagged"
kind = "anonyrag"
questions = "set/questions.jsonl"
corpus = "set/corpus"
[set.floor]
"banyan choice" = 0.45
"banyan recall@20" = 0.70
"#;

/// A desk with a suite and an anonymised set.
fn tagged(suite: &str) -> Desk {
    let desk = desk()
        .with("corpus.jsonl", text("data/harrow/corpus.jsonl"))
        .with("suite.toml", suite);
    desk.exam(["anonymize", "corpus.jsonl", "--out", "set"]).done();
    desk
}

fn figure<'a>(report: &'a Value, method: &str, metric: &str) -> &'a Value {
    let figures = report["figures"].as_array().unwrap();
    let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
    figures
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("{method} {metric}"))
}

#[test]
fn anonymised_sets_stand_open_beside_reject_and_beside_plain_retrieval() {
    let desk = tagged(SUITE);
    let report = desk.run(["eval", "suite.toml", "--json"]).done().json();
    let part = &report["parts"][0];
    for (method, metric) in [
        ("banyan", "choice"),
        ("banyan reject", "choice"),
        ("banyan", "recall@20"),
        ("banyan", "answered"),
    ] {
        let one = figure(&report, method, metric);
        assert!(one["n"].as_u64().unwrap() >= 100 && one["interval"].is_array(), "{one}");
        assert_eq!(one["baseline"]["method"], "bm25", "{one}");
    }
    let answered = |method: &str| figure(&report, method, "answered")["value"].as_f64().unwrap();
    assert!(answered("banyan reject") <= answered("banyan"));
    let groups = part["questions"][0]["groups"].as_array().unwrap();
    assert!(groups.contains(&Value::from("1 hops")), "{groups:?}");
    let of_directory = desk.run(["eval", "set", "--json"]).done().json();
    assert_eq!(
        figure(&of_directory, "banyan", "choice")["value"],
        figure(&report, "banyan", "choice")["value"]
    );
}

#[test]
fn records_are_a_kind_of_set() {
    let set = format!(
        "name = \"r\"\n[[set]]\nname = \"hotels\"\nkind = \"aggregate\"\nquestions = \"{0}/questions.jsonl\"\ncorpus = \"{0}/pages\"\ngold = \"{0}/gold_records.csv\"\n",
        root().join("data/hotels").display()
    );
    let desk = desk().with("suite.toml", set);
    let report = desk.exam(["run", "suite.toml", "--json"]).done().json();
    for system in ["gold_schema", "induced_schema", "gold_records"] {
        for metric in ["match", "parts", "answered"] {
            assert_eq!(figure(&report, system, metric)["n"], 40, "{system} {metric}");
        }
    }
    assert_eq!(report["parts"][0]["baseline"], "induced_schema");
}

#[test]
fn sets_of_these_kinds_that_cannot_run_are_refused_before_any_work() {
    let refuse = |suite: &str, expected: &str| {
        let desk = desk()
            .with("suite.toml", suite)
            .with("set/questions.jsonl", "{\"question\": \"x\"}\n")
            .with("set/corpus/a.txt", "x");
        desk.exam(["run", "suite.toml"]).refused(&[expected]);
    };
    refuse(SUITE, "a question without answer");
    refuse(
        &SUITE.replace("anonyrag", "anon"),
        "unknown kind `anon`; expected one of questions, anonyrag, aggregate",
    );
    refuse(
        &SUITE.replace("anonyrag", "aggregate"),
        "expected an object with `question` and `answer`",
    );
    refuse(&SUITE.replace("set/corpus", "gone"), "gone: there is no such file");
    let keyed = SUITE.replace("[set.floor]", "key = \"key.json\"\n[set.floor]");
    refuse(&keyed, "key.json: there is no such file");
}

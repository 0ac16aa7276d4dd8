//! Suites of sets: one report with baselines, intervals and tests, its floors, what a second run takes over, and the
//! differences of two reports.

use crate::desk;
use banyan_tests::server::{Answer, Asked, ChatServer};
use banyan_tests::workspace::{root, text};
use banyan_tests::{Desk, Run};
use serde_json::Value;
use std::env;
use std::process::Command;

/// Six documents, two of which answer each question.
const CORPUS: &str = r#"{"id": 1, "title": "Orla Finch", "text": "Orla Finch is a painter. She was born in Kestle."}
{"id": 2, "title": "Kestle", "text": "Kestle is a town on the river Amber."}
{"id": 3, "title": "The Grey Heron", "text": "The Grey Heron is a painting by Orla Finch."}
{"id": 4, "title": "Amber", "text": "The Amber is a river that flows into the Sallow Sea."}
{"id": 5, "title": "Tamsin Rook", "text": "Tamsin Rook is a singer. She was born in Dunmarrick."}
{"id": 6, "title": "Dunmarrick", "text": "Dunmarrick is a port on the Sallow Sea."}
"#;
const QUESTIONS: &str = r#"{"id": "a", "question": "In which town was the painter of The Grey Heron born?", "answers": ["Kestle"], "gold": [1, 3], "type": "bridge"}
{"id": "b", "question": "Where was Tamsin Rook born?", "answers": ["Dunmarrick"], "gold": [5], "type": "single"}
"#;
const SUITE: &str =
    "name = \"small\"\nk = [1, 2]\n\n[[set]]\nname = \"birds\"\nquestions = \"q.jsonl\"\ncorpus = \"c.jsonl\"\n";

fn small(suite: &str) -> Desk {
    desk()
        .with("suite.toml", suite)
        .with("c.jsonl", CORPUS)
        .with("q.jsonl", QUESTIONS)
}

fn run(desk: &Desk, options: &[&str]) -> Run {
    desk.run(["eval", "suite.toml"].iter().chain(options))
}

#[track_caller]
fn refuse(suite: &str, expected: &str) {
    run(&small(suite), &[]).refused(&[expected]);
}

#[test]
fn every_figure_has_its_questions_its_interval_and_its_baseline() {
    let desk = small(SUITE);
    let report = run(&desk, &["--json"]).done().json();
    let part = &report["parts"][0];
    assert_eq!(part["source"]["n_documents"], 6);
    assert_eq!(part["source"]["store"].as_str().unwrap().len(), 64);
    let figures = report["figures"].as_array().unwrap();
    let figure = |method: &str, metric: &str| {
        let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
        figures
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{method} {metric} in {figures:#?}"))
    };
    for metric in ["recall@1", "recall@2", "all-gold@2"] {
        let figure = figure("banyan", metric);
        let (low, high) = (
            figure["interval"][0].as_f64().unwrap(),
            figure["interval"][1].as_f64().unwrap(),
        );
        let value = figure["value"].as_f64().unwrap();
        assert!(figure["n"] == 2 && low <= value && value <= high, "{figure}");
        let p = figure["baseline"]["p"].as_f64().unwrap();
        assert!(
            figure["baseline"]["method"] == "bm25" && (0.0..=1.0).contains(&p),
            "{figure}"
        );
    }
    assert!(figure("bm25", "recall@2")["baseline"].is_null());
    assert_eq!(figure("banyan", "em")["n"], 2);
    assert_eq!(figure("banyan reject", "answered")["n"], 2);
    let questions = part["questions"].as_array().unwrap();
    assert_eq!(questions[0]["groups"], serde_json::json!(["bridge", "2 gold"]));
}

#[test]
fn two_reports_are_compared_question_by_question() {
    let desk = small(SUITE);
    desk.put("before.json", run(&desk, &["--json"]).done().stdout);
    desk.put("c.jsonl", CORPUS.replace("born in Dunmarrick", "born in Harrow"));
    desk.put("after.json", run(&desk, &["--json"]).done().stdout);
    let compare = |after: &str, options: &[&str]| {
        let args = ["eval", "--compare", "before.json", after];
        desk.run(args.iter().chain(options))
    };
    let text = compare("after.json", &[]).done().stdout;
    assert!(
        text.contains("birds banyan em:") && text.contains("worse  1.000 → 0.000  b"),
        "{text}"
    );
    assert!(text.contains("[Dunmarrick → Harrow]"), "{text}");
    let same = compare("before.json", &["--json"]).done().json();
    assert!(
        same["changes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|change| change["questions"] == serde_json::json!([]))
    );
    compare("q.jsonl", &[]).refused(&["expected a report"]);
}

#[test]
fn a_figure_below_its_floor_fails_the_suite_after_the_report() {
    let desk = small(&format!(
        "{SUITE}floor = {{ \"banyan recall@2\" = 0.4, \"banyan em\" = 1.1 }}\n"
    ));
    let run = run(&desk, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("recall@2"), "{run:#?}");
    assert!(
        run.stderr.contains("birds banyan em is") && !run.stderr.contains("recall@2 is"),
        "{run:#?}"
    );
}

#[test]
fn a_suite_that_cannot_run_is_refused_before_any_work() {
    refuse(
        &SUITE.replace("c.jsonl", "gone.jsonl"),
        "gone.jsonl: there is no such file",
    );
    refuse(
        &SUITE.replace("c.jsonl", "$BANYAN_NOWHERE/c.jsonl"),
        "BANYAN_NOWHERE is not set",
    );
    refuse(&SUITE.replace("k = [1, 2]", "k = [0]"), "expected numbers from 1");
    refuse(&SUITE.replace("k = [1, 2]", "top = 3"), "unknown field `top`");
    refuse(&SUITE.replace("corpus = \"c.jsonl\"\n", ""), "brings no passages");
    refuse(
        &SUITE.replace("q.jsonl", "c.jsonl"),
        "expected an object with `question`",
    );
    refuse("name = \"none\"\nset = []\n", "no sets");
    run(&small(SUITE), &["--only", "fish"]).refused(&["expected one of birds"]);
    let desk = small(SUITE);
    desk.put("q.jsonl", QUESTIONS.replace("[1, 3]", "[1, 33]"));
    run(&desk, &[]).refused(&["gold passage 33 is not in the corpus"]);
}

#[test]
fn a_set_that_may_be_missing_is_left_out_and_said_to_be() {
    let other = "[[set]]\nname = \"fish\"\nquestions = \"$BANYAN_NOWHERE/q.jsonl\"\noptional = true\n";
    let run = run(&small(&format!("{SUITE}\n{other}")), &[]).done();
    assert!(
        run.stdout
            .contains("skipped: fish: the variable BANYAN_NOWHERE is not set"),
        "{run:#?}"
    );
}

#[test]
fn sets_in_published_shapes_need_no_conversion() {
    let question = r#"[{"_id": "a", "question": "In which town was the painter of The Grey Heron born?", "answer": "Kestle",
        "type": "bridge", "supporting_facts": [["The Grey Heron", 0], ["Orla Finch", 1]], "context": [
        ["The Grey Heron", ["The Grey Heron is a painting by Orla Finch."]],
        ["Orla Finch", ["Orla Finch is a painter.", " She was born in Kestle."]],
        ["Kestle", ["Kestle is a town on the river Amber."]]]}]"#;
    let alone = SUITE.replace("corpus = \"c.jsonl\"\n", "");
    for suite in [alone.as_str(), SUITE] {
        let desk = small(suite);
        desk.put("q.jsonl", question);
        let report = run(&desk, &["--json"]).done().json();
        let recall = &report["parts"][0]["methods"]["banyan"]["scores"]["recall@2"][0];
        assert_eq!(recall, 1.0, "{suite}");
    }
}

/// Vectors are needed for that, so the program runs with the user's own cache; the checks print and compare the table, too.
#[test]
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn the_readme_shows_what_its_suite_prints() {
    let binary = env!("CARGO_BIN_EXE_banyan-under-test");
    let mut command = Command::new(binary);
    command
        .current_dir(root())
        .args(["--offline", "--quiet", "eval", "data/suites/readme.toml", "--markdown"]);
    let run: Run = command.output().unwrap().into();
    if run.code != Some(0) && run.stderr.contains("model") {
        eprintln!("skipped: the embedding model is not on this machine: {}", run.stderr);
        return;
    }
    let readme = text("README.md");
    for line in run.done().stdout.lines() {
        assert!(
            readme.contains(line),
            "the README lacks {line:?}; print it anew as the README says"
        );
    }
}

/// What another system said of the corpus.
const SAID: &str = r#"{"id": 1, "entities": ["Orla Finch", "Kestle"], "triples": [["Orla Finch", "was born in", "Kestle"]]}
{"id": 3, "entities": ["The Grey Heron", "Orla Finch"], "triples": [["The Grey Heron", "painted by", "Orla Finch"]]}
"#;

#[test]
fn an_edited_schema_shows_what_it_changes_without_asking_anyone() {
    let desk = small(SUITE)
        .with("said.jsonl", SAID)
        .with("same.json", text("data/schema/general.json"))
        .with("bare.json", r#"{"name": "bare", "entity_types": [{"name": "person"}]}"#);
    let change = |schema: &str, extractor: &str| {
        let args = ["schema-change", "q.jsonl", "--corpus", "c.jsonl", "--schema", schema];
        desk.exam(args.iter().chain(&["--extractor", extractor, "--json"]))
    };
    let stores = |schema: &str| {
        let report = change(schema, "recorded:said.jsonl").done().json();
        [0, 1].map(|part| report["parts"][part]["source"]["store"].clone())
    };
    let (same, bare) = (stores("same.json"), stores("bare.json"));
    assert_eq!(same[0], same[1]);
    assert!(bare[0] == same[0] && bare[1] != bare[0], "{bare:?}");
    change("same.json", "llm").refused(&["expected --replay CASSETTE"]);
    change("gone.json", "recorded:said.jsonl").refused(&["gone.json"]);
}

/// Replies are scripted; nothing here is a measure of any model.
#[test]
fn a_judge_stands_beside_exact_match_and_is_asked_once() {
    let server = ChatServer::new(|_, asked: &Asked| {
        let is_kestle = asked.user().matches("Kestle").count() > 1;
        Answer::text(&format!("{{\"reason\": \"scripted\", \"is_right\": {is_kestle}}}"))
    });
    let config = format!(
        "[llm]\nbase_url = \"{}\"\nmodel = \"scripted\"\nmax_retries = 0\n",
        server.base_url()
    );
    let desk = small(SUITE).with("banyan.toml", config);
    let options = ["--judge", "--record", "judge.jsonl", "--json"];
    let report = run(&desk, &options).done().json();
    let scores = &report["parts"][0]["methods"]["banyan"]["scores"];
    assert_eq!(scores["em"], serde_json::json!([1.0, 1.0]));
    assert_eq!(scores["judged"], serde_json::json!([1.0, 0.0]));
    let n_asked = server.asked().len();
    assert_eq!(
        run(&desk, &options).done().json()["parts"][0]["methods"],
        report["parts"][0]["methods"]
    );
    assert_eq!(server.asked().len(), n_asked);
}

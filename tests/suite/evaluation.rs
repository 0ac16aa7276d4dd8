//! Suites of sets: one report with baselines, intervals and tests, its floors, what a second run takes over, and the
//! differences of two reports.

use crate::{desk, figure, list};
use banyan_tests::server::{Answer, Asked, ChatServer};
use banyan_tests::workspace::{place, root, text};
use banyan_tests::{Desk, Run};
use serde_json::json;
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

#[test]
fn every_figure_has_its_questions_its_interval_and_its_baseline() {
    let report = small(SUITE).banyan("eval suite.toml --json").done().json();
    let part = &report["parts"][0];
    assert_eq!(part["source"]["n_documents"], 6);
    assert_eq!(part["source"]["store"].as_str().unwrap().len(), 64);
    for metric in ["recall@1", "recall@2", "all-gold@2"] {
        let figure = figure(&report, "banyan", metric);
        let (interval, baseline) = (list(&figure["interval"]), &figure["baseline"]);
        let (low, high) = (interval[0].as_f64().unwrap(), interval[1].as_f64().unwrap());
        let value = figure["value"].as_f64().unwrap();
        assert!(figure["n"] == 2 && low <= value && value <= high, "{figure}");
        let p = baseline["p"].as_f64().unwrap();
        assert!(baseline["method"] == "bm25" && (0.0..=1.0).contains(&p), "{figure}");
    }
    assert!(figure(&report, "bm25", "recall@2")["baseline"].is_null());
    assert_eq!(figure(&report, "banyan", "em")["n"], 2);
    assert_eq!(figure(&report, "banyan reject", "answered")["n"], 2);
    assert_eq!(part["questions"][0]["groups"], json!(["bridge", "2 gold"]));
}

#[test]
fn passages_can_be_ranked_without_their_titles() {
    let desk = desk()
        .with("set/corpus.jsonl", CORPUS)
        .with("set/questions.jsonl", QUESTIONS);
    let retrieved = |options: &str| {
        let report = desk.banyan(&format!("eval set --json --k 2 {options}")).done().json();
        report["per_question"][0]["retrieved"].clone()
    };
    assert_eq!(retrieved("--no-titles"), json!(["", ""]));
    assert_ne!(retrieved(""), json!(["", ""]));
}

#[test]
fn two_reports_are_compared_question_by_question() {
    let desk = small(SUITE);
    desk.put("before.json", desk.banyan("eval suite.toml --json").done().stdout);
    desk.put("c.jsonl", CORPUS.replace("born in Dunmarrick", "born in Harrow"));
    desk.put("after.json", desk.banyan("eval suite.toml --json").done().stdout);
    let compare = |after: &str| desk.banyan(&format!("eval --compare before.json {after}"));
    compare("after.json")
        .done()
        .prints(&["birds banyan em:", "worse  1.000 → 0.000  b", "[Dunmarrick → Harrow]"]);
    let same = compare("before.json --json").done().json();
    let changes = list(&same["changes"]);
    assert!(
        changes.iter().all(|change| change["questions"] == json!([])),
        "{same:#}"
    );
    compare("q.jsonl").refused(&["expected a report"]);
}

#[test]
fn a_figure_below_its_floor_fails_the_suite_after_the_report() {
    let floor = "floor = { \"banyan recall@2\" = 0.4, \"banyan em\" = 1.1 }\n";
    let other = "[[set]]\nname = \"fish\"\nquestions = \"$BANYAN_NOWHERE/q.jsonl\"\noptional = true\n";
    let run = small(&format!("{SUITE}{floor}\n{other}")).banyan("eval suite.toml");
    assert_eq!(run.code, Some(2));
    assert!(!run.stderr.contains("recall@2 is"), "{run:#?}");
    run.tells(&["birds banyan em is"])
        .prints(&["recall@2", "skipped: fish: the variable BANYAN_NOWHERE is not set"]);
}

#[test]
fn a_suite_that_cannot_run_is_refused_before_any_work() {
    let desk = small(SUITE).with("unanswered.jsonl", "{\"question\": \"x\"}\n");
    let refuse = |from: &str, to: &str, says: &str| {
        desk.put("suite.toml", SUITE.replace(from, to));
        desk.exam("run suite.toml").refused(&[says]);
    };
    for (from, to, says) in [
        ("c.jsonl", "gone.jsonl", "gone.jsonl: there is no such file"),
        ("c.jsonl", "$BANYAN_NOWHERE/c.jsonl", "BANYAN_NOWHERE is not set"),
        ("k = [1, 2]", "k = [0]", "expected numbers from 1"),
        ("k = [1, 2]", "top = 3", "unknown field `top`"),
        ("corpus = \"c.jsonl\"\n", "", "brings no passages"),
        ("q.jsonl", "c.jsonl", "expected an object with `question`"),
        (SUITE, "name = \"none\"\nset = []\n", "no sets"),
        (
            "corpus",
            "kind = \"anon\"\ncorpus",
            "unknown kind `anon`; expected one of questions, anonyrag, aggregate",
        ),
    ] {
        refuse(from, to, says);
    }
    let unanswered = |kind: &str| format!("unanswered.jsonl\"\nkind = \"{kind}");
    refuse("q.jsonl", &unanswered("anonyrag"), "missing field `answer`");
    let expected = "expected an object with `question` and `answer`";
    refuse("q.jsonl", &unanswered("aggregate"), expected);
    desk.put("suite.toml", SUITE);
    desk.banyan("eval suite.toml --only fish")
        .refused(&["expected one of birds"]);
    desk.put("q.jsonl", QUESTIONS.replace("[1, 3]", "[1, 33]"));
    desk.banyan("eval suite.toml")
        .refused(&["gold passage 33 is not in the corpus"]);
}

#[test]
fn sets_in_published_shapes_and_records_are_kinds_of_sets() {
    let question = r#"[{"_id": "a", "question": "In which town was the painter of The Grey Heron born?", "answer": "Kestle",
        "type": "bridge", "supporting_facts": [["The Grey Heron", 0], ["Orla Finch", 1]], "context": [
        ["The Grey Heron", ["The Grey Heron is a painting by Orla Finch."]],
        ["Orla Finch", ["Orla Finch is a painter.", " She was born in Kestle."]],
        ["Kestle", ["Kestle is a town on the river Amber."]]]}]"#;
    let alone = SUITE.replace("corpus = \"c.jsonl\"\n", "");
    for suite in [alone.as_str(), SUITE] {
        let desk = small(suite).with("q.jsonl", question);
        let report = desk.banyan("eval suite.toml --json").done().json();
        let recall = &report["parts"][0]["methods"]["banyan"]["scores"]["recall@2"][0];
        assert_eq!(recall, 1.0, "{suite}");
    }
    let hotels = place("data/hotels");
    let set = "name = \"r\"\n[[set]]\nname = \"hotels\"\nkind = \"aggregate\"\n";
    let files = format!(
        "questions = \"{hotels}/questions.jsonl\"\ncorpus = \"{hotels}/pages\"\ngold = \"{hotels}/gold_records.csv\"\n"
    );
    let desk = desk().with("suite.toml", format!("{set}{files}"));
    let report = desk.exam("run suite.toml --json").done().json();
    for system in ["gold_schema", "induced_schema", "gold_records"] {
        for metric in ["match", "parts", "answered"] {
            assert_eq!(figure(&report, system, metric)["n"], 40, "{system} {metric}");
        }
    }
    assert_eq!(report["parts"][0]["baseline"], "induced_schema");
}

/// Vectors are needed for that, so the program runs with the user's own cache; the checks print and compare the table,
/// too.
#[test]
#[allow(clippy::print_stderr, reason = "a skipped test must be seen")]
fn the_readme_shows_what_its_suite_prints() {
    let binary = env!("CARGO_BIN_EXE_banyan-under-test");
    let mut command = Command::new(binary);
    command
        .current_dir(root())
        .args(["--offline", "eval", "data/suites/readme.toml", "--markdown"]);
    let run: Run = command.output().unwrap().into();
    if run.code != Some(0) && run.stderr.contains("model") {
        eprintln!("skipped: the embedding model is not on this machine: {}", run.stderr);
        return;
    }
    if run.stderr.contains("the English parser") {
        eprintln!("skipped: the English parser is not on this machine");
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

/// Replies are scripted; nothing here is a measure of any model.
#[test]
fn a_judge_stands_beside_exact_match_and_is_asked_once() {
    let server = ChatServer::new(|_, asked: &Asked| {
        let is_kestle = asked.user().matches("Kestle").count() > 1;
        Answer::text(&format!("{{\"reason\": \"scripted\", \"is_right\": {is_kestle}}}"))
    });
    let desk = small(SUITE).with("banyan.toml", server.config(""));
    let run = || {
        let line = "eval suite.toml --judge --record judge.jsonl --json";
        desk.banyan(line).done().json()["parts"][0]["methods"].clone()
    };
    let methods = run();
    let scores = &methods["banyan"]["scores"];
    assert_eq!(scores["em"], json!([1.0, 1.0]));
    assert_eq!(scores["judged"], json!([1.0, 0.0]));
    let n_asked = server.asked().len();
    assert_eq!(run(), methods);
    assert_eq!(server.asked().len(), n_asked);
}

//! What the commands print on a corpus that they can use.

use crate::desk;
use banyan_tests::workspace::text;
use banyan_tests::{Desk, Run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// A question whose answer stands in a passage that another passage leads to.
const BRIDGE: &str = "Who gave the first scientific description of the animal on the logo of Hestle Records?";
/// A question in two steps.
const NESTED: &str = "In what year was the railway that runs over the Strand Viaduct converted to electric power?";
/// A question about nothing that the corpus knows.
const FOREIGN: &str = "Which enzyme does the Krebs cycle of yeast regulate under anaerobic fermentation?";

/// A desk with the Harrow corpus, built.
fn harrow() -> Desk {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    desk.run(["build", "corpus.jsonl", "--store", "store"]).done();
    desk
}

fn ask(desk: &Desk, question: &str, options: &[&str]) -> Run {
    desk.run(["query", question, "--store", "store"].iter().chain(options))
}

/// The corpus's texts by record id.
fn texts() -> BTreeMap<String, String> {
    let corpus = text("data/harrow/corpus.jsonl");
    let records = corpus.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .map(|record| (record["id"].to_string(), record["text"].as_str().unwrap().to_owned()))
        .collect()
}

/// The elements of a JSON array.
#[track_caller]
fn list(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

#[test]
fn a_build_tells_what_it_found_and_what_to_do_next() {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    let run = desk.run(["build", "corpus.jsonl", "--store", "store"]).done();
    for part in [
        "72 documents",
        "entities",
        "triples",
        "communities",
        "no dense vectors",
        "banyan query",
    ] {
        assert!(run.stderr.contains(part), "expected {part:?}: {run:#?}");
    }
}

#[test]
fn an_answer_comes_with_citations_and_a_path() {
    let run = ask(&harrow(), BRIDGE, &[]).done();
    assert!(run.stdout.starts_with("answer: "), "{run:#?}");
    for part in ["(corpus.jsonl#30:", "[path Hestle Records → Ommer lantern crab]"] {
        assert!(run.stdout.contains(part), "expected {part:?}: {run:#?}");
    }
}

#[test]
fn an_answer_in_json_has_the_same_parts() {
    let reply = ask(&harrow(), BRIDGE, &["--json", "--top-k", "4"]).done().json();
    assert!(
        reply["answer"]["text"].is_string() && reply["answer"]["is_rejected"] == false,
        "{reply:#}"
    );
    assert!((0.0..=1.0).contains(&reply["answer"]["sufficiency"].as_f64().unwrap()));
    let passages = list(&reply["passages"]);
    assert_eq!(passages.len(), 4);
    let scores: Vec<f64> = passages
        .iter()
        .map(|passage| passage["score"].as_f64().unwrap())
        .collect();
    assert!(
        scores.is_sorted_by(|a, b| a >= b),
        "expected the best first: {scores:?}"
    );
    let paths: Vec<&Value> = passages
        .iter()
        .map(|passage| &passage["path"])
        .filter(|path| !path.is_null())
        .collect();
    assert!(!paths.is_empty(), "{reply:#}");
    for path in paths {
        let steps = list(&path["steps"]);
        assert!(
            steps.len() >= 3 && steps.len() % 2 == 1,
            "passages and the entities between them: {path}"
        );
    }
}

#[test]
fn an_explanation_shows_every_route() {
    let run = ask(&harrow(), BRIDGE, &["--explain"]).done();
    for part in [
        "entities",
        "Hestle Records",
        "triples",
        "communities",
        "sufficiency",
        "embedder none",
    ] {
        assert!(run.stdout.contains(part), "expected {part:?}: {run:#?}");
    }
}

#[test]
fn reject_mode_refuses_a_question_about_something_else() {
    let desk = harrow();
    let run = ask(&desk, FOREIGN, &["--mode", "reject"]).unanswered();
    assert!(run.stdout.starts_with("no answer: "), "{run:#?}");
    let reply = ask(&desk, FOREIGN, &["--mode", "reject", "--json"]).unanswered().json();
    assert!(reply["answer"]["text"].is_null(), "{reply:#}");
    ask(&desk, BRIDGE, &["--mode", "reject"]).done();
}

#[test]
fn quotes_stand_in_the_corpus_where_citations_say() {
    let (desk, texts) = (harrow(), texts());
    let mut n = 0;
    for line in text("data/harrow/questions.jsonl").lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        let run = ask(&desk, question["question"].as_str().unwrap(), &["--json"]);
        for citation in list(&run.json()["answer"]["citations"]) {
            let record = citation["origin"]
                .as_str()
                .unwrap()
                .strip_prefix("corpus.jsonl#")
                .unwrap();
            let at = |name: &str| usize::try_from(citation[name].as_u64().unwrap()).unwrap();
            assert_eq!(
                texts[record].get(at("start")..at("end")),
                citation["quote"].as_str(),
                "{citation:#}"
            );
            n += 1;
        }
    }
    assert!(n > 40, "only {n} citations in 40 answers");
}

#[test]
fn an_answer_is_verified_against_its_store() {
    let desk = harrow();
    let reply = ask(&desk, BRIDGE, &["--json"]).stdout;
    desk.put("answer.json", &reply);
    let run = desk
        .run(["verify", "--answer", "answer.json", "--store", "store"])
        .done();
    assert!(run.stdout.contains("verbatim: "), "{run:#?}");
    desk.put("answer.json", reply.replace("\"quote\": \"", "\"quote\": \"Not "));
    let run = desk
        .run(["verify", "--answer", "answer.json", "--store", "store"])
        .unanswered();
    assert!(run.stdout.contains("other words: "), "{run:#?}");
    desk.put("answer.json", reply.replace("corpus.jsonl#", "elsewhere.jsonl#"));
    let run = desk
        .run(["verify", "--answer", "answer.json", "--store", "store"])
        .unanswered();
    assert!(run.stdout.contains("no such document: "), "{run:#?}");
    desk.put("answer.json", "{}");
    desk.run(["verify", "--answer", "answer.json", "--store", "store"])
        .refused(&["query --json"]);
}

#[test]
fn a_trace_tells_each_step_and_json_holds_them() {
    let desk = harrow();
    let run = ask(&desk, NESTED, &["--trace"]).done();
    assert!(
        run.stdout.starts_with("#1 ") && run.stdout.contains("\n#2 "),
        "{run:#?}"
    );
    let history = ask(&desk, NESTED, &["--json"]).done().json()["answer"]["history"].clone();
    let steps = list(&history);
    assert!(steps.len() > 1, "{history:#}");
    for step in steps {
        for belief in list(&step["beliefs"]) {
            assert!((0.0..=1.0).contains(&belief["share"].as_f64().unwrap()), "{belief:#}");
        }
    }
}

#[test]
fn every_fact_names_its_places() {
    let desk = harrow();
    let dump = desk.dump("store");
    let facts: Vec<&str> = dump
        .lines()
        .filter(|line| line.starts_with("    2 ") || line.starts_with("    1 "))
        .collect();
    assert!(facts.len() > 500, "only {} facts", facts.len());
    for fact in facts {
        let place = fact.rsplit(' ').next().unwrap_or_default();
        let (document, span) = place.split_once(':').unwrap_or_default();
        let is_known = dump.lines().any(|line| line.starts_with(&format!("{document} \"")));
        let is_span = span
            .split_once("..")
            .is_some_and(|(start, end)| start.parse::<u32>().unwrap() <= end.parse::<u32>().unwrap());
        assert!(
            is_known && is_span,
            "expected document:start..end at the end of {fact:?}"
        );
    }
}

#[test]
fn counts_agree_with_the_dump() {
    let desk = harrow();
    let counts = desk.run(["stats", "--store", "store", "--json"]).done().json();
    let names = [
        "documents",
        "chunks",
        "entities",
        "triples",
        "attributes",
        "communities",
    ];
    let heading: Vec<String> = names.iter().map(|name| format!("{name} {}", counts[name])).collect();
    let dump = desk.dump("store");
    assert!(
        dump.contains(&heading.join(" ")),
        "expected {heading:?} in {:?}",
        dump.lines().nth(2)
    );
    assert_eq!(counts["documents"], 72);
    let table = desk.run(["stats", "--store", "store"]).done().stdout;
    assert!(
        table
            .lines()
            .any(|line| line.split_whitespace().eq(["documents", "72"])),
        "{table}"
    );
}

#[test]
fn nothing_but_words_goes_to_a_piped_stderr() {
    let desk = harrow();
    let run = desk.run(["build", "corpus.jsonl", "--store", "store"]).done();
    assert!(
        !run.stderr.contains(['\r', '\x1b']) && run.stdout.is_empty(),
        "{run:#?}"
    );
    let run = desk
        .run(["build", "corpus.jsonl", "--store", "store", "--quiet"])
        .done();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(ask(&desk, BRIDGE, &[]).done().stderr, "");
    assert_eq!(desk.run(["dump", "--store", "store"]).done().stderr, "");
}

#[test]
fn a_reader_may_leave_before_the_end() {
    let desk = harrow();
    let mut child = desk.command(["dump", "--store", "store"]).spawn().unwrap();
    let mut first = [0; 13];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).done();
    assert_eq!((&first, run.stderr.as_str()), (b"banyan dump 2", ""));
}

#[test]
fn help_and_version_are_results() {
    let desk = desk();
    assert!(desk.run(["--help"]).done().stdout.contains("Usage:"));
    assert!(desk.run(["--version"]).done().stdout.starts_with("banyan "));
    assert_eq!(desk.run(["build"]).code, Some(2), "a command without its arguments");
}

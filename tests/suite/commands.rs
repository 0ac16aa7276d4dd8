//! What the commands print on a corpus that they can use.

use crate::{built, desk, list, quoted};
use banyan_tests::workspace::text;
use banyan_tests::{Run, rows};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// A question whose answer stands in a passage that another passage leads to.
const BRIDGE: &str = "Who gave the first scientific description of the animal on the logo of Hestle Records?";
/// A question in two steps.
const NESTED: &str = "In what year was the railway that runs over the Strand Viaduct converted to electric power?";

#[test]
fn a_build_tells_in_words_what_it_found_and_what_to_do_next() {
    let desk = desk().with("corpus.jsonl", text("data/harrow/corpus.jsonl"));
    let run = desk.banyan("build corpus.jsonl").done();
    assert!(
        !run.stderr.contains(['\r', '\x1b']) && run.stdout.is_empty(),
        "{run:#?}"
    );
    run.tells(&["72 documents", "entities", "triples", "communities"])
        .tells(&["no dense vectors", "banyan query"]);
    let run = desk.banyan("build corpus.jsonl --quiet").done();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(desk.ask(BRIDGE, "").done().stderr, "");
    assert_eq!(desk.banyan("dump").done().stderr, "");
}

#[test]
fn passages_and_citations_stand_in_their_sections() {
    let filler =
        "The keeper writes down what the glass says at noon and at night, whatever the weather is. ".repeat(20);
    let guide = format!(
        "# Guide\n\n## Daily work\n\nThe lamp is trimmed every four hours. {filler}\n\n## Faults\n\n### Fog signal\n\nThe fog signal needs 40 bars of air. {filler}\n"
    );
    let desk = desk().with("guide.md", guide);
    desk.banyan("build guide.md --quiet").done();
    let question = "How many bars of air does the fog signal need?";
    desk.ask(question, "").done().prints(&["Guide › Faults › Fog signal"]);
    for (question, section) in [
        (question, "Faults › Fog signal"),
        ("How often is the lamp trimmed?", "Daily work"),
    ] {
        let reply = desk.ask(question, "--json").done().json();
        assert_eq!(list(&reply["passages"])[0]["section"], section);
    }
}

#[test]
fn an_answer_comes_with_citations_a_path_and_its_steps() {
    let desk = built("harrow");
    let run = desk.ask(BRIDGE, "").done();
    assert!(run.stdout.starts_with("answer: "), "{run:#?}");
    run.prints(&["(corpus.jsonl#30:", "[path Hestle Records → Ommer lantern crab]"]);
    let reply = desk.ask(BRIDGE, "--json --top-k 4").done().json();
    let answer = &reply["answer"];
    assert!(
        answer["text"].is_string() && answer["is_rejected"] == false,
        "{reply:#}"
    );
    assert!((0.0..=1.0).contains(&answer["sufficiency"].as_f64().unwrap()));
    let passages = list(&reply["passages"]);
    let scores: Vec<f64> = passages.iter().map(|one| one["score"].as_f64().unwrap()).collect();
    assert!(scores.len() == 4 && scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let paths: Vec<&Value> = passages.iter().map(|one| &one["path"]["steps"]).collect();
    let lengths: Vec<usize> = paths.iter().filter_map(|path| Some(path.as_array()?.len())).collect();
    let is_path = |length: &usize| *length >= 3 && length % 2 == 1;
    assert!(
        !lengths.is_empty() && lengths.iter().all(is_path),
        "passages and the entities between them: {paths:?}"
    );

    let run = desk.ask(NESTED, "--trace").done().prints(&["\n#2 "]);
    assert!(run.stdout.starts_with("#1 "), "{run:#?}");
    let reply = desk.ask(NESTED, "--json").done().json();
    let steps = list(&reply["answer"]["history"]);
    assert!(steps.len() > 1, "{reply:#}");
    for belief in steps.iter().flat_map(|step| list(&step["beliefs"])) {
        assert!((0.0..=1.0).contains(&belief["share"].as_f64().unwrap()), "{belief:#}");
    }
}

#[test]
fn quotes_stand_in_the_corpus_where_citations_say_and_can_be_verified() {
    let desk = built("harrow").with("questions.jsonl", text("data/harrow/questions.jsonl"));
    let records = rows(&text("data/harrow/corpus.jsonl"));
    let texts: BTreeMap<String, &Value> = records
        .iter()
        .map(|record| (format!("corpus.jsonl#{}", record["id"]), &record["text"]))
        .collect();
    let replies = desk.banyan("query --batch questions.jsonl --mode open").done().rows();
    let citations = replies.iter().flat_map(|reply| list(&reply["answer"]["citations"]));
    let mut n = 0;
    for citation in citations {
        let text = texts[citation["origin"].as_str().unwrap()].as_str().unwrap();
        assert_eq!(quoted(text, citation), citation["quote"].as_str(), "{citation:#}");
        n += 1;
    }
    assert!(n > 40, "only {n} citations in {} answers", replies.len());

    let reply = desk.ask(BRIDGE, "--json").stdout;
    let verify = |answer: &str| {
        desk.put("answer.json", answer);
        desk.banyan("verify --answer answer.json")
    };
    verify(&reply).done().prints(&["verbatim: "]);
    verify(&reply.replace("\"quote\": \"", "\"quote\": \"Not "))
        .unanswered()
        .prints(&["other words: "]);
    verify(&reply.replace("corpus.jsonl#", "elsewhere.jsonl#"))
        .unanswered()
        .prints(&["no such document: "]);
    verify("{}").refused(&["query --json"]);
}

#[test]
fn every_fact_of_a_dump_names_its_places_and_counts_agree_with_it() {
    let desk = built("harrow");
    let dump = desk.dump("store");
    let is_fact = |line: &&str| line.starts_with("    2 ") || line.starts_with("    1 ");
    let facts: Vec<&str> = dump.lines().filter(is_fact).collect();
    assert!(facts.len() > 200, "only {} facts", facts.len());
    for fact in facts {
        let place = fact.rsplit(' ').next().unwrap_or_default();
        let (document, span) = place.split_once(':').unwrap_or_default();
        let is_known = dump.lines().any(|line| line.starts_with(&format!("{document} \"")));
        let (start, end) = span.split_once("..").unwrap_or_default();
        let is_span = matches!((start.parse::<u32>(), end.parse::<u32>()), (Ok(start), Ok(end)) if start <= end);
        assert!(
            is_known && is_span,
            "expected document:start..end at the end of {fact:?}"
        );
    }
    let counts = desk.banyan("stats --json").done().json();
    assert_eq!(counts["documents"], 72);
    let names = "documents chunks entities triples attributes associations communities".split(' ');
    let heading: Vec<String> = names.map(|name| format!("{name} {}", counts[name])).collect();
    assert!(dump.contains(&heading.join(" ")), "{heading:?}");
    let table = desk.banyan("stats").done().stdout;
    let is_row = |line: &str| line.split_whitespace().eq(["documents", "72"]);
    assert!(table.lines().any(is_row), "{table}");

    // A reader may leave before the end.
    let mut child = desk.command(["dump"]).spawn().unwrap();
    let mut first = [0; 13];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).done();
    assert_eq!((&first, run.stderr.as_str()), (b"banyan dump 3", ""));
}

#[test]
fn help_and_version_are_results_and_a_command_without_its_arguments_is_none() {
    let desk = desk();
    desk.banyan("--help").done().prints(&["Usage:"]);
    assert!(desk.banyan("--version").done().stdout.starts_with("banyan "));
    assert_eq!(desk.banyan("build").code, Some(2));
}

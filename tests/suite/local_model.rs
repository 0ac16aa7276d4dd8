//! A small real model of 1.5 billion weights, recorded: what it reads, answers and counts, beside what the program does
//! without it. `BANYAN_BLESS=1` writes the figures anew; with `BANYAN_RECORD=1` calls that are not on the cassette go to the
//! endpoint of `data/local-model/banyan.toml` and are added to it, about half an hour for all of them.

use crate::desk;
use banyan_tests::Desk;
use banyan_tests::workspace::{place, root};
use serde_json::{Value, json};
use std::{env, fs};

/// Where corpus, questions, schema and cassette are.
const SET: &str = "data/local-model";

/// What names the model and its cassette.
fn model() -> String {
    let mode = match env::var_os("BANYAN_RECORD") {
        Some(_) => "record",
        None => "replay",
    };
    let at = |name: &str| place(&format!("{SET}/{name}"));
    format!("--config {} --{mode} {}", at("banyan.toml"), at("cassette.jsonl"))
}

/// How much a store holds that `options` built.
fn held(desk: &Desk, options: &str) -> Value {
    let build = format!("build corpus.jsonl --schema schema.json --store read {options}");
    desk.banyan(&build).done();
    let stats = desk.banyan("stats --json --store read").done().json();
    let of = |name: &str| (name.to_owned(), stats[name].clone());
    ["entities", "triples", "attributes", "refused"]
        .map(of)
        .into_iter()
        .collect()
}

#[test]
fn a_recorded_model_reads_answers_and_counts_as_it_did() {
    let files = ["corpus.jsonl", "questions.jsonl", "schema.json"];
    let file = |name: &str| (name.to_owned(), fs::read(root().join(SET).join(name)).unwrap());
    let desk = desk().with_files(files.map(file));
    let model = model();
    let (alone, by_model) = (held(&desk, ""), held(&desk, &format!("--extractor llm {model}")));
    let asked = format!("eval . --schema schema.json --extractor llm --reasoner llm --max-rounds 2 --json {model}");
    let asked = &desk.banyan(&asked).done().json()["systems"];
    let answers = |method: &str| json!({"em": asked[method]["em"], "f1": asked[method]["f1"]});
    let museums = place("data/museums");
    let counted = format!(
        "aggregate --pages {museums}/pages.jsonl --gold-records {museums}/gold_records.csv --questions {} --reasoner llm --json {model}",
        place(&format!("{SET}/counted.jsonl"))
    );
    let counted = desk.exam(&counted).done().json();
    let found = json!({
        "reading": {"embedded": alone, "model": by_model},
        "answering": {"embedded": answers("banyan"), "model": answers("llm banyan"),
            "embedded, reject": answers("banyan reject"), "model, reject": answers("llm banyan reject")},
        "counting": {"embedded": counted["gold_records"], "model": counted["model_sql"]},
    });
    let golden = root().join(SET).join("figures.json");
    let found = format!("{found:#}\n");
    if env::var_os("BANYAN_BLESS").is_some() {
        fs::write(&golden, &found).unwrap();
    }
    assert_eq!(
        found,
        fs::read_to_string(&golden).unwrap(),
        "BANYAN_BLESS=1 writes it anew"
    );
}

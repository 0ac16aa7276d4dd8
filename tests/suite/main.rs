//! The suite: one binary, one module a subject. See the crate's README for what each module holds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod annotated;
mod anonymize;
mod anonyrag;
mod bad_input;
mod bad_store;
mod change;
mod chinese;
mod commands;
mod communities;
mod comparison;
mod crate_edges;
mod determinism;
mod development_questions;
mod evaluation;
mod export;
mod extraction;
mod files;
mod fit;
mod graph;
mod house_rules;
mod import;
mod interruption;
mod llm_port;
mod local_model;
mod method;
mod model_path;
mod parse;
mod portable;
mod query;
mod question;
mod reasoning;
mod recall;
mod recent;
mod recorded;
mod records;
mod resolve;
mod schema;
mod serve;
mod spans;

use banyan_tests::workspace::text;
use banyan_tests::{Desk, Program};
use serde_json::Value;

/// An empty desk with the programs under test.
fn desk() -> Desk {
    let program = |binary| Program::new(binary, env!("CARGO_TARGET_TMPDIR"));
    Desk::new(
        program(env!("CARGO_BIN_EXE_banyan-under-test")),
        program(env!("CARGO_BIN_EXE_banyan-eval-under-test")),
    )
}

/// A desk with one of our own corpora in `corpus.jsonl`, and its store.
fn built(corpus: &str) -> Desk {
    let desk = desk().with("corpus.jsonl", text(&format!("data/{corpus}/corpus.jsonl")));
    desk.banyan("build corpus.jsonl").done();
    desk
}

/// The elements of a JSON array.
#[track_caller]
fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("expected an array: {value:#}"))
}

/// The part of a text that a citation, a gold passage or an alias names by its place.
#[track_caller]
fn quoted<'a>(text: &'a str, place: &Value) -> Option<&'a str> {
    let at = |end: &str| usize::try_from(place[end].as_u64().unwrap()).unwrap();
    text.get(at("start")..at("end"))
}

/// A figure of a report: value, number of questions, interval and baseline.
#[track_caller]
fn figure<'a>(report: &'a Value, method: &str, metric: &str) -> &'a Value {
    let figures = list(&report["figures"]);
    let is_it = |one: &&Value| one["method"] == method && one["metric"] == metric;
    let found = figures.iter().find(is_it);
    found.unwrap_or_else(|| panic!("{method} {metric} in {figures:#?}"))
}

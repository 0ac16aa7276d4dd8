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
mod fit;
mod house_rules;
mod interruption;
mod llm_port;
mod method;
mod model_corpus;
mod model_path;
mod parse;
mod query;
mod question;
mod reasoning;
mod recall;
mod recorded;
mod records;
mod resolve;
mod schema;
mod sets;
mod spans;

use banyan_tests::{Desk, Program};

/// An empty desk with the programs under test.
fn desk() -> Desk {
    let program = |binary| Program::new(binary, env!("CARGO_TARGET_TMPDIR"));
    Desk::new(
        program(env!("CARGO_BIN_EXE_banyan-under-test")),
        program(env!("CARGO_BIN_EXE_banyan-eval-under-test")),
    )
}

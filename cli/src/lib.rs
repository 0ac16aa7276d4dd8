#![doc = include_str!("../README.md")]

#[doc(hidden)]
pub mod args;
#[doc(hidden)]
pub mod build;
mod commands;
#[doc(hidden)]
pub mod compose;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod corpus;
#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub mod digest;
pub mod eval;
#[doc(hidden)]
pub mod extraction;
#[doc(hidden)]
pub mod language;
mod model;
#[doc(hidden)]
pub mod ontology;
#[doc(hidden)]
pub mod patterns;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod reasoning;
mod records;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod stop;
mod summary;
#[doc(hidden)]
pub mod tree;

#[doc(hidden)]
pub use commands::read_schema;

use args::Args;
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// Exit status for a question without an answer: nothing fits, or reject mode refused.
const NO_ANSWER: u8 = 1;
/// Exit status for an error.
const ERROR: u8 = 2;

/// What a command that did not fail came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a result.
    Done,
    /// Nothing fits, or reject mode refused.
    NoAnswer,
}

/// Runs the program on the process's arguments and tells its exit status: 0 done, 1 no answer, 2 error.
pub fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    finish(commands::run(args))
}

/// Tells an error on stderr; the exit status that a result stands for.
pub fn finish(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NoAnswer) => ExitCode::from(NO_ANSWER),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where even the error cannot be told.
            drop(writeln!(std::io::stderr(), "error: {error:#}"));
            ExitCode::from(ERROR)
        }
    }
}

/// Whether the reader of stdout went away (`banyan dump | head`), which is no fault.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

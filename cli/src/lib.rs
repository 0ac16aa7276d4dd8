#![doc = include_str!("../README.md")]

mod args;
mod build;
mod commands;
mod compose;
mod config;
mod corpus;
mod cpu;
mod digest;
mod extraction;
mod language;
mod model;
mod patterns;
mod progress;
mod reasoning;
mod records;
mod render;
mod stop;
mod summary;
mod tree;

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
enum Outcome {
    Done,
    NoAnswer,
}

/// Runs the program on the process's arguments and tells its exit status: 0 done, 1 no answer, 2 error.
pub fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    match commands::run(args) {
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

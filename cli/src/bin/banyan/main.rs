//! The `banyan` program: what was typed becomes options, one call of the library, and text.

mod args;
mod commands;
mod render;

use args::Args;
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Exit status for a question without an answer: nothing fits, or reject mode refused.
const NO_ANSWER: u8 = 1;
const ERROR: u8 = 2;

/// Many threads build, and free what others made: with glibc's allocator a build takes a quarter longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a command that did not fail came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    NoAnswer,
}

fn main() -> ExitCode {
    let args = match parsed(std::env::args_os().collect()) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    match commands::run(args) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NoAnswer) => ExitCode::from(NO_ANSWER),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => failed(&format!("{error:#}")),
    }
}

/// What was typed, where `banyan FOLDER` is short for `banyan open FOLDER`.
fn parsed(mut words: Vec<OsString>) -> clap::error::Result<Args> {
    let error = match Args::try_parse_from(&words) {
        Err(error) => error,
        parsed => return parsed,
    };
    let folder = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if Path::new(word).is_dir() => word,
        _ => return Err(error),
    };
    let Some(at) = words.iter().position(|word| word.as_os_str() == OsStr::new(folder)) else {
        return Err(error);
    };
    words.insert(at, "open".into());
    Args::try_parse_from(words)
}

fn failed(what: &str) -> ExitCode {
    // Nothing is left to do where even the error cannot be told.
    drop(writeln!(std::io::stderr(), "error: {}", render::harmless(what)));
    ExitCode::from(ERROR)
}

/// Whether the reader of stdout went away (`banyan dump | head`), which is no fault.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

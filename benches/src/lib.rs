#![doc = include_str!("../README.md")]

mod aggregate;
mod anonymise;
mod answer_fit;
mod args;
mod commands;
mod community;
mod conditional;
mod draw;
mod extraction;
mod facts;
mod graph;
mod measure;
mod npy;
mod render;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// Runs `banyan-eval` on the process's arguments and tells its exit status: 0 done, 2 error.
pub fn run() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    match commands::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where even the error cannot be told.
            drop(writeln!(std::io::stderr(), "error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

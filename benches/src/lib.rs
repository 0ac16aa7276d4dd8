#![doc = include_str!("../README.md")]

pub mod anonymise;
mod args;
mod commands;
pub mod draw;
pub mod eval;
pub mod facts;
pub mod hotels;
pub mod museums;
pub mod npy;
pub mod planted;
pub mod python;

use clap::Parser;
use std::process::ExitCode;

/// Runs `banyan-eval` on the process's arguments and tells its exit status: 0 done, 2 error.
pub fn run() -> ExitCode {
    match args::Args::try_parse() {
        Ok(args) => banyan::finish(commands::run(args)),
        Err(error) => error.exit(),
    }
}

//! One file a command.

use crate::args::{Args, Command};
use anyhow::{Context, Result};

mod aggregate;
mod anonymize;
mod anonyrag;
mod answers;
mod calibrate;
mod choice;
mod community;
mod compare;
mod entities;
mod extraction;
mod leakage;
mod relations;
mod schema_change;
mod suite;

/// Runs the command that was typed.
pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(threads) = args.global.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .context("cannot set the number of threads")?;
    }
    let env = &args.global.environment();
    match args.command {
        Command::Run(args) => suite::run(&args, env),
        Command::Compare(args) => compare::run(&args),
        Command::SchemaChange(args) => schema_change::run(&args, env),
        Command::Extraction(args) => extraction::run(&args, env),
        Command::Anonyrag(args) => anonyrag::run(&args, env),
        Command::Leakage(args) => leakage::run(&args, env),
        Command::Anonymize(args) => anonymize::run(&args, env),
        Command::Answers(args) => answers::run(&args, env),
        Command::Calibrate(args) => calibrate::run(&args, env),
        Command::Entities(args) => entities::run(&args, env),
        Command::Relations(args) => relations::run(&args, env),
        Command::Aggregate(args) => aggregate::run(&args, env),
        Command::Community(args) => community::run(&args, env),
        Command::Router(args) => choice::router(&args, env),
        Command::Structure(args) => choice::structure(&args, env),
    }
}

//! One file a command.

use crate::args::{Args, Command};
use anyhow::{Context, Result};
use banyan::Outcome;
use banyan::progress::Progress;
use banyan::stop::Stop;

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
pub(crate) fn run(args: Args) -> Result<Outcome> {
    let global = &args.global;
    if let Some(threads) = global.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .context("cannot set the number of threads")?;
    }
    let progress = Progress::new(global.quiet);
    let stop = &Stop::on_ctrl_c()?;
    match args.command {
        Command::Run(args) => suite::run(&args, global, progress, stop),
        Command::Compare(args) => compare::run(&args),
        Command::SchemaChange(args) => schema_change::run(&args, global, progress, stop),
        Command::Extraction(args) => extraction::run(&args, progress, stop),
        Command::Anonyrag(args) => anonyrag::run(&args, global, progress, stop),
        Command::Leakage(args) => leakage::run(&args, global, progress, stop),
        Command::Anonymize(args) => anonymize::run(&args, progress, stop),
        Command::Answers(args) => answers::run(&args, global, progress, stop),
        Command::Calibrate(args) => calibrate::run(&args, global, progress, stop),
        Command::Entities(args) => entities::run(&args, progress, stop),
        Command::Relations(args) => relations::run(&args, progress, stop),
        Command::Aggregate(args) => aggregate::run(&args, global, progress, stop),
        Command::Community(args) => community::run(&args, progress, stop),
        Command::Router(args) => choice::router(&args, global, progress, stop),
        Command::Structure(args) => choice::structure(&args, global, progress, stop),
    }
}

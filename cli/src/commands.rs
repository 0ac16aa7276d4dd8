//! One file a command.

use crate::Outcome;
use crate::args::{Args, Command, Extract, Model, Records, Resolve, Schema};
use crate::eval;
use crate::progress::Progress;
use crate::stop::Stop;
pub use build::read_schema;

use anyhow::{Context, Result};

mod build;
mod change;
mod communities;
mod demo;
mod export;
mod inspect;
mod learn;
mod model;
mod names;
mod parse;
mod query;
mod records;
mod resolve;
mod schema;
mod stats;
mod verify_answer;

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
    match args.command {
        Command::Demo => demo::run(global, progress, &Stop::on_ctrl_c()?),
        Command::Build(build) => build::run(&build, global, progress, &Stop::on_ctrl_c()?),
        Command::Add(change) => change::add(&change, global, progress, &Stop::on_ctrl_c()?),
        Command::Remove(remove) => change::remove(&remove, global, progress, &Stop::on_ctrl_c()?),
        Command::Dump(dump) => inspect::dump(&dump),
        Command::Communities(view) => communities::run(&view),
        Command::Export(picture) => export::run(&picture, progress),
        Command::Stats(stats) => stats::run(&stats),
        Command::Query(query) => query::run(&query, global, progress, &Stop::on_ctrl_c()?),
        Command::VerifyAnswer(answer) => verify_answer::run(&answer),
        Command::Parse(text) => parse::run(&text, global, progress),
        Command::Extract(Extract::Learn(args)) => learn::run(&args, progress, &Stop::on_ctrl_c()?),
        Command::Schema(Schema::Show(show)) => schema::show(&show),
        Command::Schema(Schema::Diff(diff)) => schema::diff(&diff),
        Command::Schema(Schema::Infer(infer)) => schema::infer(&infer, global, progress, &Stop::on_ctrl_c()?),
        Command::Schema(Schema::Accept(names)) => schema::accept(&names, global, progress, &Stop::on_ctrl_c()?),
        Command::Schema(Schema::Reject(names)) => schema::reject(&names, global, progress, &Stop::on_ctrl_c()?),
        Command::Records(Records::Induce(args)) => records::induce(&args, progress, &Stop::on_ctrl_c()?),
        Command::Records(Records::Fill(args)) => records::fill(&args, progress, &Stop::on_ctrl_c()?),
        Command::Records(Records::Preview(args)) => records::preview(&args, progress, &Stop::on_ctrl_c()?),
        Command::Records(Records::Ask(args)) => records::ask(&args, progress, &Stop::on_ctrl_c()?),
        Command::Resolve(Resolve::Log(log)) => resolve::log(&log),
        Command::Resolve(Resolve::Merge(pair)) => resolve::merge(&pair, global, progress, &Stop::on_ctrl_c()?),
        Command::Resolve(Resolve::Split(pair)) => resolve::split(&pair, global, progress, &Stop::on_ctrl_c()?),
        Command::Resolve(Resolve::Undo(undo)) => resolve::undo(&undo, global, progress, &Stop::on_ctrl_c()?),
        Command::Model(Model::Fetch) => model::fetch(global, progress),
        Command::Model(Model::Verify) => model::verify(global, progress),
        Command::Eval(args) => eval::run(&args, global, progress, &Stop::on_ctrl_c()?),
    }
}

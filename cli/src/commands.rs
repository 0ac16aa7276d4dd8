//! One file a command.

use crate::Outcome;
use crate::args::{Args, Command, Eval, Extract, Model, Records, Resolve, Schema};
use crate::progress::Progress;
use crate::stop::Stop;
pub(crate) use build::read_schema;

use anyhow::{Context, Result};

mod aggregate;
mod anonymize;
mod anonyrag;
mod answers;
mod build;
mod calibrate;
mod change;
mod choice;
mod communities;
mod community;
mod compare;
mod demo;
mod entities;
mod export;
mod extraction;
mod inspect;
mod leakage;
mod learn;
mod model;
mod multihop;
mod names;
mod parse;
mod query;
mod records;
mod relations;
mod resolve;
mod schema;
mod schema_change;
mod stats;
mod suite;
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
        Command::Calibrate(args) => calibrate::run(&args, global, progress, &Stop::on_ctrl_c()?),
        Command::VerifyAnswer(answer) => verify_answer::run(&answer),
        Command::Anonymize(args) => anonymize::run(&args, progress, &Stop::on_ctrl_c()?),
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
        Command::Eval(Eval::Run(args)) => suite::run(&args, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Compare(args)) => compare::run(&args),
        Command::Eval(Eval::SchemaChange(args)) => schema_change::run(&args, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Extraction(extraction)) => extraction::run(&extraction, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Multihop(multihop)) => multihop::run(&multihop, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Answers(sets)) => answers::run(&sets, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Aggregate(set)) => aggregate::run(&set, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Community(community)) => community::run(&community, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Router(set)) => choice::router(&set, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Structure(set)) => choice::structure(&set, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Anonyrag(set)) => anonyrag::run(&set, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Leakage(set)) => leakage::run(&set, global, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Entities(set)) => entities::run(&set, progress, &Stop::on_ctrl_c()?),
        Command::Eval(Eval::Relations(set)) => relations::run(&set, progress, &Stop::on_ctrl_c()?),
    }
}

//! The commands of `banyan-eval`.

use crate::args::{Args, Command, Run, Shown};
use crate::{aggregate, anonymise, community, extraction, facts, graph, measure, render};
use anyhow::{Context, Result};
use banyan::eval::report::{self, Report};
use banyan::eval::suite::{Running, Suite, hold_floors};
use banyan::eval::{Reading, anonyrag, question};
use banyan::{AskOptions, Environment, ExtractorKind, Stop};

pub(crate) fn run(args: Args) -> Result<()> {
    args.global
        .limit_threads()
        .context("cannot set the number of threads")?;
    let env = &args
        .global
        .environment(render::progress(args.global.quiet), Stop::default());
    let (name, work, args): (_, measure::Measurement, _) = match args.command {
        Command::Run(args) => return suite(&args, env),
        Command::Extraction(args) => return extraction::run(&args, env),
        Command::Facts(args) => return facts::run(&args, env),
        Command::Aggregate(args) => return aggregate::run(&args, env),
        Command::Community(args) => return community::run(&args, env),
        Command::Graph(args) => return graph::run(&args),
        Command::Anonymize(args) => return anonymise::run(&args, env),
        Command::Answers(args) => ("answers", measure::answers::measure, args),
        Command::Calibrate(args) => ("calibrate", measure::calibrate::measure, args),
        Command::Rank(args) => ("rank", measure::rank::measure, args),
        Command::Entities(args) => ("entities", measure::annotated::entities, args),
        Command::Relations(args) => ("relations", measure::annotated::relations, args),
        Command::Router(args) => ("router", measure::choice::router, args),
        Command::Structure(args) => ("structure", measure::choice::structure, args),
        Command::Leakage(args) => ("leakage", measure::leakage::measure, args),
    };
    show(&measure::run(name, work, &args, env)?, &args.shown)
}

/// Prints a report in the form that was asked for.
pub(crate) fn show(report: &Report, shown: &Shown) -> Result<()> {
    if shown.json {
        render::json(&report::Output::new(report))
    } else if shown.markdown {
        render::text(&report::markdown(report))
    } else {
        render::text(&report::text(report))
    }
}

fn suite(args: &Run, env: &Environment) -> Result<()> {
    let running = Running {
        kinds: &[question::KIND, anonyrag::KIND, aggregate::KIND],
        command: format!("banyan-eval run {}", args.suite.display()),
        only: &args.only,
        is_judged: args.judge,
        reading: Reading::general(ExtractorKind::Embedded)?,
        asking: AskOptions {
            reasoner: args.reasoner,
            ..AskOptions::default()
        },
        env,
    };
    let suite = Suite::read(&args.suite)?;
    let report = running.run(&suite)?;
    show(&report, &args.shown)?;
    hold_floors(&suite, &report)
}

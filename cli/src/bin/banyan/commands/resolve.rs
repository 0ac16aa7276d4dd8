//! `banyan resolve`: which names are one entity, and the user's say on it.

use crate::args::Resolve;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::{Banyan, Environment, Names, Verdict};

mod report;

pub(crate) use report::Report;

pub(crate) fn run(args: &Resolve, env: Environment) -> Result<Outcome> {
    match verdict(args) {
        Some(verdict) => decide(args, &verdict, env),
        None => log(args, &Banyan::open(&args.target.store, env)?),
    }
}

/// What is decided; `None` where the log is asked for.
pub(crate) fn verdict(args: &Resolve) -> Option<Verdict> {
    match (args.merge.as_deref(), args.split.as_deref()) {
        (Some([a, b]), _) => Some(Verdict::Merge(a.clone(), b.clone())),
        (_, Some([a, b])) => Some(Verdict::Split(a.clone(), b.clone())),
        _ => args.undo.then_some(Verdict::Undo),
    }
}

pub(crate) fn decide(args: &Resolve, verdict: &Verdict, env: Environment) -> Result<Outcome> {
    Banyan::open(&args.target.store, env)?.decide(verdict)?;
    Ok(Outcome::Done)
}

fn log(args: &Resolve, banyan: &Banyan) -> Result<Outcome> {
    let knowledge = banyan.knowledge()?;
    let wanted = match &args.name {
        Some(name) => Some(Names::new(knowledge).find(name, &args.target.store)?),
        None => None,
    };
    let report = Report::new(knowledge, wanted.as_deref());
    banyan.sound()?;
    render::report(&report, include_str!("../templates/resolve.txt"), args.json)
}

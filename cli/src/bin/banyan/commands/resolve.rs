//! `banyan resolve`: which names are one entity, and the user's say on it.

use crate::args::Resolve;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::{Banyan, Environment, Names, Verdict};

mod report;

pub(crate) fn run(args: &Resolve, env: Environment) -> Result<Outcome> {
    let mut banyan = Banyan::open(&args.target.store, env)?;
    let verdict = match (args.merge.as_deref(), args.split.as_deref()) {
        (Some([a, b]), _) => Verdict::Merge(a.clone(), b.clone()),
        (_, Some([a, b])) => Verdict::Split(a.clone(), b.clone()),
        _ if args.undo => Verdict::Undo,
        _ => return log(args, &banyan),
    };
    banyan.decide(&verdict)?;
    Ok(Outcome::Done)
}

fn log(args: &Resolve, banyan: &Banyan) -> Result<Outcome> {
    let knowledge = banyan.knowledge()?;
    let wanted = match &args.name {
        Some(name) => Some(Names::new(knowledge).find(name, &args.target.store)?),
        None => None,
    };
    let report = report::Report::new(knowledge, wanted.as_deref());
    banyan.sound()?;
    render::report(&report, include_str!("../templates/resolve.txt"), args.json)
}

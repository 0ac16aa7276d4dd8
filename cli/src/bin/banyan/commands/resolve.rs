//! `banyan resolve`: which names are one entity, and the user's say on it.

use crate::args::Resolve;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::{Banyan, Environment, Names, Verdict};

mod report;

pub(crate) fn run(args: &Resolve, env: Environment) -> Result<Outcome> {
    let mut banyan = Banyan::open(&args.target.store, env)?;
    let pair = |names: &[String]| (names[0].clone(), names[1].clone());
    let verdict = match (&args.merge, &args.split) {
        (Some(names), _) => {
            let (a, b) = pair(names);
            Verdict::Merge(a, b)
        }
        (_, Some(names)) => {
            let (a, b) = pair(names);
            Verdict::Split(a, b)
        }
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
    if args.json {
        render::json(&report)?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(Outcome::Done)
}

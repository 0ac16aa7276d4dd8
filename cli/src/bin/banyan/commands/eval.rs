//! `banyan eval`: questions with known answers, and how well they are answered beside what a user has for free.

use crate::args::Eval;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::Environment;
use banyan::eval::{evaluate, evidence};

pub(crate) fn run(args: &Eval, env: &Environment) -> Result<Outcome> {
    let options = args.options();
    if let Some(corpus) = evidence::folder(&args.data) {
        let report = evidence::evidence(&args.data, corpus, &options.k, env)?;
        if args.json {
            render::json(&report)?;
        } else {
            render::text(&report.to_string())?;
        }
        return Ok(Outcome::Done);
    }
    let evaluation = evaluate(&args.data, &options, env)?;
    if args.json {
        render::json(&evaluation)?;
    } else {
        render::text(&evaluation.to_string())?;
    }
    Ok(Outcome::Done)
}

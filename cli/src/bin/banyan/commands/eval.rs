//! `banyan eval`: questions with known answers, and how well they are answered beside what a user has for free.

use crate::args::Eval;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::Environment;
use banyan::eval::evaluate;

pub(crate) fn run(args: &Eval, env: &Environment) -> Result<Outcome> {
    let evaluation = evaluate(&args.data, &args.options(), env)?;
    if args.json {
        render::json(&evaluation)?;
    } else {
        render::text(&evaluation.to_string())?;
    }
    Ok(Outcome::Done)
}

//! `banyan eval`: questions with known answers, and how well they are answered beside what a user has for free.

use super::build::read_schema;
use crate::args::Eval;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::Environment;
use banyan::eval::suite::{Running, Suite, hold_floors};
use banyan::eval::{KINDS, Reading, evaluate, report};
use std::path::Path;

pub(crate) fn run(args: &Eval, env: &Environment) -> Result<Outcome> {
    if let Some([before, after]) = args.compare.as_deref() {
        let compared = report::compare::files(before, after)?;
        return render::report(&compared, include_str!("../templates/compare.txt"), args.json);
    }
    let data = args.data.as_deref().context("no suite and no directory is named")?;
    if data.is_file() {
        return suite(args, data, &Suite::read(data)?, env);
    }
    if data.join("key.json").is_file() {
        return suite(args, data, &Suite::of_directory(data)?, env);
    }
    render::show(&evaluate(data, &args.options(reading(args)?), env)?, args.json)
}

fn reading(args: &Eval) -> Result<Reading> {
    let reading = Reading::general(args.extractor.clone())?;
    Ok(match &args.schema {
        Some(file) => Reading {
            schema: read_schema(file)?,
            ..reading
        },
        None => reading,
    })
}

fn suite(args: &Eval, data: &Path, suite: &Suite, env: &Environment) -> Result<Outcome> {
    let running = Running {
        kinds: &KINDS,
        command: format!("banyan eval {}", data.display()),
        only: &args.only,
        is_judged: args.judge,
        reading: reading(args)?,
        asking: args.asking(),
        env,
    };
    let found = running.run(suite)?;
    if args.json {
        render::json(&report::Output::new(&found))?;
    } else if args.markdown {
        render::text(&report::markdown(&found))?;
    } else {
        render::text(&report::text(&found))?;
    }
    hold_floors(suite, &found)?;
    Ok(Outcome::Done)
}

//! `banyan-eval compare`: what became better and what broke between two reports.

use crate::args::Compare;
use crate::eval::suite::Report;
use crate::eval::suite::compare::compare;
use crate::render;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(crate) fn run(args: &Compare) -> Result<()> {
    let comparison = compare(&read(&args.before)?, &read(&args.after)?);
    if args.json {
        render::json(&comparison)?;
    } else {
        render::text(&comparison.to_string())?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<Report> {
    let place = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read"))?;
    let report = serde_json::from_str(&text);
    report
        .with_context(|| format!("{place}: expected a report, as `banyan-eval run --out DIR` writes it to report.json"))
}

//! `banyan-eval entities`: names and their types in tagged sentences, beside published systems.

use crate::args::Annotated;
use crate::eval::entities::{Report, Tagged, find, labels, parse, score};
use crate::eval::label::Labels;
use crate::eval::published::Comparator;
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Environment;
use banyan::cpu;
use banyan::parts::Watched;
use banyan_engine::Schema;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Extension of tagged files in a directory.
const EXTENSION: &str = "txt";

#[derive(Serialize)]
struct Output {
    #[serde(flatten)]
    report: Report,
    comparators: Vec<Comparator>,
}

pub(crate) fn run(args: &Annotated, env: &Environment) -> Result<()> {
    let files = files(&args.data, EXTENSION)?;
    let mut sentences: Vec<Tagged> = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
        sentences.extend(parse(&text).with_context(|| file.display().to_string())?);
    }
    let known = Labels::new(&labels(&sentences), &Schema::general()?);
    let bar = env.progress.bar("extracting", sentences.len());
    let before = cpu::time();
    let found = find(
        &sentences,
        &known,
        &Watched {
            bar: &bar,
            stop: &env.stop,
        },
    );
    let spent = cpu::time().saturating_sub(before);
    drop(bar);
    env.stop.check()?;
    let report = score(&sentences, &found?, files.len(), spent.as_secs_f64());
    if args.json {
        let comparators = report.comparators();
        render::json(&Output { report, comparators })?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(())
}

/// The file at `path`, or the files with this extension in the directory there, in the order of their names.
pub(crate) fn files(path: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let place = path.display();
    let found = fs::metadata(path).with_context(|| format!("{place}: cannot read"))?;
    if !found.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = entries.with_context(|| format!("{place}: cannot list"))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file() && file.extension().is_some_and(|found| found == extension));
    files.sort();
    if files.is_empty() {
        bail!("{place}: no files of kind {extension}; expected the files of one set");
    }
    Ok(files)
}

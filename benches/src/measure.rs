//! What `banyan-eval` measures beside questions and anonymised sets: each kind gives the parts of one report.

use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::Reading;
use banyan::eval::report::{Part, Report};
use banyan::eval::suite::{Bench, Entry, Suite};
use banyan::{AskOptions, Embedding, Environment, ExtractorKind};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) mod annotated;
pub(crate) mod answers;
pub(crate) mod calibrate;
pub(crate) mod choice;
pub(crate) mod leakage;
pub(crate) mod rank;

/// Measures sets of one kind, in the order in which they were named.
pub(crate) type Measurement = fn(&Measure, &Bench<'_>) -> Result<Vec<Part>>;

pub(crate) fn run(kind: &str, measure: Measurement, args: &Measure, env: &Environment) -> Result<Report> {
    let suite = Suite::alone(Entry::default());
    let embedding = Embedding::open(env)?;
    let reading = Reading::general(ExtractorKind::Embedded)?;
    let asking = AskOptions {
        reasoner: args.reasoner,
        ..AskOptions::default()
    };
    let bench = Bench {
        suite: &suite,
        embedding: &embedding,
        reading: &reading,
        asking: &asking,
        env,
    };
    let parts = measure(args, &bench)?;
    env.stop.check()?;
    Ok(Report {
        suite: kind.to_owned(),
        seed: suite.seed,
        command: format!("banyan-eval {kind}"),
        parts,
        ..Report::default()
    })
}

/// Where what is fitted is to be written, if that was asked for.
///
/// # Errors
/// When something is there.
fn free_place(args: &Measure) -> Result<Option<&Path>> {
    let file = args.fit.as_deref();
    if let Some(taken) = file.filter(|file| file.exists()) {
        bail!("{}: exists; expected a name that is not taken", taken.display());
    }
    Ok(file)
}

/// Writes what was fitted as JSON.
fn write_fitted(file: &Path, fitted: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(fitted).context("cannot encode JSON")?;
    fs::write(file, json + "\n").with_context(|| format!("cannot write {}", file.display()))
}

/// What a set is called: its file or directory.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A part without questions, for figures over a whole set.
fn part(path: &Path, n_documents: usize) -> Part {
    let mut part = Part {
        set: name(path),
        ..Part::default()
    };
    part.source.n_documents = n_documents;
    part
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

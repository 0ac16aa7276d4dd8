//! `banyan-eval relations`: facts between entities in annotated documents, beside published systems.

use super::entities::files;
use crate::args::Annotated;
use crate::eval::published::Comparator;
use crate::eval::relations::{Report, find, parse, parse_relations, score, vocabulary};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Environment;
use banyan::cpu;
use banyan::parts::Watched;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// The file beside the documents that names their relations.
const LABELS: &str = "relation_labels.json";

#[derive(Serialize)]
struct Output {
    #[serde(flatten)]
    report: Report,
    comparators: Vec<Comparator>,
}

pub(crate) fn run(args: &Annotated, env: &Environment) -> Result<()> {
    let mut files = files(&args.data, "json")?;
    files.retain(|file| file.file_name().is_some_and(|name| name != LABELS));
    let Some(first) = files.first() else {
        bail!(
            "{}: no documents; expected a .json file beside {LABELS}",
            args.data.display()
        );
    };
    let place = first.with_file_name(LABELS);
    let text = read(&place).context("the labels of the relations are missing; put them beside the documents")?;
    let relations = parse_relations(&text).with_context(|| place.display().to_string())?;
    let mut documents = Vec::new();
    for file in &files {
        documents.extend(parse(&read(file)?, &relations).with_context(|| file.display().to_string())?);
    }
    let (labels, vocabulary) = vocabulary(&documents, &relations)?;
    let bar = env.progress.bar("extracting", documents.len());
    let before = cpu::time();
    let found = find(
        &documents,
        &labels,
        &vocabulary,
        &Watched {
            bar: &bar,
            stop: &env.stop,
        },
    );
    let spent = cpu::time().saturating_sub(before);
    drop(bar);
    env.stop.check()?;
    let report = score(&documents, &found?, &relations, spent.as_secs_f64());
    if args.json {
        let comparators = report.comparators();
        render::json(&Output { report, comparators })?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))
}

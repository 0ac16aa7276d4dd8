//! `banyan-eval run`: every set of a suite, measured into one report.

use crate::args::Run;
use crate::eval::suite::{Figure, Part, Report, figures, markdown, page};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Bounds;
use banyan::Embedding;
use banyan::Environment;
use banyan::Statements;
use banyan::language::Spent;
use banyan_engine::Schema;
use file::Opened;
pub(crate) use file::{Content, Entry, Files, Suite};
use kept::Kept;
pub(crate) use multihop::{Task, measure, read};
use serde::Serialize;
use std::fs;
use std::path::Path;

mod anonymised;
mod file;
mod judged;
mod kept;
mod multihop;
mod records;

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    report: &'a Report,
    figures: Vec<Figure>,
}

pub(crate) fn run(args: &Run, env: &Environment) -> Result<()> {
    let suite = Suite::read(&args.suite)?;
    let entries = chosen(&suite, &args.only)?;
    let mut report = Report {
        suite: suite.name.clone(),
        seed: suite.seed,
        command: format!("banyan-eval run {}", args.suite.display()),
        ..Report::default()
    };
    let mut ready = Vec::new();
    for entry in entries {
        match entry.open(&args.suite)? {
            Ok(opened) => ready.push(opened),
            Err(reason) => report.skipped.push(reason),
        }
    }
    let kept = args.out.as_deref().map(Kept::open).transpose()?;
    let embedding = Embedding::open(env)?;
    let mut spent = Spent::default();
    for opened in &ready {
        env.stop.check()?;
        let key = opened.key(&suite, embedding.id())?;
        let known = match &kept {
            Some(kept) if !args.fresh => kept.part(&key)?,
            _ => None,
        };
        let mut part = if let Some(part) = known {
            env.progress
                .remark(&format!("{}: taken over from an earlier run", part.set));
            part
        } else {
            let command = format!("{} --only {}", report.command, shell(&opened.entry.name));
            part(opened, &suite, command, &embedding, env)?
        };
        if let Some(kept) = &kept {
            kept.keep(&key, &part)?;
        }
        if args.judging.judge {
            let out = args.out.as_deref().unwrap_or(Path::new(""));
            judged::add(&mut part, out, &mut spent, env)?;
        }
        report.parts.push(part);
    }
    show(args, &report)?;
    hold_floors(&suite, &report)?;
    Ok(())
}

/// A name as a shell takes it for one word.
fn shell(name: &str) -> String {
    let is_plain = |ch: char| ch.is_alphanumeric() || "-_.".contains(ch);
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', "'\\''"))
}

/// One set, measured in the way of its kind.
fn part(opened: &Opened<'_>, suite: &Suite, command: String, embedding: &Embedding, env: &Environment) -> Result<Part> {
    match &opened.content {
        Content::Questions(dataset) => {
            let task = Task {
                name: &opened.entry.name,
                questions: &dataset.questions,
                documents: read(opened, dataset, env)?,
                statements: Statements::embedded(),
                bounds: Bounds::strict(Schema::general()?),
                command,
                suite,
            };
            measure(task, embedding, env)
        }
        Content::Anonymised(items) => anonymised::measure(opened, items, suite, command, embedding, env),
        Content::Aggregate(pages) => records::measure(opened, pages, command, embedding, env),
    }
}

/// The sets to measure, at least one.
fn chosen<'a>(suite: &'a Suite, only: &[String]) -> Result<Vec<&'a Entry>> {
    if let Some(name) = only
        .iter()
        .find(|name| suite.sets.iter().all(|entry| entry.name != **name))
    {
        let names: Vec<&str> = suite.sets.iter().map(|entry| entry.name.as_str()).collect();
        bail!(
            "--only {name}: the suite has no such set; expected one of {}",
            names.join(", ")
        );
    }
    Ok(suite
        .sets
        .iter()
        .filter(|entry| only.is_empty() || only.contains(&entry.name))
        .collect())
}

fn show(args: &Run, report: &Report) -> Result<()> {
    let figures = report
        .parts
        .iter()
        .flat_map(|part| figures(part, report.seed))
        .collect();
    let output = Output { report, figures };
    if let Some(directory) = &args.out {
        let json = serde_json::to_string_pretty(&output).context("cannot encode JSON")?;
        write(&directory.join("report.json"), &json)?;
        write(&directory.join("report.html"), &page(report))?;
    }
    if args.json {
        render::json(&output)
    } else if args.markdown {
        render::text(&markdown(report))
    } else {
        render::text(&report.to_string())
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{}: cannot write", file.display()))
}

/// Refuses a report with a figure below what the suite demands of it.
fn hold_floors(suite: &Suite, report: &Report) -> Result<()> {
    let mut low = Vec::new();
    for part in &report.parts {
        let floors = suite
            .sets
            .iter()
            .filter(|entry| entry.name == part.set)
            .flat_map(|entry| &entry.floor);
        for (figure, floor) in floors {
            match value(part, figure, report.seed) {
                None => low.push(format!("{} has no figure `{figure}`", part.set)),
                Some(value) if value < *floor => {
                    low.push(format!(
                        "{} {figure} is {value:.3}; expected at least {floor}",
                        part.set
                    ));
                }
                Some(_) => {}
            }
        }
    }
    if !low.is_empty() {
        bail!("below the floors of the suite: {}", low.join("; "));
    }
    Ok(())
}

/// The mean of `method metric`.
fn value(part: &Part, figure: &str, seed: u64) -> Option<f64> {
    let (method, metric) = figure.rsplit_once(' ')?;
    let found = figures(part, seed)
        .into_iter()
        .find(|one| one.method == method && one.metric == metric);
    found.map(|one| one.value)
}

/// Six digits behind the point, which JSON gives back as they were.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

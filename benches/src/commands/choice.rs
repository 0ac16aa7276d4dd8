//! `banyan-eval router` and `banyan eval structure`: choices against labelled questions.

use crate::args::Choices;
use crate::eval::choice::Report;
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Embedding;
use banyan::Environment;
use banyan_retrieve::adaptive::{KnowledgeStructure, StructureChooser};
use banyan_retrieve::classify::{Classifier, Example};
use banyan_retrieve::router::{Method, Router};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A line of a labelled file.
#[derive(Deserialize)]
struct Line {
    question: String,
    method: Option<String>,
    structure: Option<String>,
}

/// What is chosen.
struct Kind {
    /// The field that holds the label.
    field: &'static str,
    /// What it may be.
    classes: Vec<&'static str>,
    label: fn(Line) -> Option<String>,
    /// The classifier that ships.
    shipped: Classifier,
}

pub(crate) fn router(args: &Choices, env: &Environment) -> Result<()> {
    let kind = Kind {
        field: "method",
        classes: Method::ALL.into_iter().map(Method::name).collect(),
        label: |line| line.method,
        shipped: Router::shipped()?.classifier().clone(),
    };
    run(&kind, args, env)
}

pub(crate) fn structure(args: &Choices, env: &Environment) -> Result<()> {
    let kind = Kind {
        field: "structure",
        classes: KnowledgeStructure::ALL
            .into_iter()
            .map(KnowledgeStructure::name)
            .collect(),
        label: |line| line.structure,
        shipped: StructureChooser::shipped()?.classifier().clone(),
    };
    run(&kind, args, env)
}

fn run(kind: &Kind, args: &Choices, env: &Environment) -> Result<()> {
    let mut examples = read(kind, &args.data)?;
    let embedding = Embedding::open(env)?;
    let texts: Vec<&str> = examples.iter().map(|example| example.text.as_str()).collect();
    let vectors = embedding.passages(&texts, env)?;
    if !vectors.is_empty() {
        for (row, example) in examples.iter_mut().enumerate() {
            example.vector = Some(vectors.row(row).to_vec());
        }
    }
    let embedder = embedding.id();
    let report = if args.cross_validate {
        Report::cross_validated(&examples, embedder)
    } else if let Some(file) = &args.fit {
        let fitted = Classifier::fit(&examples, embedder);
        fs::write(file, fitted.write()?).with_context(|| format!("cannot write {}", file.display()))?;
        Report::of("on what it was fitted to", &fitted, &examples, embedder)
    } else {
        Report::of("shipped", &kind.shipped, &examples, embedder)
    };
    if args.json {
        render::json(&report)?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(())
}

/// The questions of a file; any line that is none is named before work starts.
fn read(kind: &Kind, file: &Path) -> Result<Vec<Example>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut examples = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}, line {number}", file.display());
        let line: Line = serde_json::from_str(line).with_context(place)?;
        let text = line.question.clone();
        let class = (kind.label)(line).unwrap_or_default();
        if !kind.classes.contains(&class.as_str()) {
            let expected = kind.classes.join(", ");
            bail!("{}: {} {class:?}; expected one of {expected}", place(), kind.field);
        }
        examples.push(Example {
            text,
            vector: None,
            class,
        });
    }
    if examples.is_empty() {
        bail!(
            "{} has no questions; expected lines of {{\"question\", \"{}\"}}",
            file.display(),
            kind.field
        );
    }
    Ok(examples)
}

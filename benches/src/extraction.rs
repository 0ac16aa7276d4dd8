//! `banyan-eval extraction`: statements of single sentences under an ontology (`Text2KGBench`), beside published systems.

use crate::args::Extraction;
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Environment;
use banyan::cpu;
use banyan::eval::report::Part;
use banyan_extract::learn::{Example, Triple, general, learn, read_examples};
use banyan_extract::statement::{General, Reader, Relation, Statement};
use metric::score;
use ontology::Ontology;
use rayon::prelude::*;
use report::{Comparators, Figures, OntologyReport, Report};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

mod metric;
mod ontology;
mod report;

/// The file that makes a directory an ontology's.
const ONTOLOGY: &str = "ontology.json";

struct Set {
    ontology: Ontology,
    /// Empty where nothing is learned.
    train: Vec<Example>,
    test: Vec<Example>,
}

pub(crate) fn run(args: &Extraction, env: &Environment) -> Result<()> {
    let directories = directories(&args.data)?;
    let needs_train = args.learn || args.leave_one_out || args.fit.is_some();
    let sets: Vec<Set> = directories
        .iter()
        .map(|directory| Set::read(directory, needs_train))
        .collect::<Result<_>>()?;
    if args.leave_one_out && sets.len() < 2 {
        bail!(
            "{}: one ontology; --leave-one-out needs others to fit to",
            args.data.display()
        );
    }
    let shared = match &args.fit {
        Some(file) => fitted(&sets, file)?,
        None => General::built_in()?,
    };
    let bar = env.progress.bar("reading sentences", sets.len());
    let mut reports = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        env.stop.check()?;
        let own = args.leave_one_out.then(|| general(&all_but(&sets, Some(place))));
        reports.push(evaluate(set, own.as_ref().unwrap_or(&shared), args.learn));
        bar.step();
    }
    drop(bar);
    let reader = if args.learn { "examples" } else { "labels" };
    let reader = if args.leave_one_out {
        format!("{reader}, general weights fitted to the other ontologies,")
    } else {
        reader.to_owned()
    };
    let report = Report::new(reader, reports);
    if args.json {
        return render::json(&report);
    }
    let mean = format!("mean, read from {}", report.reader);
    let mut parts = vec![part(&mean, &report.figures, report.comparators)?];
    for one in &report.ontologies {
        parts.push(part(&one.name, &one.figures, one.comparators)?);
    }
    render::parts(parts)
}

/// Our figures, published F1 beside them.
fn part(name: &str, figures: &Figures, published: Option<Comparators>) -> Result<Part> {
    let mut part = Part {
        set: name.to_owned(),
        ..Part::default()
    };
    render::set_down(&mut part, "banyan", figures.sentences, figures)?;
    if let Some(published) = published {
        part.total("Vicuna-13B", "f1", figures.sentences, published.vicuna_13b);
        part.total("Alpaca-LoRA-13B", "f1", figures.sentences, published.alpaca_lora_13b);
    }
    Ok(part)
}

/// General weights of all sets, which the file holds afterwards.
fn fitted(sets: &[Set], file: &Path) -> Result<General> {
    let weights = general(&all_but(sets, None));
    let json = serde_json::to_string_pretty(&weights).context("weights as JSON")?;
    fs::write(file, json + "\n").with_context(|| format!("{}: cannot write", file.display()))?;
    Ok(weights)
}

/// Relations and training sentences of every set but one.
fn all_but(sets: &[Set], left_out: Option<usize>) -> Vec<(Vec<Relation>, Vec<Example>)> {
    let kept = sets.iter().enumerate().filter(|(place, _)| Some(*place) != left_out);
    kept.map(|(_, set)| (set.ontology.relations.clone(), set.train.clone()))
        .collect()
}

impl Set {
    fn read(directory: &Path, needs_train: bool) -> Result<Self> {
        let place = directory.join(ONTOLOGY);
        let ontology = Ontology::from_json(&read(&place)?).with_context(|| place.display().to_string())?;
        let train = if needs_train {
            examples(&directory.join("train.jsonl"))?
        } else {
            Vec::new()
        };
        Ok(Self {
            ontology,
            train,
            test: examples(&directory.join("ground_truth.jsonl"))?,
        })
    }
}

/// The directories at or below `data` that hold an ontology, in order of their paths.
fn directories(data: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![data.to_owned()]);
    while let Some(directory) = open.pop() {
        if directory.join(ONTOLOGY).is_file() {
            found.push(directory);
            continue;
        }
        let entries = fs::read_dir(&directory).with_context(|| format!("{}: cannot list", directory.display()))?;
        for entry in entries {
            let path = entry
                .with_context(|| format!("{}: cannot list", directory.display()))?
                .path();
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    if found.is_empty() {
        bail!(
            "{}: no ontology; expected a directory with {ONTOLOGY}, train.jsonl and ground_truth.jsonl, or one above such",
            data.display()
        );
    }
    found.sort();
    Ok(found)
}

fn evaluate(set: &Set, general: &General, is_taught: bool) -> OntologyReport {
    let Set { ontology, train, test } = set;
    let learned = is_taught.then(|| learn(&ontology.relations, train, general));
    let reader = Reader::new(&ontology.relations, general, learned.as_ref());
    let (cpu, wall) = (cpu::time(), Instant::now());
    let read: Vec<Vec<Statement>> = test.par_iter().map(|example| reader.read(&example.sentence)).collect();
    let spent = (cpu::time().saturating_sub(cpu), wall.elapsed());
    let concepts: Vec<&str> = ontology.concepts.iter().map(String::as_str).collect();
    let relations: Vec<&str> = ontology
        .relations
        .iter()
        .map(|relation| relation.label.as_str())
        .collect();
    let scores: Vec<_> = test
        .par_iter()
        .zip(&read)
        .map(|(example, said)| {
            let said: Vec<Triple> = said
                .iter()
                .filter_map(|statement| triple(statement, &relations))
                .collect();
            score(&example.sentence, &example.triples, &said, &concepts, &relations)
        })
        .collect();
    let figures = Figures::new(&scores, scores.len(), spent.0.as_secs_f64(), spent.1.as_secs_f64());
    OntologyReport::new(&ontology.id, figures)
}

fn triple(statement: &Statement, relations: &[&str]) -> Option<Triple> {
    Some(Triple {
        subject: statement.subject.clone(),
        relation: (*relations.get(statement.relation)?).to_owned(),
        object: statement.object.clone(),
    })
}

fn examples(file: &Path) -> Result<Vec<Example>> {
    read_examples(&read(file)?).with_context(|| file.display().to_string())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))
}

//! `banyan-eval answers`: how well questions are answered by weights that have not seen them; and the fit of what ships.

use crate::args::AnswerSets;
use crate::eval::answer_fit::Lesson;
use crate::eval::trial::{Report, Set, Trial};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Embedding;
use banyan::Environment;
use banyan::eval::multihop::gold;
use banyan::eval::{measured, questions};
use banyan_engine::{QaPair, name};
use banyan_retrieve::{Config, Searcher};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Passages of the evidence that answers are read from: as `eval multihop` ranks.
const TOP_K: usize = 30;
/// First line of a file of weights.
const HEADER: &str = "# Name of a feature, its weight in steps before the last, its weight in the last step. By `banyan-eval answers --fit`.";

/// What a question of a set may have besides what every question has.
#[derive(Deserialize)]
struct Steps {
    #[serde(default)]
    decomposition: Vec<Step>,
}

/// A step; its question is not used, since the program takes questions apart itself.
#[derive(Deserialize)]
struct Step {
    a: String,
}

/// Answers to a question of a set that comes without.
#[derive(Deserialize)]
struct Known {
    id: String,
    answers: Vec<String>,
}

/// A question as the file has it.
struct Asked {
    pair: QaPair,
    /// Answers of its steps, where the set tells them.
    steps: Vec<String>,
    /// What its gold passages are about.
    links: Vec<String>,
}

pub(crate) fn run(args: &AnswerSets, env: &Environment) -> Result<()> {
    let known = known(args.answers.as_deref())?;
    let embedding = Embedding::open(env)?;
    let mut opened: Vec<(String, Searcher, Vec<Asked>)> = Vec::new();
    for directory in &args.data {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut asked = read(&directory.join("questions.jsonl"), &known)?;
        if asked.is_empty() {
            bail!(
                "{}: no question has a known answer; expected `answers` in questions.jsonl, or --answers FILE",
                directory.display()
            );
        }
        let searcher = measured(&directory.join("corpus.jsonl"), &embedding, env)?;
        link(&searcher, &mut asked)?;
        opened.push((name, searcher, asked));
    }
    let mut sets: Vec<Set<'_>> = Vec::new();
    for (name, searcher, asked) in &opened {
        let lessons = asked.iter().map(|asked| lesson(searcher, asked, &embedding, env));
        sets.push(Set {
            name: name.clone(),
            lessons: lessons.collect::<Result<_>>()?,
        });
    }
    let trial = Trial::new(&sets);
    let mut rows = trial.shipped().rows;
    if args.cross_validate {
        rows.extend(trial.validated().rows);
    }
    if let Some(file) = &args.fit {
        let (fitted, report) = trial.fitted();
        rows.extend(report.rows);
        let write = |file: &Path, text: String| {
            fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
        };
        write(file, format!("{HEADER}\n{}", fitted.weights))?;
        let json = serde_json::to_string_pretty(&fitted.calibration).context("cannot encode JSON")?;
        write(&file.with_extension("calibration.json"), format!("{json}\n"))?;
    }
    let report = Report { rows };
    if args.json {
        render::json(&report)?;
    } else {
        render::text(report.to_string().trim_end())?;
    }
    Ok(())
}

/// Answers by the id of their question.
fn known(file: Option<&Path>) -> Result<BTreeMap<String, Vec<String>>> {
    let Some(file) = file else {
        return Ok(BTreeMap::new());
    };
    let text = questions::text(file)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let known: Known = serde_json::from_str(line).with_context(|| {
                format!(
                    "{} line {number}: expected an object with `id` and `answers`",
                    file.display()
                )
            })?;
            Ok((known.id, known.answers))
        })
        .collect()
}

/// The questions of a file that have answers, or get them.
fn read(file: &Path, known: &BTreeMap<String, Vec<String>>) -> Result<Vec<Asked>> {
    let pairs = questions::read(file)?;
    let text = questions::text(file)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut asked = Vec::new();
    for (mut pair, line) in pairs.into_iter().zip(lines) {
        if pair.answers.is_empty() {
            pair.answers = known.get(&pair.id).cloned().unwrap_or_default();
        }
        let Steps { decomposition } = serde_json::from_str(line).with_context(|| {
            format!(
                "{}: question {}: `decomposition` is a list of steps with `a`",
                file.display(),
                pair.id
            )
        })?;
        if !pair.answers.is_empty() {
            asked.push(Asked {
                pair,
                steps: decomposition.into_iter().map(|step| step.a).collect(),
                links: Vec::new(),
            });
        }
    }
    Ok(asked)
}

/// Notes what the steps before the last of each question may find: what its gold passages are about, and what the set tells
/// of steps, however it counts them.
fn link(searcher: &Searcher, asked: &mut [Asked]) -> Result<()> {
    let pairs: Vec<QaPair> = asked.iter().map(|asked| asked.pair.clone()).collect();
    for (asked, gold) in asked.iter_mut().zip(gold(searcher, &pairs)?) {
        let documents = gold.iter().map(|at| &searcher.knowledge().documents[*at].title);
        asked.links = documents
            .map(|title| name::without_disambiguator(title).unwrap_or(title).to_owned())
            .chain(asked.steps.iter().rev().skip(1).cloned())
            .collect();
    }
    Ok(())
}

/// A question with its evidence.
fn lesson<'a>(searcher: &'a Searcher, asked: &Asked, embedding: &Embedding, env: &Environment) -> Result<Lesson<'a>> {
    env.stop.check()?;
    let text = &asked.pair.question;
    let question = embedding.questions(&[text.as_str()])?.remove(0);
    let config = Config {
        top_k: TOP_K,
        ..Config::default()
    };
    Ok(Lesson {
        searcher,
        evidence: searcher.search(&question, &config),
        question,
        answers: asked.pair.answers.clone(),
        steps: asked.steps.clone(),
        links: asked.links.clone(),
    })
}

//! `banyan calibrate`: how sure an answer must be, learned from questions with known answers.

use crate::args::Calibrate;
use crate::eval::calibration::{Example, fit, held_back};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Embedding;
use banyan::Environment;
use banyan::eval::coverage::Coverage;
use banyan::eval::{measured, questions};
use banyan_retrieve::Config;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, answer_with};
use banyan_retrieve::calibration::{Calibration, SIGNALS, Signals};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Folds of the cross-validation.
const N_FOLDS: usize = 10;

#[derive(Serialize)]
struct Report {
    calibration: Calibration,
    /// Questions with known answers.
    questions: usize,
    /// Answers in the order of their probability by models that never saw them, ten folds over all questions.
    held_back: Coverage,
    /// The same with each set's probabilities from a model fitted to the other sets; none with one set.
    across_sets: Vec<Across>,
}

#[derive(Serialize)]
struct Across {
    set: String,
    #[serde(flatten)]
    coverage: Coverage,
}

pub(crate) fn run(args: &Calibrate, env: &Environment) -> Result<()> {
    let embedding = Embedding::open(env)?;
    let mut sets: Vec<(String, Vec<Example>)> = Vec::new();
    for directory in &args.data {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sets.push((name, examples(directory, &embedding, env)?));
    }
    let all: Vec<Example> = sets.iter().flat_map(|(_, examples)| examples.clone()).collect();
    let Some(held_back) = Coverage::new(&sure(&held_back(&all, N_FOLDS), &all)) else {
        bail!("no question has a known answer; expected `answers` in questions.jsonl");
    };
    let across = (0..sets.len()).filter(|_| sets.len() > 1);
    let report = Report {
        calibration: fit(&all, f64::from(args.coverage)),
        questions: all.len(),
        held_back,
        across_sets: across.filter_map(|left_out| across_sets(&sets, left_out)).collect(),
    };
    if let Some(file) = &args.out {
        write(file, &report.calibration)?;
    }
    if args.json {
        render::json(&report)?;
    } else {
        render::text(&report.text())?;
    }
    Ok(())
}

/// The signals of every answer of a set with whether it was right (exact match).
fn examples(directory: &Path, embedding: &Embedding, env: &Environment) -> Result<Vec<Example>> {
    let pairs = questions::read(&directory.join("questions.jsonl"))?;
    let searcher = measured(&directory.join("corpus.jsonl"), embedding, env)?;
    let mut examples = Vec::new();
    for pair in pairs.iter().filter(|pair| !pair.answers.is_empty()) {
        env.stop.check()?;
        let asked = embedding.questions(&[pair.question.as_str()])?;
        for question in asked {
            let evidence = searcher.search(&question, &Config::default());
            let found = answer_with(&searcher, &question, &evidence, &Weights::shipped(), &mut |_| {});
            let (em, _) = score(found.text.as_deref(), &pair.answers);
            examples.push((Signals::of(&searcher, &question, &evidence, &found), em));
        }
    }
    Ok(examples)
}

fn sure(probabilities: &[f64], examples: &[Example]) -> Vec<(f64, f64)> {
    let right = examples.iter().map(|(_, right)| *right);
    probabilities.iter().copied().zip(right).collect()
}

/// The curve of one set by a model fitted to all others.
fn across_sets(sets: &[(String, Vec<Example>)], left_out: usize) -> Option<Across> {
    let others = sets.iter().enumerate().filter(|(at, _)| *at != left_out);
    let others: Vec<Example> = others.flat_map(|(_, (_, examples))| examples.clone()).collect();
    let model = fit(&others, 0.5);
    let (set, examples) = sets.get(left_out)?;
    let probabilities: Vec<f64> = examples.iter().map(|(signals, _)| model.probability(signals)).collect();
    Some(Across {
        set: set.clone(),
        coverage: Coverage::new(&sure(&probabilities, examples))?,
    })
}

fn write(file: &Path, calibration: &Calibration) -> Result<()> {
    let place = file.display();
    let mut out = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .with_context(|| format!("{place}: cannot write; expected a name that is not taken"))?;
    let json = serde_json::to_string_pretty(calibration).context("cannot encode JSON")?;
    writeln!(out, "{json}").with_context(|| format!("{place}: cannot write"))
}

impl Report {
    fn text(&self) -> String {
        let Calibration {
            weights,
            bias,
            threshold,
        } = &self.calibration;
        let mut lines = vec![format!(
            "{} questions with known answers; accuracy is exact match",
            self.questions
        )];
        let weights = SIGNALS
            .iter()
            .zip(weights)
            .map(|(name, weight)| format!("{name} {weight:+.2}"));
        lines.push(format!(
            "weights: {}, bias {bias:+.2}",
            weights.collect::<Vec<_>>().join(", ")
        ));
        lines.push(format!("reject mode answers from a probability of {threshold:.3}"));
        lines.push(format!("{N_FOLDS} folds: {}", self.held_back));
        for Across { set, coverage } in &self.across_sets {
            lines.push(format!("{set} by the others: {coverage}"));
        }
        lines.join("\n")
    }
}

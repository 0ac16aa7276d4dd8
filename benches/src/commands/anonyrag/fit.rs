//! Fitting the weights of the options to several sets, and how they do on sets that they were not fitted to.

use super::asking::{Bench, name};
use crate::args::AnonyRag;
use crate::commands::anonymize::put;
use crate::eval::anony::logit::{Example, Weights};
use crate::eval::anony::{Gold, Item};
use crate::render;
use anyhow::{Result, ensure};
use banyan::Embedding;
use banyan::Environment;
use serde::Serialize;
use std::path::Path;

/// How a set is answered with weights fitted to all others.
#[derive(Serialize)]
struct Held {
    set: String,
    choices: usize,
    accuracy: f64,
}

/// Fits weights to the multiple choices of all sets and writes them to `out`.
pub(super) fn run(
    args: &AnonyRag,
    sets: &[Vec<Item>],
    out: &Path,
    embedding: &Embedding,
    env: &Environment,
) -> Result<()> {
    ensure!(!out.exists(), "{}: exists; expected a file to be made", out.display());
    let mut examples: Vec<Vec<Example>> = Vec::new();
    for (items, texts) in sets.iter().zip(&args.texts) {
        let bench = Bench::open(texts, embedding, env)?;
        examples.push(choices(items, &bench, embedding)?);
    }
    let held: Vec<Held> = (0..examples.len())
        .map(|held| {
            let rest = examples.iter().enumerate().filter(|(at, _)| *at != held);
            let rest: Vec<Example> = rest.flat_map(|(_, examples)| examples.iter().cloned()).collect();
            Held {
                set: name(args.qa[held].parent().unwrap_or(&args.qa[held])),
                choices: examples[held].len(),
                accuracy: Weights::fit(&rest).accuracy(&examples[held]),
            }
        })
        .collect();
    let all: Vec<Example> = examples.into_iter().flatten().collect();
    let weights = Weights::fit(&all);
    put(out, &weights.to_string())?;
    if args.asking.json {
        render::json(&held)?;
    } else {
        let line = |held: &Held| format!("{}: {:.3} of {} choices", held.set, held.accuracy, held.choices);
        let lines: Vec<String> = held.iter().map(line).collect();
        render::text(&format!(
            "fitted to the other sets, accuracy on\n{}\n{weights}",
            lines.join("\n")
        ))?;
    }
    Ok(())
}

fn choices(items: &[Item], bench: &Bench, embedding: &Embedding) -> Result<Vec<Example>> {
    let evidence = bench.evidence(items, embedding)?;
    let embedded = bench.embedded();
    let example = |(item, evidence)| {
        let item: &Item = item;
        let Gold::Letter(letter) = item.gold else { return None };
        Some(Example {
            options: embedded.features(item, evidence),
            right: item.options.iter().position(|option| option.0 == letter)?,
        })
    };
    Ok(items.iter().zip(&evidence).filter_map(example).collect())
}

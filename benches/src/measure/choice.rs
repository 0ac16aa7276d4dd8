//! Which method a question is sent to, and which structure it gets, against labelled questions.

use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::records::records;
use banyan::eval::report::{Asked, Part, Source};
use banyan::eval::suite::Bench;
use banyan_retrieve::adaptive::{self, KnowledgeStructure};
use banyan_retrieve::classify::{Classifier, Example};
use banyan_retrieve::router::{self, Method};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const N_FOLDS: usize = 5;

struct Choice {
    field: &'static str,
    classes: Vec<&'static str>,
    shipped: Classifier,
}

/// Which method questions are sent to.
pub(crate) fn router(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let choice = Choice {
        field: "method",
        classes: Method::ALL.into_iter().map(Method::name).collect(),
        shipped: router::shipped()?.clone(),
    };
    measure(&choice, args, bench)
}

/// Which knowledge structure questions get.
pub(crate) fn structure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let classes = KnowledgeStructure::ALL.into_iter().map(KnowledgeStructure::name);
    let choice = Choice {
        field: "structure",
        classes: classes.collect(),
        shipped: adaptive::classifier()?.clone(),
    };
    measure(&choice, args, bench)
}

fn measure(choice: &Choice, args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for file in &args.paths {
        let mut examples = read(choice, file)?;
        let texts: Vec<&str> = examples.iter().map(|example| example.text.as_str()).collect();
        let vectors = bench.embedding.passages(&texts, bench.env)?;
        if !vectors.is_empty() {
            for (row, example) in examples.iter_mut().enumerate() {
                example.vector = Some(vectors.row(row).to_vec());
            }
        }
        let embedder = bench.embedding.id();
        let mut part = part(file, &examples, embedder);
        mark(&mut part, "shipped", &examples, |_| &choice.shipped);
        if args.cross_validate {
            let fold = |held: usize| {
                let rest = examples.iter().enumerate().filter(|(at, _)| at % N_FOLDS != held);
                let rest: Vec<Example> = rest.map(|(_, example)| example.clone()).collect();
                Classifier::fit(&rest, embedder)
            };
            let folds: Vec<Classifier> = (0..N_FOLDS).map(fold).collect();
            mark(&mut part, "folds", &examples, |at| &folds[at % N_FOLDS]);
        }
        if let Some(file) = &args.fit {
            let fitted = Classifier::fit(&examples, embedder);
            fs::write(file, fitted.write()?).with_context(|| format!("cannot write {}", file.display()))?;
            mark(&mut part, "fitted", &examples, |_| &fitted);
        }
        parts.push(part);
    }
    Ok(parts)
}

fn part(file: &Path, examples: &[Example], embedder: &str) -> Part {
    let asked = |(at, example): (usize, &Example)| Asked {
        id: (at + 1).to_string(),
        text: example.text.clone(),
        accepted: vec![example.class.clone()],
        groups: vec![example.class.clone()],
    };
    Part {
        set: super::name(file),
        source: Source {
            embedder: embedder.to_owned(),
            ..Source::default()
        },
        questions: examples.iter().enumerate().map(asked).collect(),
        ..Part::default()
    }
}

/// Sets down what was chosen: accuracy question by question, and F1 of each class.
fn mark<'a>(part: &mut Part, method: &str, examples: &[Example], by: impl Fn(usize) -> &'a Classifier) {
    let embedder = part.source.embedder.clone();
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for (at, example) in examples.iter().enumerate() {
        let vector = example.vector.as_deref().map(|vector| (embedder.as_str(), vector));
        let chosen = by(at).choose(&example.text, vector).map(|choice| choice.class);
        let chosen = chosen.unwrap_or_default();
        part.score(method, "accuracy", at, f64::from(u8::from(chosen == example.class)));
        part.answer(method, Some(chosen.clone()), 1.0);
        pairs.push((&example.class, chosen));
    }
    let classes: BTreeSet<&str> = pairs.iter().map(|(class, _)| *class).collect();
    let mut sum = 0.0;
    for class in &classes {
        let labelled = pairs.iter().filter(|pair| pair.0 == *class).count();
        let chosen = pairs.iter().filter(|pair| pair.1 == *class).count();
        let both = pairs.iter().filter(|pair| pair.0 == *class && pair.1 == *class).count();
        let f1 = 2.0 * both as f64 / (labelled + chosen).max(1) as f64;
        part.total(method, &format!("f1 {class}"), labelled, f1);
        sum += f1;
    }
    part.total(method, "macro f1", classes.len(), sum / classes.len().max(1) as f64);
}

/// The questions of a file; any line that is none is named before work starts.
fn read(choice: &Choice, file: &Path) -> Result<Vec<Example>> {
    let expected = format!("an object with `question` and `{}`", choice.field);
    let mut examples = Vec::new();
    for (at, line) in records::<BTreeMap<String, Value>>(file, &expected)? {
        let field = |name: &str| {
            let text = line.get(name).and_then(Value::as_str).map(str::to_owned);
            text.with_context(|| format!("{}: {at}: expected {expected}", file.display()))
        };
        let (text, class) = (field("question")?, field(choice.field)?);
        if !choice.classes.contains(&class.as_str()) {
            let (place, classes) = (file.display(), choice.classes.join(", "));
            bail!("{place}: {at}: {} {class:?}; expected one of {classes}", choice.field);
        }
        examples.push(Example {
            text,
            vector: None,
            class,
        });
    }
    Ok(examples)
}

//! One set of aggregative questions, asked of every system.

use super::file::Opened;
use crate::commands::aggregate::Pages;
use crate::eval::aggregate::{AggregateQuestion, Given, Report};
use crate::eval::suite::{Asked, Cost, Method as Made, Part, Source};
use anyhow::Result;
use banyan::Embedding;
use banyan::Environment;
use banyan::ReadOptions;
use banyan::{corpus, cpu};
use std::collections::BTreeMap;

/// The systems that the others are compared with: answers from the nearest chunks, else from induced columns.
const BASELINES: [&str; 2] = [NEAREST, "induced_schema"];
/// What the report of records calls its baseline, and what a suite does.
const BASELINE: &str = "baseline";
const NEAREST: &str = "nearest_chunks";

/// Fills tables from the set's pages and asks its questions of every system.
pub(super) fn measure(
    opened: &Opened<'_>,
    pages: &Pages,
    command: String,
    embedding: &Embedding,
    env: &Environment,
) -> Result<Part> {
    let is_fresh = cpu::reset_peak();
    let before = cpu::time();
    let documents = corpus::read(opened.corpus.as_slice(), &ReadOptions::default(), env)?;
    let report = pages.report(&documents, false, embedding, env)?;
    let methods = methods(&report);
    let baseline = BASELINES.into_iter().find(|name| methods.contains_key(*name));
    Ok(Part {
        set: opened.entry.name.clone(),
        source: Source {
            command,
            store: String::new(),
            embedder: embedding.id().to_owned(),
            n_documents: documents.len(),
        },
        questions: pages.questions.iter().map(asked).collect(),
        methods,
        baseline: baseline.unwrap_or_default().to_owned(),
        spreads: BTreeMap::new(),
        cost: Cost {
            build_cpu_seconds: super::rounded(cpu::time().saturating_sub(before).as_secs_f64()),
            peak_mb: cpu::peak_mb().filter(|_| is_fresh),
            ..Cost::default()
        },
    })
}

fn asked(question: &AggregateQuestion) -> Asked {
    Asked {
        id: question.id.clone(),
        text: question.question.clone(),
        accepted: vec![question.answer.clone()],
        groups: Some(question.kind.clone())
            .filter(|kind| !kind.is_empty())
            .into_iter()
            .collect(),
    }
}

/// What each system made of each question: whether it matches, how much of it is there, and whether there is an answer.
fn methods(report: &Report) -> BTreeMap<String, Made> {
    let of = |name: &String| {
        let given: Vec<_> = report
            .questions
            .iter()
            .map(|one: &Given| one.answers.get(name))
            .collect();
        let values = |value: fn(&crate::eval::aggregate::Scored) -> f64| -> Vec<Option<f64>> {
            given.iter().map(|one| one.map(value)).collect()
        };
        let scores = BTreeMap::from([
            ("match".to_owned(), values(|one| f64::from(u8::from(one.is_match)))),
            ("parts".to_owned(), values(|one| super::rounded(one.recall))),
            (
                "answered".to_owned(),
                values(|one| f64::from(u8::from(one.refusal.is_none()))),
            ),
        ]);
        let answers = given.iter().map(|one| one.and_then(|one| one.answer.clone())).collect();
        Made {
            scores,
            answers,
            confidence: Vec::new(),
        }
    };
    let called = |name: &String| {
        if name == BASELINE {
            NEAREST.to_owned()
        } else {
            name.clone()
        }
    };
    report.systems.keys().map(|name| (called(name), of(name))).collect()
}

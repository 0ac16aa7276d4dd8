//! Short answers on questions that the reader has not seen: weights fitted to some questions, tried on others.

use crate::answer_fit::{Lesson, learn};
use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::Built;
use banyan::eval::coverage::Coverage;
use banyan::eval::dataset::{self, QaPair};
use banyan::eval::ranking::gold;
use banyan::eval::records::records;
use banyan::eval::report::{Asked as Question, Part};
use banyan::eval::suite::Bench;
use banyan_engine::name;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, consider};
use banyan_retrieve::calibration::{Calibration, signals};
use banyan_retrieve::{Config, Searcher};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const N_FOLDS: usize = 5;
/// Passages of the evidence that answers are read from: as `banyan eval` ranks.
const TOP_K: usize = 30;
/// First line of a file of weights.
const HEADER: &str = "# Name of a feature, its weight in steps before the last, its weight in the last step. By `banyan-eval answers --fit`.";
/// Surest shares of the questions whose accuracy is told.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];

/// Answers to a question of a set that comes without.
#[derive(Deserialize)]
struct Known {
    id: String,
    answers: Vec<String>,
}

struct Opened {
    part: Part,
    searcher: Searcher,
    pairs: Vec<QaPair>,
}

/// One question answered.
struct Mark<'a> {
    lesson: &'a Lesson<'a>,
    answer: Option<String>,
    /// How sure it is, by the calibration that ships.
    sure: f64,
    em: f64,
    f1: f64,
}

/// Answers by the weights that ship, with `--cross-validate` also by weights fitted to other questions (by folds, and
/// with several sets by set), with `--fit` also by weights fitted to all, which are written.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let sets = open(args, bench)?;
    let lessons = lessons(&sets, bench)?;
    let mut parts: Vec<Part> = sets.iter().map(|set| set.part.clone()).collect();
    let shipped = Weights::shipped();
    set_down(&mut parts, "shipped", &marks(&lessons, |_| &shipped)?);
    if args.cross_validate {
        set_down(&mut parts, "folds", &held_back(&lessons, N_FOLDS, fold)?);
        if sets.len() > 1 {
            set_down(
                &mut parts,
                "other sets",
                &held_back(&lessons, sets.len(), |lesson| lesson.set)?,
            );
        }
    }
    if let Some(file) = &args.fit {
        let weights = learn(&lessons.iter().collect::<Vec<_>>());
        set_down(&mut parts, "fitted", &marks(&lessons, |_| &weights)?);
        write(file, &format!("{HEADER}\n{weights}"))?;
    }
    Ok(parts)
}

fn fold(lesson: &Lesson<'_>) -> usize {
    lesson.at % N_FOLDS
}

fn open(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Opened>> {
    let known = match &args.answers {
        Some(file) => records::<Known>(file, "an object with `id` and `answers`")?,
        None => Vec::new(),
    };
    let known: BTreeMap<String, Vec<String>> = known.into_iter().map(|(_, one)| (one.id, one.answers)).collect();
    let mut sets = Vec::new();
    for directory in &args.paths {
        let mut pairs = dataset::read(&directory.join("questions.jsonl"))?.questions;
        for pair in pairs.iter_mut().filter(|pair| pair.answers.is_empty()) {
            pair.answers = known.get(&pair.id).cloned().unwrap_or_default();
        }
        pairs.retain(|pair| !pair.answers.is_empty());
        if pairs.is_empty() {
            bail!(
                "{}: no question has a known answer; expected `answers` in questions.jsonl, or --answers FILE",
                directory.display()
            );
        }
        let asked = |pair: &QaPair| Question {
            id: pair.id.clone(),
            text: pair.question.clone(),
            accepted: pair.answers.clone(),
            groups: Vec::new(),
        };
        let part = Part {
            questions: pairs.iter().map(asked).collect(),
            baseline: "shipped".to_owned(),
            ..super::part(directory, 0)
        };
        let corpus = directory.join("corpus.jsonl");
        sets.push(Opened {
            part,
            searcher: Built::of(&corpus, bench)?.searcher,
            pairs,
        });
    }
    Ok(sets)
}

/// Every question with its evidence, and what the steps before the last may find: what its gold passages are about, and
/// what the set tells of steps, however it counts them.
fn lessons<'a>(sets: &'a [Opened], bench: &Bench<'_>) -> Result<Vec<Lesson<'a>>> {
    let config = Config {
        top_k: TOP_K,
        ..Config::default()
    };
    let mut lessons = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let documents = &set.searcher.knowledge().documents;
        let gold = gold(&set.searcher, &set.pairs)?;
        for (place, (pair, gold)) in set.pairs.iter().zip(gold).enumerate() {
            bench.env.stop.check()?;
            let titles = gold.iter().map(|document| &documents.get(*document).title);
            let links = titles.map(|title| name::without_disambiguator(title).unwrap_or(title).to_owned());
            let question = bench.embedding.questions(&[pair.question.as_str()])?.remove(0);
            lessons.push(Lesson {
                at: lessons.len(),
                set: number,
                place,
                searcher: &set.searcher,
                evidence: set.searcher.search(&question, &config),
                question,
                pair,
                links: links.chain(pair.steps.iter().rev().skip(1).cloned()).collect(),
            });
        }
    }
    Ok(lessons)
}

/// Sets down answers, and how well their probability orders them: accuracy of the surest, and what area under risk the
/// order saves.
fn set_down(parts: &mut [Part], method: &str, marks: &[Mark<'_>]) {
    for (number, part) in parts.iter_mut().enumerate() {
        let own: Vec<&Mark<'_>> = marks.iter().filter(|mark| mark.lesson.set == number).collect();
        for mark in &own {
            part.score(method, "em", mark.lesson.place, mark.em);
            part.score(method, "f1", mark.lesson.place, mark.f1);
            part.answer(method, mark.answer.clone(), mark.sure);
        }
        let answers: Vec<(f64, f64)> = own.iter().map(|mark| (mark.sure, mark.em)).collect();
        if let Some(coverage) = Coverage::new(&answers) {
            for share in SHARES {
                let metric = format!("em of the surest {:.0} %", 100.0 * share);
                part.total(method, &metric, own.len(), coverage.accuracy(share));
            }
            part.total(method, "1 - area under risk", own.len(), 1.0 - coverage.aurc);
        }
    }
}

/// Answers to the questions of each of `n` groups by weights fitted to all other groups.
fn held_back<'a>(lessons: &'a [Lesson<'a>], n: usize, group: fn(&Lesson<'_>) -> usize) -> Result<Vec<Mark<'a>>> {
    let others = |held| {
        lessons
            .iter()
            .filter(|lesson| group(lesson) != held)
            .collect::<Vec<_>>()
    };
    let weights: Vec<Weights> = (0..n).map(|held| learn(&others(held))).collect();
    marks(lessons, |lesson| &weights[group(lesson)])
}

/// Asks every question with the weights for it.
fn marks<'a, 'w>(
    lessons: &'a [Lesson<'a>],
    weights: impl Fn(&Lesson<'_>) -> &'w Weights + Sync,
) -> Result<Vec<Mark<'a>>> {
    let calibration = Calibration::default();
    let mark = |lesson: &'a Lesson<'a>| {
        let (searcher, question, evidence) = (lesson.searcher, &lesson.question, &lesson.evidence);
        let by = (weights(lesson), &calibration);
        let found = consider(searcher, question, evidence, by, None, &mut |_| {})?;
        let (em, f1) = score(found.answer.text.as_deref(), &lesson.pair.answers);
        Ok(Mark {
            lesson,
            sure: calibration.short.probability(&signals(searcher, &found)),
            answer: found.answer.text,
            em,
            f1,
        })
    };
    lessons.par_iter().map(mark).collect()
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

//! Answers on questions that the answerer has not seen: weights and calibration fitted to some questions, tried on others.

use crate::answer_fit::{Examples, Lesson, learn};
use crate::args::Measure;
use crate::calibration::{self, Example};
use anyhow::{Context, Result, bail};
use banyan::eval::coverage::Coverage;
use banyan::eval::dataset::{self, QaPair};
use banyan::eval::measured;
use banyan::eval::ranking::gold;
use banyan::eval::records::records;
use banyan::eval::report::{Asked as Question, Part};
use banyan::eval::suite::Bench;
use banyan_engine::name;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, answer_with};
use banyan_retrieve::calibration::{Calibration, Signals};
use banyan_retrieve::{Config, Searcher};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folds of the cross-validation over all questions.
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

/// A set of questions with known answers, opened.
struct Opened {
    name: String,
    searcher: Searcher,
    pairs: Vec<QaPair>,
}

/// One question answered.
struct Mark {
    /// Position of its set, and of the question in it.
    place: (usize, usize),
    answer: Option<String>,
    signals: Signals,
    em: f64,
    f1: f64,
}

/// Answers by the weights that ship, with `--cross-validate` also by weights fitted to other questions (by folds, and with
/// several sets by set), with `--fit` also by weights fitted to all, which are written.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    let sets = open(args, bench)?;
    let lessons = lessons(&sets, bench)?;
    let trial = Trial::new(&lessons);
    let mut parts = parts(&sets);
    let marks = trial.all(&Weights::shipped());
    let shipped = Calibration::default();
    set_down(&mut parts, "shipped", &marks, |mark| shipped.probability(&mark.signals));
    if !args.cross_validate && args.fit.is_none() {
        return Ok(parts);
    }
    // A calibration is fitted to answers that were held back themselves, else it would trust its own weights too much.
    let folds = trial.held_back(N_FOLDS, &|at| at % N_FOLDS);
    if args.cross_validate {
        mark_folds(&mut parts, "folds", &folds, args.coverage);
        if sets.len() > 1 {
            let by_set = trial.held_back(sets.len(), &|at| lessons[at].0.0);
            let models: Vec<Calibration> = (0..sets.len())
                .map(|held| calibrated(&folds, args.coverage, |_, mark| mark.place.0 != held))
                .collect();
            set_down(&mut parts, "other sets", &by_set, |mark| {
                models[mark.place.0].probability(&mark.signals)
            });
        }
    }
    if let Some(file) = &args.fit {
        let weights = trial.learn(|_| true);
        let fitted = calibrated(&folds, args.coverage, |_, _| true);
        let marks = trial.all(&weights);
        set_down(&mut parts, "fitted", &marks, |mark| fitted.probability(&mark.signals));
        write(file, &format!("{HEADER}\n{weights}"))?;
        write_calibration(&file.with_extension("calibration.json"), &fitted)?;
    }
    Ok(parts)
}

/// How sure answers are by calibrations fitted to other questions; with `--fit` the calibration for all is written.
pub(crate) fn calibrate(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    if let Some(file) = args.fit.as_ref().filter(|file| file.exists()) {
        bail!("{}: exists; expected a name that is not taken", file.display());
    }
    let sets = open(args, bench)?;
    let lessons = lessons(&sets, bench)?;
    let marks = Trial::new(&lessons).all(&Weights::shipped());
    let mut parts = parts(&sets);
    mark_folds(&mut parts, "folds", &marks, args.coverage);
    if let Some(file) = &args.fit {
        write_calibration(file, &calibrated(&marks, args.coverage, |_, _| true))?;
    }
    Ok(parts)
}

/// Sets down answers with their probabilities by a calibration that is fitted to the other folds.
fn mark_folds(parts: &mut [Part], method: &str, marks: &[Mark], coverage: f64) {
    let models: Vec<Calibration> = (0..N_FOLDS)
        .map(|fold| calibrated(marks, coverage, |at, _| at % N_FOLDS != fold))
        .collect();
    let sure: BTreeMap<(usize, usize), f64> = (marks.iter().enumerate())
        .map(|(at, mark)| (mark.place, models[at % N_FOLDS].probability(&mark.signals)))
        .collect();
    set_down(parts, method, marks, |mark| {
        sure.get(&mark.place).copied().unwrap_or(0.0)
    });
}

fn open(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Opened>> {
    let known = known(args.answers.as_deref())?;
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
        let corpus = directory.join("corpus.jsonl");
        sets.push(Opened {
            name: super::name(directory),
            searcher: measured(&corpus, bench.embedding, bench.env)?,
            pairs,
        });
    }
    Ok(sets)
}

/// Answers by the id of their question.
fn known(file: Option<&Path>) -> Result<BTreeMap<String, Vec<String>>> {
    let Some(file) = file else {
        return Ok(BTreeMap::new());
    };
    let known = records::<Known>(file, "an object with `id` and `answers`")?;
    Ok(known.into_iter().map(|(_, known)| (known.id, known.answers)).collect())
}

/// A question with its evidence, by its place.
type Placed<'a> = ((usize, usize), Lesson<'a>);

/// Every question with its evidence, and what the steps before the last may find: what its gold passages are about, and what
/// the set tells of steps, however it counts them.
fn lessons<'a>(sets: &'a [Opened], bench: &Bench<'_>) -> Result<Vec<Placed<'a>>> {
    let config = Config {
        top_k: TOP_K,
        ..Config::default()
    };
    let mut lessons = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let documents = &set.searcher.knowledge().documents;
        let gold = gold(&set.searcher, &set.pairs)?;
        for (at, (pair, gold)) in set.pairs.iter().zip(gold).enumerate() {
            bench.env.stop.check()?;
            let titles = gold.iter().map(|document| &documents[*document].title);
            let links = titles.map(|title| name::without_disambiguator(title).unwrap_or(title).to_owned());
            let question = bench.embedding.questions(&[pair.question.as_str()])?.remove(0);
            let lesson = Lesson {
                searcher: &set.searcher,
                evidence: set.searcher.search(&question, &config),
                question,
                answers: pair.answers.clone(),
                links: links.chain(pair.steps.iter().rev().skip(1).cloned()).collect(),
                steps: pair.steps.clone(),
            };
            lessons.push(((number, at), lesson));
        }
    }
    Ok(lessons)
}

fn parts(sets: &[Opened]) -> Vec<Part> {
    let asked = |pair: &QaPair| Question {
        id: pair.id.clone(),
        text: pair.question.clone(),
        accepted: pair.answers.clone(),
        groups: Vec::new(),
    };
    let part = |set: &Opened| Part {
        set: set.name.clone(),
        questions: set.pairs.iter().map(asked).collect(),
        baseline: "shipped".to_owned(),
        ..Part::default()
    };
    sets.iter().map(part).collect()
}

/// Sets down answers, and how well their probability orders them: accuracy of the surest, and what area under risk the order
/// saves.
fn set_down(parts: &mut [Part], method: &str, marks: &[Mark], sure: impl Fn(&Mark) -> f64) {
    for (number, part) in parts.iter_mut().enumerate() {
        let own: Vec<&Mark> = marks.iter().filter(|mark| mark.place.0 == number).collect();
        for mark in &own {
            part.score(method, "em", mark.place.1, mark.em);
            part.score(method, "f1", mark.place.1, mark.f1);
            part.answer(method, mark.answer.clone(), sure(mark));
        }
        let answers: Vec<(f64, f64)> = own.iter().map(|mark| (sure(mark), mark.em)).collect();
        if let Some(coverage) = Coverage::new(&answers) {
            for share in SHARES {
                let metric = format!("em of the surest {:.0} %", 100.0 * share);
                part.total(method, &metric, own.len(), coverage.accuracy(share));
            }
            part.total(method, "1 - area under risk", own.len(), 1.0 - coverage.aurc);
        }
    }
}

/// All questions of some sets, with what is the same whatever they are divided into.
struct Trial<'a> {
    lessons: &'a [Placed<'a>],
    first: Examples,
}

impl<'a> Trial<'a> {
    /// Lines up the questions of the sets. Cost O(words of the passages read).
    fn new(lessons: &'a [Placed<'a>]) -> Self {
        let all: Vec<&Lesson<'_>> = lessons.iter().map(|(_, lesson)| lesson).collect();
        Self {
            first: Examples::new(&all, &Weights::start()),
            lessons,
        }
    }

    /// Weights for the questions that `is_seen` admits by their positions.
    fn learn(&self, is_seen: impl Fn(usize) -> bool) -> Weights {
        let seen: Vec<usize> = (0..self.lessons.len()).filter(|at| is_seen(*at)).collect();
        let lessons: Vec<&Lesson<'_>> = seen.iter().map(|at| &self.lessons[*at].1).collect();
        learn(&lessons, &self.first.only(&seen))
    }

    /// Answers to the questions of each of `n` groups by weights fitted to all other groups.
    fn held_back(&self, n: usize, group_of: &(dyn Fn(usize) -> usize + Sync)) -> Vec<Mark> {
        let weights: Vec<Weights> = (0..n).map(|group| self.learn(|at| group_of(at) != group)).collect();
        let marked = self.lessons.par_iter().enumerate();
        marked
            .map(|(at, lesson)| mark(lesson, &weights[group_of(at)]))
            .collect()
    }

    fn all(&self, weights: &Weights) -> Vec<Mark> {
        self.lessons.par_iter().map(|lesson| mark(lesson, weights)).collect()
    }
}

/// Asks a question with these weights.
fn mark((place, lesson): &Placed<'_>, weights: &Weights) -> Mark {
    let Lesson {
        searcher,
        question,
        evidence,
        ..
    } = lesson;
    let found = answer_with(searcher, question, evidence, weights, &mut |_| {});
    let (em, f1) = score(found.text.as_deref(), &lesson.answers);
    Mark {
        place: *place,
        signals: Signals::of(searcher, question, evidence, &found),
        answer: found.text,
        em,
        f1,
    }
}

fn calibrated(marks: &[Mark], coverage: f64, is_seen: impl Fn(usize, &Mark) -> bool) -> Calibration {
    let seen = marks.iter().enumerate().filter(|(at, mark)| is_seen(*at, mark));
    let examples: Vec<Example> = seen.map(|(_, mark)| (mark.signals, mark.em)).collect();
    calibration::fit(&examples, coverage)
}

fn write_calibration(file: &Path, calibration: &Calibration) -> Result<()> {
    let json = serde_json::to_string_pretty(calibration).context("cannot encode JSON")?;
    write(file, &format!("{json}\n"))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

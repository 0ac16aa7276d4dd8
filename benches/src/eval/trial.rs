//! Answers on questions that the answerer has not seen: weights and calibration fitted to some questions, tried on others.

use super::answer_fit::{Examples, Lesson, learn};
use super::calibration::{Example, fit as fit_calibration};
use banyan::eval::coverage::Coverage;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, answer_with};
use banyan_retrieve::calibration::{Calibration, Signals};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::sync::OnceLock;

/// Folds of the cross-validation over all questions.
const N_FOLDS: usize = 5;

/// Share of the questions that reject mode answers with the calibration that is fitted. Arbitrary: it refuses the least sure
/// tenth.
const COVERAGE: f64 = 0.9;

/// A set of questions with known answers, ready to be asked.
pub struct Set<'a> {
    /// Its name.
    pub name: String,
    /// Its questions.
    pub lessons: Vec<Lesson<'a>>,
}

/// One question answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What was said.
    pub answer: Option<String>,
    /// What speaks for it.
    pub signals: Signals,
    /// Exact match, 0 or 1.
    pub em: f64,
    /// Token F1, 0..=1.
    pub f1: f64,
}

impl Mark {
    /// Asks a question with these weights.
    pub fn of(lesson: &Lesson<'_>, weights: &Weights) -> Self {
        let Lesson {
            searcher,
            question,
            evidence,
            ..
        } = lesson;
        let found = answer_with(searcher, question, evidence, weights, &mut |_| {});
        let (em, f1) = score(found.text.as_deref(), &lesson.answers);
        Self {
            signals: Signals::of(searcher, question, evidence, &found),
            answer: found.text,
            em,
            f1,
        }
    }
}

/// How questions were divided into those fitted to and those tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// The weights that ship; they were fitted to these very questions where the sets are those of the development.
    Shipped,
    /// Fitted to all and tried on the same.
    Fitted,
    /// Each fifth by weights fitted to the other four.
    Folds,
    /// Each set by weights fitted to the other sets.
    WithoutSet,
}

impl Division {
    fn name(self) -> &'static str {
        match self {
            Self::Shipped => "weights that ship",
            Self::Fitted => "fitted to the same questions",
            Self::Folds => "each fifth by the other four",
            Self::WithoutSet => "each set by the others",
        }
    }
}

/// The figures of one set under one division.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Name of the set.
    pub set: String,
    /// How it was divided.
    pub division: Division,
    /// Questions.
    pub questions: usize,
    /// Mean exact match.
    pub em: f64,
    /// Mean token F1.
    pub f1: f64,
    /// Accuracy is exact match, confidence by a calibration fitted to what the weights were fitted to.
    pub coverage: Option<Coverage>,
}

/// Figures by set and division, and what was fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// By division, then by set.
    pub rows: Vec<Row>,
}

/// What fitting to all questions gives.
pub struct Fitted {
    /// Weights of the answerer.
    pub weights: Weights,
    /// Calibration on answers to questions that the weights behind them had not seen.
    pub calibration: Calibration,
}

/// All questions of some sets, with what is the same whatever they are divided into.
pub struct Trial<'a> {
    sets: &'a [Set<'a>],
    lessons: Vec<&'a Lesson<'a>>,
    /// Position of the set of each lesson.
    set_of: Vec<usize>,
    first: Examples,
    /// Answers to each fifth by weights fitted to the other four, once they were asked for.
    folds: OnceLock<Vec<Mark>>,
}

impl<'a> Trial<'a> {
    /// Lines up the questions of the sets. Cost O(words of the passages read).
    pub fn new(sets: &'a [Set<'a>]) -> Self {
        let lessons: Vec<&Lesson<'_>> = sets.iter().flat_map(|set| &set.lessons).collect();
        let sizes = sets.iter().enumerate();
        Self {
            sets,
            set_of: sizes.flat_map(|(at, set)| vec![at; set.lessons.len()]).collect(),
            first: Examples::new(&lessons, &Weights::start()),
            lessons,
            folds: OnceLock::new(),
        }
    }

    /// Weights for the questions that `is_seen` admits by their positions.
    fn learn(&self, is_seen: impl Fn(usize) -> bool) -> Weights {
        let seen: Vec<usize> = (0..self.lessons.len()).filter(|at| is_seen(*at)).collect();
        let lessons: Vec<&Lesson<'_>> = seen.iter().map(|at| self.lessons[*at]).collect();
        learn(&lessons, &self.first.only(&seen))
    }

    /// Answers to the questions of each of `n` groups by weights fitted to all other groups.
    fn held_back(&self, n: usize, group_of: &(dyn Fn(usize) -> usize + Sync)) -> Vec<Mark> {
        let weights: Vec<Weights> = (0..n).map(|group| self.learn(|at| group_of(at) != group)).collect();
        let marked = self.lessons.par_iter().enumerate();
        marked
            .map(|(at, lesson)| Mark::of(lesson, &weights[group_of(at)]))
            .collect()
    }

    /// Answers to the questions of each fifth by weights fitted to the other four; fitted once.
    fn folds(&self) -> &[Mark] {
        self.folds.get_or_init(|| self.held_back(N_FOLDS, &fold))
    }

    fn all(&self, weights: &Weights) -> Vec<Mark> {
        self.lessons
            .par_iter()
            .map(|lesson| Mark::of(lesson, weights))
            .collect()
    }

    /// The weights that ship, on all questions.
    pub fn shipped(&self) -> Report {
        let marks = self.all(&Weights::shipped());
        let shipped = Calibration::default();
        let sure: Vec<f64> = marks.iter().map(|mark| shipped.probability(&mark.signals)).collect();
        Report {
            rows: self.rows(Division::Shipped, &marks, &sure),
        }
    }

    /// Questions that the weights and the calibration behind their answers have not seen: by folds and, with several sets,
    /// by set. A calibration is fitted to answers that were held back themselves, else it would trust its own weights too
    /// much.
    pub fn validated(&self) -> Report {
        let mut rows = Vec::new();
        let marks = self.folds();
        rows.extend(self.rows(Division::Folds, marks, &calibrated(marks, N_FOLDS, &fold)));
        if self.sets.len() > 1 {
            let set = |at: usize| self.set_of[at];
            let by_set = self.held_back(self.sets.len(), &set);
            // The answers that a calibration sees come from other sets than the one tried.
            let models: Vec<Calibration> = (0..self.sets.len())
                .map(|held| calibration(marks, |at| set(at) != held))
                .collect();
            let sure = (0..by_set.len()).map(|at| models[set(at)].probability(&by_set[at].signals));
            let sure: Vec<f64> = sure.collect();
            rows.extend(self.rows(Division::WithoutSet, &by_set, &sure));
        }
        Report { rows }
    }

    /// Weights and calibration for all questions, with their figures on them. The calibration comes from answers to each
    /// fifth by weights fitted to the other four.
    pub fn fitted(&self) -> (Fitted, Report) {
        let weights = self.learn(|_| true);
        let calibration = calibration(self.folds(), |_| true);
        let marks = self.all(&weights);
        let sure: Vec<f64> = marks
            .iter()
            .map(|mark| calibration.probability(&mark.signals))
            .collect();
        let rows = self.rows(Division::Fitted, &marks, &sure);
        (Fitted { weights, calibration }, Report { rows })
    }

    fn rows(&self, division: Division, marks: &[Mark], sure: &[f64]) -> Vec<Row> {
        let row = |(at, set): (usize, &Set<'_>)| {
            let own: Vec<usize> = (0..marks.len()).filter(|mark| self.set_of[*mark] == at).collect();
            let mean =
                |of: fn(&Mark) -> f64| own.iter().map(|at| of(&marks[*at])).sum::<f64>() / own.len().max(1) as f64;
            let answers: Vec<(f64, f64)> = own.iter().map(|at| (sure[*at], marks[*at].em)).collect();
            Row {
                set: set.name.clone(),
                division,
                questions: own.len(),
                em: mean(|mark| mark.em),
                f1: mean(|mark| mark.f1),
                coverage: Coverage::new(&answers),
            }
        };
        self.sets.iter().enumerate().map(row).collect()
    }
}

fn fold(at: usize) -> usize {
    at % N_FOLDS
}

fn calibration(marks: &[Mark], is_seen: impl Fn(usize) -> bool) -> Calibration {
    let seen = marks.iter().enumerate().filter(|(at, _)| is_seen(*at));
    let examples: Vec<Example> = seen.map(|(_, mark)| (mark.signals, mark.em)).collect();
    fit_calibration(&examples, COVERAGE)
}

/// The probability of each answer by a calibration fitted to the other groups.
fn calibrated(marks: &[Mark], n: usize, group_of: &(dyn Fn(usize) -> usize + Sync)) -> Vec<f64> {
    let models: Vec<Calibration> = (0..n)
        .map(|group| calibration(marks, |at| group_of(at) != group))
        .collect();
    let each = marks.iter().enumerate();
    each.map(|(at, mark)| models[group_of(at)].probability(&mark.signals))
        .collect()
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, row) in self.rows.iter().enumerate() {
            if at == 0 || self.rows[at - 1].division != row.division {
                writeln!(f, "{}", row.division.name())?;
            }
            let Row {
                set,
                questions,
                em,
                f1,
                coverage,
                ..
            } = row;
            write!(f, "  {set:<12} n {questions:<4} em {em:.3} f1 {f1:.3}")?;
            if let Some(coverage) = coverage {
                write!(f, "; {coverage}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

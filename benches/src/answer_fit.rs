//! Fits the weights of features: which of the possible answers to a question is the right one.
//!
//! A conditional logit: of all possible answers to a step the right ones are to have the largest share of exp(w · x). The
//! objective is that of a mixture where several answers are right; the search begins at zero. Since the answers of a
//! step depend on the weights of the steps before it, everything is done in rounds, the first with [`Weights::start`].
//!
//! `banyan-eval answers` fits what ships, and shows what weights are worth on questions that they were not fitted to.

use banyan::eval::dataset::QaPair;
use banyan_engine::logistic::minimise;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, possible};
use banyan_retrieve::evidence::Evidence;
use banyan_retrieve::question::Question;
use banyan_retrieve::read::{Features, N_FEATURES, Reading};
use banyan_retrieve::searcher::Searcher;
use rayon::prelude::*;

/// Rounds of following the steps with the weights of the round before. Measured: of two and three, three is right on up
/// to three more held-back questions a set, and never on fewer of all four sets together.
const ROUNDS: usize = 3;
/// Share of the squared weights that is taken off. Of 0.005, 0.01 and 0.02 none is clearly best: validated exact match
/// moves by one to three questions a set.
const RIDGE: f64 = 0.01;

/// A question with its evidence and what is accepted as its answer.
pub(crate) struct Lesson<'a> {
    /// Position among all questions, number of its set, and position in that.
    pub(crate) at: usize,
    pub(crate) set: usize,
    pub(crate) place: usize,
    pub(crate) searcher: &'a Searcher,
    pub(crate) question: Question,
    pub(crate) evidence: Evidence,
    /// Accepted answers, and answers of its steps, which are used where the question is taken apart into as many steps.
    pub(crate) pair: &'a QaPair,
    /// What may answer a step before the last where those do not tell: what its gold passages are about.
    pub(crate) links: Vec<String>,
}

/// The possible answers to one step.
#[derive(Clone, Debug, Default)]
struct Example {
    rows: Vec<Features>,
    right: Vec<bool>,
    is_last: bool,
}

/// Weights for these lessons. Weights of the last step come from last steps alone, those of the steps before from such
/// steps, or from all where no answer to any of them is known. Lessons without a right answer among the possible ones
/// do not count; without lessons all weights are 0. Cost O(words of the passages read) a round.
pub(crate) fn learn(lessons: &[&Lesson<'_>]) -> Weights {
    let mut weights = Weights::start();
    for _ in 0..ROUNDS {
        let read = lessons.par_iter().flat_map_iter(|lesson| examples(lesson, &weights));
        let every: Vec<Example> = read.collect();
        let (last, before): (Vec<&Example>, Vec<&Example>) = every.iter().partition(|example| example.is_last);
        let is_known = before.iter().any(|example| example.right.contains(&true));
        let all: Vec<&Example> = every.iter().collect();
        weights = Weights {
            bridge: fit(if is_known { &before } else { &all }),
            last: fit(&last),
        };
    }
    weights
}

fn examples(lesson: &Lesson<'_>, weights: &Weights) -> Vec<Example> {
    let Some(readings) = possible(lesson.searcher, &lesson.question, &lesson.evidence, weights) else {
        return Vec::new();
    };
    let n = readings.len();
    let accepted = |step: usize| match () {
        () if step + 1 == n => Some(lesson.pair.answers.clone()),
        () if lesson.pair.steps.len() == n => Some(vec![lesson.pair.steps[step].clone()]),
        () if lesson.links.is_empty() => None,
        () => Some(lesson.links.clone()),
    };
    let steps = readings.iter().enumerate();
    steps
        .filter_map(|(step, readings)| {
            let accepted = accepted(step)?;
            Some(Example {
                rows: readings.iter().map(|reading| reading.row).collect(),
                right: readings
                    .iter()
                    .map(|reading: &Reading| score(Some(&reading.text), &accepted).0 > 0.5)
                    .collect(),
                is_last: step + 1 == n,
            })
        })
        .collect()
}

/// Minimises the mean negative log share of the right answers, with the ridge.
fn fit(examples: &[&Example]) -> Features {
    let usable: Vec<&Example> = examples
        .iter()
        .copied()
        .filter(|example| example.right.contains(&true))
        .collect();
    let n = usable.len().max(1) as f64;
    let fitted = minimise(vec![0.0; N_FEATURES], |at, gradient| {
        let weights = rounded(at);
        let parts: Vec<(f32, Features)> = usable.par_iter().map(|example| log_share(example, &weights)).collect();
        let mut loss = -parts.iter().map(|(share, _)| f64::from(*share)).sum::<f64>() / n;
        for i in 0..N_FEATURES {
            let slope: f64 = parts.iter().map(|(_, part)| f64::from(part[i])).sum();
            loss += 0.5 * RIDGE * at[i] * at[i];
            gradient[i] = RIDGE * at[i] - slope / n;
        }
        loss
    });
    rounded(&fitted)
}

/// Weights as they are kept.
#[expect(clippy::cast_possible_truncation, reason = "weights have two digits that matter")]
fn rounded(weights: &[f64]) -> Features {
    std::array::from_fn(|i| weights[i] as f32)
}

/// The logarithm of the right answers' share of exp(w · x), and its gradient.
fn log_share(example: &Example, weights: &Features) -> (f32, Features) {
    let scores: Vec<f32> = example.rows.iter().map(|row| dot(row, weights)).collect();
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let all: f32 = odds.iter().sum();
    let right = odds.iter().zip(&example.right).filter(|(_, right)| **right);
    let good = right.map(|(odds, _)| odds).sum::<f32>().max(f32::MIN_POSITIVE);
    let mut gradient = [0.0; N_FEATURES];
    for ((row, odds), right) in example.rows.iter().zip(&odds).zip(&example.right) {
        let pull = if *right { odds / good } else { 0.0 } - odds / all;
        for n in 0..N_FEATURES {
            gradient[n] += pull * row[n];
        }
    }
    ((good / all).ln(), gradient)
}

fn dot(row: &Features, weights: &Features) -> f32 {
    row.iter().zip(weights).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(rows: &[(f32, f32)], right: &[bool]) -> Example {
        let row = |(a, b): &(f32, f32)| {
            let mut row = [0.0; N_FEATURES];
            (row[0], row[1]) = (*a, *b);
            row
        };
        Example {
            rows: rows.iter().map(row).collect(),
            right: right.to_vec(),
            is_last: true,
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_log_share() {
        // Two answers, equal odds: the right row less the mean of both.
        let one = example(&[(1.0, 0.0), (0.0, 2.0)], &[true, false]);
        let found = log_share(&one, &[0.0; N_FEATURES]).1;
        assert!((found[0] - 0.5).abs() < 1e-6 && (found[1] + 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_marks_the_right_answer_gains_weight() {
        let one = example(&[(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)], &[true, false, false]);
        let weights = fit(&[&one]);
        assert!(weights[0] > 0.5 && weights[1] < 0.0, "{weights:?}");
    }

    #[test]
    fn without_a_right_answer_nothing_is_learned() {
        let one = example(&[(1.0, 0.0)], &[false]);
        assert!(fit(&[&one]).iter().all(|weight| *weight == 0.0));
        assert!(fit(&[]).iter().all(|weight| *weight == 0.0));
    }
}

//! Fits the weights of features: which of the possible answers to a question is the right one.
//!
//! A conditional logit: of all possible answers to a step the right ones are to have the largest share of exp(w · x). The
//! objective is that of a mixture where several answers are right; ascent begins at zero. Since the answers of a step depend
//! on the weights of the steps before it, everything is done in rounds, the first with [`Weights::start`].
//!
//! `banyan-eval answers` fits what ships, and shows what weights are worth on questions that they were not fitted to.

use banyan_retrieve::answer::score::score;
use banyan_retrieve::answer::{Weights, possible};
use banyan_retrieve::evidence::Evidence;
use banyan_retrieve::question::Question;
use banyan_retrieve::read::{Features, N_FEATURES, Reading};
use banyan_retrieve::searcher::Searcher;
use rayon::prelude::*;

/// Rounds of following the steps with the weights of the round before. Measured: of two and three, three is right on up to
/// three more held-back questions a set, and never on fewer of all four sets together.
const ROUNDS: usize = 3;
/// Steps of ascent, and their length with momentum. Arbitrary; not run to convergence.
const STEPS: usize = 200;
const RATE: f32 = 0.15;
const MOMENTUM: f32 = 0.9;
/// Share of the squared weights that is taken off. Of 0.005, 0.01 and 0.02 none is clearly best: validated exact match moves
/// by one to three questions a set.
const RIDGE: f32 = 0.01;

/// A question with what is accepted as its answer.
pub struct Lesson<'a> {
    /// Where it is asked.
    pub searcher: &'a Searcher,
    /// The question.
    pub question: Question,
    /// What search found for it.
    pub evidence: Evidence,
    /// Accepted answers.
    pub answers: Vec<String>,
    /// Answers of its steps, where they are known; used where the question is taken apart into as many steps.
    pub steps: Vec<String>,
    /// What may answer a step before the last where those do not tell: what its gold passages are about.
    pub links: Vec<String>,
}

/// The possible answers to every step of every lesson, by lesson, as some weights lead to them.
pub struct Examples(Vec<Vec<Example>>);

impl Examples {
    /// Follows the steps of every lesson. Cost O(words of the passages read).
    pub fn new(lessons: &[&Lesson<'_>], weights: &Weights) -> Self {
        Self(lessons.par_iter().map(|lesson| examples(lesson, weights)).collect())
    }

    /// Those of some of the lessons, by their positions.
    #[must_use]
    pub fn only(&self, lessons: &[usize]) -> Self {
        Self(lessons.iter().filter_map(|at| self.0.get(*at).cloned()).collect())
    }
}

/// The possible answers to one step.
#[derive(Clone, Debug, Default)]
struct Example {
    rows: Vec<Features>,
    right: Vec<bool>,
    is_last: bool,
}

/// Weights for these lessons, of which `first` are the examples by [`Weights::start`]. Weights of the last step come from
/// last steps alone, those of the steps before from such steps, or from all where no answer to any of them is known. Lessons
/// without a right answer among the possible ones do not count; without lessons all weights are 0.
pub fn learn(lessons: &[&Lesson<'_>], first: &Examples) -> Weights {
    let mut weights = weigh(first);
    for _ in 1..ROUNDS {
        weights = weigh(&Examples::new(lessons, &weights));
    }
    weights
}

fn weigh(examples: &Examples) -> Weights {
    let every: Vec<&Example> = examples.0.iter().flatten().collect();
    let (last, before): (Vec<&Example>, Vec<&Example>) = every.iter().partition(|example| example.is_last);
    let is_known = before.iter().any(|example| example.right.contains(&true));
    Weights {
        bridge: fit(if is_known { &before } else { &every }),
        last: fit(&last),
    }
}

fn examples(lesson: &Lesson<'_>, weights: &Weights) -> Vec<Example> {
    let Some(readings) = possible(lesson.searcher, &lesson.question, &lesson.evidence, weights) else {
        return Vec::new();
    };
    let n = readings.len();
    let accepted = |step: usize| match () {
        () if step + 1 == n => Some(lesson.answers.clone()),
        () if lesson.steps.len() == n => Some(vec![lesson.steps[step].clone()]),
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

/// Maximises the mean log share of the right answers less the ridge.
fn fit(examples: &[&Example]) -> Features {
    let usable: Vec<&&Example> = examples
        .iter()
        .filter(|example| example.right.contains(&true))
        .collect();
    let mut weights = [0.0; N_FEATURES];
    let mut speed = [0.0f32; N_FEATURES];
    for _ in 0..STEPS {
        let parts: Vec<Features> = usable.par_iter().map(|example| gradient(example, &weights)).collect();
        for n in 0..N_FEATURES {
            let sum: f32 = parts.iter().map(|part| part[n]).sum();
            let slope = sum / usable.len().max(1) as f32 - RIDGE * weights[n];
            speed[n] = MOMENTUM * speed[n] + RATE * slope;
            weights[n] += speed[n];
        }
    }
    weights
}

fn gradient(example: &Example, weights: &Features) -> Features {
    let scores: Vec<f32> = example.rows.iter().map(|row| dot(row, weights)).collect();
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let all: f32 = odds.iter().sum();
    let good: f32 = odds
        .iter()
        .zip(&example.right)
        .filter(|(_, right)| **right)
        .map(|(odds, _)| odds)
        .sum();
    let mut gradient = [0.0; N_FEATURES];
    for ((row, odds), right) in example.rows.iter().zip(&odds).zip(&example.right) {
        let wanted = if *right {
            odds / good.max(f32::MIN_POSITIVE)
        } else {
            0.0
        };
        let pull = wanted - odds / all;
        for n in 0..N_FEATURES {
            gradient[n] += pull * row[n];
        }
    }
    gradient
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
        let found = gradient(&one, &[0.0; N_FEATURES]);
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

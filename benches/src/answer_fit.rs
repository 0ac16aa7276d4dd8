//! Fits the weights of features: which of the possible answers to a question is the right one.
//!
//! A conditional logit: of all possible answers to a step the right ones are to have the largest share of exp(w · x). The
//! objective is that of a mixture where several answers are right; the search begins at zero. Since the answers of a
//! step depend on the weights of the steps before it, everything is done in rounds, the first with [`Weights::start`].
//!
//! `banyan-eval answers` fits what ships, and shows what weights are worth on questions that they were not fitted to.

use crate::conditional::{Choice, conditional};
use banyan::eval::dataset::QaPair;
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

/// The possible answers to one step, each with whether it is right; and whether the step is the last.
struct Example {
    answers: Choice<N_FEATURES>,
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
        let is_known = before
            .iter()
            .any(|example| example.answers.iter().any(|(_, right)| *right));
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
    let is_right = |reading: &Reading, accepted: &[String]| score(Some(&reading.text), accepted).0 > 0.5;
    let steps = readings.iter().enumerate();
    steps
        .filter_map(|(step, readings)| {
            let accepted = accepted(step)?;
            Some(Example {
                answers: readings.iter().map(|one| (one.row, is_right(one, &accepted))).collect(),
                is_last: step + 1 == n,
            })
        })
        .collect()
}

fn fit(examples: &[&Example]) -> Features {
    let choices: Vec<&Choice<N_FEATURES>> = examples.iter().map(|example| &example.answers).collect();
    conditional(&choices, &[1.0; N_FEATURES], RIDGE)
}

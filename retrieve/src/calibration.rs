//! Sufficiency as a probability: how likely an answer is right, learned from answers that are known to be right or wrong.
//!
//! A logistic model over a few signals, each in 0..=1, that mean the same for every corpus. It is fitted by gradient
//! descent with a ridge, from zero, so equal examples give equal weights.

use crate::answer::{Answer, Mode};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

mod signal;

use signal::N;
pub use signal::{SIGNALS, Signals};

/// Strength of the ridge: about one example's worth for a hundred. Arbitrary.
const RIDGE: f64 = 0.01;
/// Steps and length of a step of gradient descent; more steps change no weight's second digit.
const N_STEPS: usize = 4_000;
const STEP: f64 = 0.5;

/// An answer's signals and how right it was, 0..=1.
pub type Example = (Signals, f64);

/// A fitted model and the probability from which reject mode answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Weight of each signal, in the order of [`SIGNALS`].
    pub weights: [f64; N],
    /// Log-odds with no signal.
    pub bias: f64,
    /// Least probability of being right with which reject mode answers, 0..=1.
    pub threshold: f64,
}

/// What the program comes with.
static SHIPPED: LazyLock<Option<Calibration>> =
    LazyLock::new(|| serde_json::from_str(include_str!("answer/weights.calibration.json")).ok());

impl Default for Calibration {
    /// The one that ships: `banyan-eval answers --fit` wrote it beside the weights of the answerer, from answers to
    /// questions that the weights behind them had not seen. A test holds that it can be read.
    fn default() -> Self {
        SHIPPED.clone().unwrap_or(Self {
            weights: [0.0; N],
            bias: 0.0,
            threshold: 0.0,
        })
    }
}

impl Calibration {
    /// The model for `examples`, with the threshold at which `coverage` of them are answered. Cost O(examples). Without
    /// examples every answer is as likely right as wrong.
    pub fn fit(examples: &[Example], coverage: f64) -> Self {
        let mut model = Self {
            weights: [0.0; N],
            bias: 0.0,
            threshold: 0.0,
        };
        let n = examples.len().max(1) as f64;
        for _ in 0..N_STEPS {
            let (mut slopes, mut slope) = (model.weights.map(|weight| RIDGE * weight), 0.0);
            for (signals, right) in examples {
                let error = (model.probability(signals) - right) / n;
                slope += error;
                for (sum, value) in slopes.iter_mut().zip(signals.values()) {
                    *sum += error * value;
                }
            }
            model.bias -= STEP * slope;
            for (weight, slope) in model.weights.iter_mut().zip(slopes) {
                *weight -= STEP * slope;
            }
        }
        let mut sure: Vec<f64> = examples.iter().map(|(signals, _)| model.probability(signals)).collect();
        sure.sort_by(|a, b| b.total_cmp(a));
        model.threshold = at(&sure, coverage);
        model
    }

    /// How likely an answer with these signals is right, 0..=1.
    pub fn probability(&self, signals: &Signals) -> f64 {
        let weighted = self
            .weights
            .iter()
            .zip(signals.values())
            .map(|(weight, value)| weight * value);
        1.0 / (1.0 + (-(self.bias + weighted.sum::<f64>())).exp())
    }

    /// The answer with its probability for sufficiency; in reject mode it is held back below the threshold.
    #[must_use]
    pub fn judge(&self, mode: Mode, signals: &Signals, answer: Answer) -> Answer {
        let probability = answer.text.as_ref().map_or(0.0, |_| self.probability(signals));
        let is_unsure = probability < self.threshold || signals.is_foreign;
        let is_rejected = mode == Mode::Reject && is_unsure;
        Answer {
            text: answer.text.filter(|_| !is_rejected),
            // A probability fits.
            #[allow(clippy::cast_possible_truncation, reason = "0..=1")]
            sufficiency: probability as f32,
            is_rejected,
            ..answer
        }
    }
}

/// The value that a `share` of `sorted`, best first, reaches; 0 for none.
fn at(sorted: &[f64], share: f64) -> f64 {
    let reached = (0..sorted.len()).find(|position| (position + 1) as f64 >= share * sorted.len() as f64 - 1e-9);
    reached.map_or(0.0, |position| sorted[position])
}

/// The probability of each example by a model that was fitted to the others: to all folds but its own, where example `i`
/// is in fold `i % n_folds`. Cost O(folds · examples).
pub fn held_back(examples: &[Example], n_folds: usize) -> Vec<f64> {
    let n_folds = n_folds.max(2);
    let models: Vec<Calibration> = (0..n_folds)
        .map(|fold| {
            let others = examples.iter().enumerate().filter(|(at, _)| at % n_folds != fold);
            Calibration::fit(&others.map(|(_, example)| *example).collect::<Vec<_>>(), 0.5)
        })
        .collect();
    let probability = |(at, (signals, _)): (usize, &Example)| models[at % n_folds].probability(signals);
    examples.iter().enumerate().map(probability).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(coverage: f32, right: f64) -> Example {
        (
            Signals {
                coverage,
                ..Signals::default()
            },
            right,
        )
    }

    #[test]
    fn without_signals_the_probability_is_the_share_of_right_answers() {
        let examples = [
            example(0.0, 1.0),
            example(0.0, 0.0),
            example(0.0, 0.0),
            example(0.0, 0.0),
        ];
        let model = Calibration::fit(&examples, 0.5);
        assert!((model.probability(&Signals::default()) - 0.25).abs() < 1e-3);
    }

    #[test]
    fn a_signal_that_tells_right_from_wrong_raises_the_probability() {
        let examples: Vec<Example> = (0..40).map(|i| example((i % 2) as f32, f64::from(i % 2))).collect();
        let model = Calibration::fit(&examples, 0.5);
        let (low, high) = (model.probability(&examples[0].0), model.probability(&examples[1].0));
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
        assert!((model.threshold - high).abs() < 1e-12);
        let held = held_back(&examples, 5);
        assert!(
            held.iter()
                .zip(&examples)
                .all(|(p, (_, right))| (p - right).abs() < 0.25)
        );
    }

    #[test]
    fn the_shipped_calibration_can_be_read_and_trusts_what_covers_the_question() {
        let shipped = Calibration::default();
        assert_eq!(SHIPPED.as_ref(), Some(&shipped));
        let sure = |coverage| shipped.probability(&example(coverage, 0.0).0);
        assert!(sure(1.0) > sure(0.0) && shipped.threshold > 0.0);
    }

    #[test]
    fn no_examples_leave_even_odds() {
        let model = Calibration::fit(&[], 0.5);
        assert!((model.probability(&Signals::default()) - 0.5).abs() < 1e-12);
        assert!(held_back(&[], 5).is_empty());
    }
}

//! A conditional logit over the options of a question: which is right, and how probably.

use super::support::{FEATURES, Features};
use std::fmt::{self, Display, Formatter};

/// The weights that ship, one line a feature: fitted (`eval anonyrag --fit`, without vectors, so that `kindred` shares the
/// weight of `window`) to 541 choices that `anonymize` drew and paraphrased from five corpora, two of them our own, one of
/// encyclopaedic passages, two novels, and to 82 questions of people over those passages. Fitted to five of these six sets
/// and tried on the sixth, .744 (the people's questions) to .917 of the choices are right.
const SHIPPED: &str = include_str!("weights.txt");
/// Strength of the pull towards 0. Arbitrary; with a hundred questions or more it hardly matters.
const RIDGE: f64 = 0.01;
/// Steps of the ascent, and their length. Measured: the likelihood changes by less than 1e-6 a step long before.
const N_STEPS: usize = 3_000;
const STEP: f64 = 0.5;

/// A question as the fit sees it: the features of each option, and which is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// One row an option.
    pub options: Vec<Features>,
    /// The right one.
    pub right: usize,
}

/// A weight for each feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights(pub Features);

impl Weights {
    /// The weights that ship; those of features that the file does not name are 0.
    pub fn shipped() -> Self {
        let mut weights = Self([0.0; FEATURES.len()]);
        for (name, value) in SHIPPED.lines().filter_map(|line| line.split_once(' ')) {
            if let (Some(at), Ok(value)) = (
                FEATURES.iter().position(|feature| *feature == name),
                value.trim().parse(),
            ) {
                weights.0[at] = value;
            }
        }
        weights
    }

    /// The probability of each option; they sum to 1. Equal options are equally probable.
    pub fn probabilities(&self, options: &[Features]) -> Vec<f64> {
        let scores: Vec<f64> = options
            .iter()
            .map(|features| {
                features
                    .iter()
                    .zip(&self.0)
                    .map(|(feature, weight)| feature * weight)
                    .sum()
            })
            .collect();
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = scores.iter().map(|score: &f64| (score - largest).exp()).collect();
        let sum: f64 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    /// The weights under which the right options are most probable, with a pull towards 0: gradient ascent on the mean
    /// log-likelihood less `RIDGE`/2·|w|², which has one maximum. No examples give 0. Cost O(steps · options).
    pub fn fit(examples: &[Example]) -> Self {
        let mut weights = Self([0.0; FEATURES.len()]);
        if examples.is_empty() {
            return weights;
        }
        let n = examples.len() as f64;
        for _ in 0..N_STEPS {
            let mut slope = [0.0; FEATURES.len()];
            for example in examples {
                let probable = weights.probabilities(&example.options);
                for (option, (features, probability)) in example.options.iter().zip(probable).enumerate() {
                    let error = f64::from(u8::from(option == example.right)) - probability;
                    for (slope, feature) in slope.iter_mut().zip(features) {
                        *slope += error * feature / n;
                    }
                }
            }
            for (weight, slope) in weights.0.iter_mut().zip(slope) {
                *weight += STEP * (slope - RIDGE * *weight);
            }
        }
        weights
    }

    /// Share of the examples whose most probable option is right; of equal options the first counts.
    pub fn accuracy(&self, examples: &[Example]) -> f64 {
        let is_right = |example: &&Example| best(&self.probabilities(&example.options)) == Some(example.right);
        examples.iter().filter(is_right).count() as f64 / examples.len().max(1) as f64
    }
}

/// The most probable option, the first among equals.
pub(super) fn best(probabilities: &[f64]) -> Option<usize> {
    let order = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1).then(b.0.cmp(&a.0));
    probabilities.iter().enumerate().max_by(order).map(|(at, _)| at)
}

impl Display for Weights {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, weight) in FEATURES.iter().zip(self.0) {
            writeln!(f, "{name} {weight:.3}")?;
        }
        Ok(())
    }
}

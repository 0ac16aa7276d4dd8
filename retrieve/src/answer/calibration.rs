//! How likely an answer is right: logistic models over a few signs that mean the same for every corpus.

use super::ranking::Ranker;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

mod signal;

pub use signal::{N_SIGNALS, signals};

/// Probability of being right from which an answer is stated rather than held back. Above one half: on
/// questions in other words than the text's, stated probabilities are too high.
pub const SURE: f64 = 0.6;

/// A logistic model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Logistic {
    /// Weight of each sign.
    pub weights: Vec<f64>,
    /// Log-odds with no sign.
    pub bias: f64,
}

impl Logistic {
    /// How likely is right what has these signs, 0..=1.
    pub fn probability(&self, signs: &[f64]) -> f64 {
        let weighted = self.weights.iter().zip(signs);
        let log_odds = self.bias + weighted.map(|(weight, value)| weight * value).sum::<f64>();
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// What was learned of evidence and of answers from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Sentences by their words alone, where there are no vectors.
    pub words: Ranker,
    /// Sentences by vectors, too: of all words, and of the first few sentences.
    pub vectors: Ranker,
    /// How likely a short answer is right, by [`signals`].
    pub short: Logistic,
    /// Least probability of being right with which reject mode answers, 0..=1.
    pub threshold: f64,
}

/// What the program comes with.
static SHIPPED: LazyLock<Option<Calibration>> =
    LazyLock::new(|| serde_json::from_str(include_str!("calibration.json")).ok());

impl Default for Calibration {
    /// The one that ships, fitted by `banyan-eval calibrate` to questions over folders of other people's texts. A test
    /// holds that it can be read.
    fn default() -> Self {
        SHIPPED.clone().unwrap_or_else(Self::unsure)
    }
}

impl Calibration {
    /// One that ranks nothing and is sure of nothing.
    pub fn unsure() -> Self {
        let never = Logistic {
            weights: Vec::new(),
            bias: f64::NEG_INFINITY,
        };
        let ranker = Ranker {
            weights: Vec::new(),
            certain: never.clone(),
        };
        Self {
            words: ranker.clone(),
            vectors: ranker,
            short: never,
            threshold: SURE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::ranking::N_SIGNS;
    use crate::sentence::N_FEATURES;

    #[test]
    fn the_shipped_calibration_can_be_read_and_trusts_what_much_speaks_for() {
        let shipped = Calibration::default();
        assert_eq!(SHIPPED.as_ref(), Some(&shipped));
        for ranker in [&shipped.words, &shipped.vectors] {
            assert_eq!(ranker.weights.len(), N_FEATURES);
            assert_eq!(ranker.certain.weights.len(), N_SIGNS);
        }
        let sure = |value| shipped.short.probability(&[value; N_SIGNALS]);
        assert!(sure(1.0) > sure(0.0));
        assert!((shipped.threshold - SURE).abs() < 1e-12);
    }
}

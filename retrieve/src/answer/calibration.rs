//! Sufficiency as a probability: how likely an answer is right, by a logistic model over a few signals that mean the same
//! for every corpus.

use super::{Answer, Mode};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

mod signal;

pub use signal::{N_SIGNALS, SIGNALS, Signals};

/// Probability of being right from which an answer is stated rather than held back.
pub const SURE: f64 = 0.5;

/// A fitted model and the probability from which reject mode answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Weight of each signal, in the order of [`SIGNALS`].
    pub weights: [f64; N_SIGNALS],
    /// Log-odds with no signal.
    pub bias: f64,
    /// Least probability of being right with which reject mode answers, 0..=1.
    pub threshold: f64,
}

/// What the program comes with.
static SHIPPED: LazyLock<Option<Calibration>> =
    LazyLock::new(|| serde_json::from_str(include_str!("calibration.json")).ok());

impl Default for Calibration {
    /// The one that ships: fitted beside the weights of the answerer, to answers to questions that the weights behind
    /// them had not seen. A test holds that it can be read.
    fn default() -> Self {
        SHIPPED.clone().unwrap_or(Self {
            weights: [0.0; N_SIGNALS],
            bias: 0.0,
            threshold: SURE,
        })
    }
}

impl Calibration {
    /// How likely an answer with these signals is right, 0..=1.
    pub fn probability(&self, signals: &Signals) -> f64 {
        let weighted = self.weights.iter().zip(signals.values);
        let log_odds = self.bias + weighted.map(|(weight, value)| weight * value).sum::<f64>();
        1.0 / (1.0 + (-log_odds).exp())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_calibration_can_be_read_and_trusts_what_covers_the_question() {
        let shipped = Calibration::default();
        assert_eq!(SHIPPED.as_ref(), Some(&shipped));
        let sure = |value| {
            let signals = Signals {
                values: [value; N_SIGNALS],
                ..Signals::default()
            };
            shipped.probability(&signals)
        };
        assert!(sure(1.0) > sure(0.0));
        assert!((shipped.threshold - SURE).abs() < 1e-12);
    }
}

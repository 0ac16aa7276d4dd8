//! Fits the calibration of answers: a logistic model over their signals, with a ridge.

use banyan_engine::logistic::minimise;
use banyan_retrieve::calibration::{Calibration, N_SIGNALS, SURE, Signals};

/// Strength of the ridge: about one example's worth for a hundred. Arbitrary.
const RIDGE: f64 = 0.01;

/// An answer's signals and how right it was, 0..=1.
pub(crate) type Example = (Signals, f64);

/// The model for `examples`. Cost O(examples). Without examples every answer is as likely right as wrong.
pub(crate) fn fit(examples: &[Example]) -> Calibration {
    let n = examples.len().max(1) as f64;
    let fitted = minimise(vec![0.0; N_SIGNALS + 1], |at, gradient| {
        let model = model(at);
        gradient.fill(0.0);
        let mut loss = 0.0;
        for (signals, right) in examples {
            let p = model.probability(signals).clamp(1e-12, 1.0 - 1e-12);
            loss -= (right * p.ln() + (1.0 - right) * (1.0 - p).ln()) / n;
            for (slope, value) in gradient.iter_mut().zip(signals.values.iter().chain(&[1.0])) {
                *slope += (p - right) / n * value;
            }
        }
        for i in 0..N_SIGNALS {
            loss += 0.5 * RIDGE * at[i] * at[i];
            gradient[i] += RIDGE * at[i];
        }
        loss
    });
    model(&fitted)
}

/// A model by its weights and, last, its bias.
fn model(at: &[f64]) -> Calibration {
    let mut weights = [0.0; N_SIGNALS];
    weights.copy_from_slice(&at[..N_SIGNALS]);
    Calibration {
        weights,
        bias: at[N_SIGNALS],
        threshold: SURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(value: f64, right: f64) -> Example {
        let mut signals = Signals::default();
        signals.values[0] = value;
        (signals, right)
    }

    #[test]
    fn without_signals_the_probability_is_the_share_of_right_answers() {
        let examples = [1.0, 0.0, 0.0, 0.0].map(|right| example(0.0, right));
        assert!((fit(&examples).probability(&Signals::default()) - 0.25).abs() < 1e-3);
        assert!((fit(&[]).probability(&Signals::default()) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_signal_that_tells_right_from_wrong_raises_the_probability() {
        let examples: Vec<Example> = (0..40).map(|i| example(f64::from(i % 2), f64::from(i % 2))).collect();
        let model = fit(&examples);
        let (low, high) = (model.probability(&examples[0].0), model.probability(&examples[1].0));
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
    }
}

//! Fits the calibration of answers: a logistic model over their signals, by gradient descent with a ridge from zero.

use banyan_retrieve::calibration::{Calibration, N_SIGNALS, Signals};

/// Strength of the ridge: about one example's worth for a hundred. Arbitrary.
const RIDGE: f64 = 0.01;
/// Steps and length of a step of gradient descent; more steps change no weight's second digit.
const N_STEPS: usize = 4_000;
const STEP: f64 = 0.5;

/// An answer's signals and how right it was, 0..=1.
pub type Example = (Signals, f64);

/// The model for `examples`, with the threshold at which `coverage` of them are answered. Cost O(examples). Without
/// examples every answer is as likely right as wrong.
pub fn fit(examples: &[Example], coverage: f64) -> Calibration {
    let mut model = Calibration {
        weights: [0.0; N_SIGNALS],
        bias: 0.0,
        threshold: 0.0,
    };
    let n = examples.len().max(1) as f64;
    for _ in 0..N_STEPS {
        let (mut slopes, mut slope) = (model.weights.map(|weight| RIDGE * weight), 0.0);
        for (signals, right) in examples {
            let error = (model.probability(signals) - right) / n;
            slope += error;
            for (sum, value) in slopes.iter_mut().zip(signals.values) {
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
    let reached = (0..sure.len()).find(|at| (at + 1) as f64 >= coverage * sure.len() as f64 - 1e-9);
    model.threshold = reached.map_or(0.0, |at| sure[at]);
    model
}

/// The probability of each example by a model that was fitted to the others: to all folds but its own, where example `i`
/// is in fold `i % n_folds`. Cost O(folds · examples).
pub fn held_back(examples: &[Example], n_folds: usize) -> Vec<f64> {
    let n_folds = n_folds.max(2);
    let models: Vec<Calibration> = (0..n_folds)
        .map(|fold| {
            let others = examples.iter().enumerate().filter(|(at, _)| at % n_folds != fold);
            fit(&others.map(|(_, example)| *example).collect::<Vec<_>>(), 0.5)
        })
        .collect();
    let probability = |(at, (signals, _)): (usize, &Example)| models[at % n_folds].probability(signals);
    examples.iter().enumerate().map(probability).collect()
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
        assert!((fit(&examples, 0.5).probability(&Signals::default()) - 0.25).abs() < 1e-3);
        assert!((fit(&[], 0.5).probability(&Signals::default()) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_signal_that_tells_right_from_wrong_raises_the_probability() {
        let examples: Vec<Example> = (0..40).map(|i| example(f64::from(i % 2), f64::from(i % 2))).collect();
        let model = fit(&examples, 0.5);
        let (low, high) = (model.probability(&examples[0].0), model.probability(&examples[1].0));
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
        assert!((model.threshold - high).abs() < 1e-12);
        let held = held_back(&examples, 5);
        let is_near = |(p, (_, right)): (&f64, &Example)| (p - right).abs() < 0.25;
        assert!(held.iter().zip(&examples).all(is_near));
    }
}

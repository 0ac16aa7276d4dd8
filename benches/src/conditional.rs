//! A conditional logit: of several rows the right ones are to have the largest share of exp(w · x). The objective is that
//! of a mixture where several are right.

use banyan_engine::logistic::minimise;
use rayon::prelude::*;

/// Rows to choose from, each with whether it is right.
pub(crate) type Choice<const N: usize> = Vec<([f32; N], bool)>;

/// The weights that minimise the mean negative log share of the right rows, with a ridge on weights times `scales`.
/// Choices without a right row do not count; without choices all weights are 0. Cost O(rows · N) a step.
#[expect(clippy::cast_possible_truncation, reason = "weights have four digits that matter")]
pub(crate) fn conditional<const N: usize>(choices: &[&Choice<N>], scales: &[f64; N], ridge: f64) -> [f32; N] {
    let has_right = |choice: &&&Choice<N>| choice.iter().any(|(_, right)| *right);
    let usable: Vec<&&Choice<N>> = choices.iter().filter(has_right).collect();
    let n = usable.len().max(1) as f64;
    let fitted = minimise(vec![0.0; N], |at, gradient| {
        let weights: [f64; N] = std::array::from_fn(|i| at[i] / scales[i]);
        let parts: Vec<(f64, [f64; N])> = usable.par_iter().map(|choice| log_share(choice, &weights)).collect();
        let mut loss = -parts.iter().map(|(share, _)| share).sum::<f64>() / n;
        for i in 0..N {
            let slope: f64 = parts.iter().map(|(_, part)| part[i]).sum();
            loss += 0.5 * ridge * at[i] * at[i];
            gradient[i] = ridge * at[i] - slope / scales[i] / n;
        }
        loss
    });
    std::array::from_fn(|i| ((fitted[i] / scales[i] * 1e4).round() / 1e4) as f32)
}

/// The logarithm of the right rows' share of exp(w · x), and its gradient.
fn log_share<const N: usize>(choice: &Choice<N>, weights: &[f64; N]) -> (f64, [f64; N]) {
    let score = |row: &[f32; N]| -> f64 {
        row.iter()
            .zip(weights)
            .map(|(value, weight)| f64::from(*value) * weight)
            .sum()
    };
    let scores: Vec<f64> = choice.iter().map(|(row, _)| score(row)).collect();
    let top = scores.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
    let all: f64 = odds.iter().sum();
    let right = odds.iter().zip(choice).filter(|(_, (_, right))| *right);
    let good = right.map(|(odds, _)| odds).sum::<f64>().max(f64::MIN_POSITIVE);
    let mut gradient = [0.0; N];
    for ((row, right), odds) in choice.iter().zip(&odds) {
        let pull = if *right { odds / good } else { 0.0 } - odds / all;
        for i in 0..N {
            gradient[i] += pull * f64::from(row[i]);
        }
    }
    ((good / all).ln(), gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_the_log_share() {
        // Two rows, equal odds: the right row less the mean of both.
        let choice = vec![([1.0, 0.0], true), ([0.0, 2.0], false)];
        let found = log_share(&choice, &[0.0; 2]).1;
        assert!((found[0] - 0.5).abs() < 1e-9 && (found[1] + 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_marks_the_right_row_gains_weight() {
        let choice = vec![([1.0, 0.0], true), ([0.0, 1.0], false), ([0.0, 0.0], false)];
        let weights = conditional(&[&choice], &[1.0; 2], 0.01);
        assert!(weights[0] > 0.5 && weights[1] < 0.0, "{weights:?}");
    }

    #[test]
    fn without_a_right_row_nothing_is_learned() {
        let choice = vec![([1.0, 0.0], false)];
        assert!(
            conditional(&[&choice], &[1.0; 2], 0.01)
                .iter()
                .all(|weight| *weight == 0.0)
        );
    }
}

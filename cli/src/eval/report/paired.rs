//! Whether one method beats another on the same questions.

use crate::eval::metric::{Draw, Mean};
use serde::{Deserialize, Serialize};

/// Random swaps of the two methods behind a p-value: its smallest value is 1 / 5,001. Arbitrary.
const N_SWAPS: usize = 5_000;

/// Two methods on the questions that count for both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Questions that count for both.
    pub n: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// 95 % bootstrap interval of the difference.
    pub interval: (f64, f64),
    /// Questions on which the first is better.
    pub n_better: usize,
    /// Questions on which it is worse.
    pub n_worse: usize,
    /// How often a random swap of the two within questions gives a difference at least as large, 0..=1: the two-sided
    /// paired randomisation test (Fisher; Smucker et al. 2007 advise it for retrieval).
    pub p: f64,
}

impl Paired {
    /// Compares pairs `(first, second)`, one a question. Without a difference on any question p is 1. Cost O(5,000 n).
    pub fn new(pairs: &[(f64, f64)], seed: u64) -> Self {
        let differences: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
        let mean = Mean::of(&differences, seed);
        Self {
            n: pairs.len(),
            difference: mean.value,
            interval: mean.interval,
            n_better: differences.iter().filter(|difference| **difference > 0.0).count(),
            n_worse: differences.iter().filter(|difference| **difference < 0.0).count(),
            p: p_value(&differences, seed),
        }
    }
}

/// Equal questions change nothing under a swap, so only the others are swapped.
fn p_value(differences: &[f64], seed: u64) -> f64 {
    let differences: Vec<f64> = differences
        .iter()
        .copied()
        .filter(|difference| *difference != 0.0)
        .collect();
    if differences.is_empty() {
        return 1.0;
    }
    let found = differences.iter().sum::<f64>().abs();
    let mut draw = Draw::new(seed);
    let mut is_extreme = || {
        let swapped: f64 = differences
            .iter()
            .map(|difference| if draw.below(2) == 0 { *difference } else { -difference })
            .sum();
        // Sums in another order differ in their last bits.
        swapped.abs() >= found - 1e-9
    };
    let n = (0..N_SWAPS).filter(|_| is_extreme()).count();
    (n + 1) as f64 / (N_SWAPS + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_two_wins_happen_by_chance_half_of_the_time() {
        let paired = Paired::new(&[(1.0, 0.0), (1.0, 0.0), (0.5, 0.5)], 7);
        assert_eq!((paired.n, paired.n_better, paired.n_worse), (3, 2, 0));
        assert!((paired.difference - 2.0 / 3.0).abs() < 1e-12);
        assert!((paired.p - 0.5).abs() < 0.03, "{}", paired.p);
    }

    #[test]
    fn a_method_is_no_better_than_itself() {
        let paired = Paired::new(&[(1.0, 1.0), (0.0, 0.0)], 7);
        assert_eq!(
            (paired.p.to_bits(), paired.n_better, paired.n_worse),
            (1.0_f64.to_bits(), 0, 0)
        );
        assert!((Paired::new(&[], 7).p - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_wins_are_no_chance_and_the_order_turns_the_sign_alone() {
        let pairs: Vec<(f64, f64)> = (0..40).map(|at| (1.0, f64::from(u8::from(at % 4 == 0)))).collect();
        let turned: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (one, other) = (Paired::new(&pairs, 3), Paired::new(&turned, 3));
        assert!(one.p < 0.001 && (one.p - other.p).abs() < 1e-12);
        assert!((one.difference + other.difference).abs() < 1e-12);
    }
}

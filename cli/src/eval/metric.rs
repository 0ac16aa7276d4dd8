//! Retrieval metrics and their intervals.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use serde::Serialize;
use std::collections::BTreeSet;

/// Bootstrap resamples behind an interval.
const N_RESAMPLES: usize = 2_000;

/// Share of `gold` among the first `k` of `ranked`, 0..=1; 1 for empty gold.
pub fn recall(ranked: &[usize], gold: &BTreeSet<usize>, k: usize) -> f64 {
    if gold.is_empty() {
        return 1.0;
    }
    let found = ranked.iter().take(k).collect::<BTreeSet<_>>();
    let n = gold.iter().filter(|id| found.contains(id)).count();
    n as f64 / gold.len() as f64
}

/// 1 if all of `gold` is among the first `k`, else 0.
pub fn all_gold(ranked: &[usize], gold: &BTreeSet<usize>, k: usize) -> f64 {
    if recall(ranked, gold, k) >= 1.0 { 1.0 } else { 0.0 }
}

/// Six digits behind the point, which JSON gives back as they were.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// A mean over questions with its 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// 2.5th and 97.5th percentile of the mean over 2,000 resamples of the questions.
    pub interval: (f64, f64),
}

impl Mean {
    /// The mean of `values` with its interval; the resamples follow `seed`. Zero for no values.
    pub fn of(values: &[f64], seed: u64) -> Self {
        let n = values.len();
        if n == 0 {
            return Self {
                value: 0.0,
                interval: (0.0, 0.0),
            };
        }
        let mut draw = Draw::new(seed);
        let mut means: Vec<f64> = (0..N_RESAMPLES)
            .map(|_| (0..n).map(|_| values[draw.below(n)]).sum::<f64>() / n as f64)
            .collect();
        means.sort_by(f64::total_cmp);
        Self {
            value: values.iter().sum::<f64>() / n as f64,
            interval: (means[N_RESAMPLES / 40], means[N_RESAMPLES - 1 - N_RESAMPLES / 40]),
        }
    }
}

/// Numbers drawn from a seed.
#[derive(Clone, Debug)]
pub struct Draw(SplitMix64);

impl Draw {
    /// The numbers that follow `seed`.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::from_seed(seed.to_le_bytes()))
    }

    /// The next number below `n`; 0 for `n` of 0.
    pub fn below(&mut self, n: usize) -> usize {
        let drawn = self.0.next_u64().checked_rem(n as u64);
        drawn.and_then(|drawn| usize::try_from(drawn).ok()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_counts_gold_among_the_first() {
        let gold = BTreeSet::from([1, 2]);
        assert!((recall(&[2, 5, 1], &gold, 2) - 0.5).abs() < 1e-12);
        assert!((all_gold(&[2, 5, 1], &gold, 3) - 1.0).abs() < 1e-12);
        assert!(all_gold(&[2, 5], &gold, 3).abs() < 1e-12);
        assert!((recall(&[], &BTreeSet::new(), 3) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_holds_the_mean_and_repeats() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i % 2)).collect();
        let mean = Mean::of(&values, 7);
        assert!(mean.interval.0 < mean.value && mean.value < mean.interval.1);
        assert_eq!(mean, Mean::of(&values, 7));
        assert!(Mean::of(&[], 7).value.abs() < 1e-12);
    }
}

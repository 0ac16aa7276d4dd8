//! Figures of a part: means with intervals, beside the baseline, and whether one method beats another on the same
//! questions.

use super::part::{Method, Part};
use crate::eval::metric::{Draw, Mean};
use serde::Serialize;
use std::collections::BTreeMap;

/// Random swaps of the two methods behind a p-value: its smallest value is 1 / 5,001. Arbitrary.
const N_SWAPS: usize = 5_000;

/// One number of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The set.
    pub set: String,
    /// The method.
    pub method: String,
    /// The metric, higher is better.
    pub metric: String,
    /// Questions that count.
    pub n: usize,
    /// Mean over them.
    pub value: f64,
    /// Its 95 % bootstrap interval; `None` for a figure over all questions together.
    pub interval: Option<(f64, f64)>,
    /// The same figure of the method it is compared with; `None` for that method itself, and where no question counts for
    /// both.
    pub baseline: Option<Baseline>,
}

/// What a figure is compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Baseline {
    /// The method.
    pub method: String,
    /// Its mean over its own questions.
    pub value: f64,
    /// The two on the questions that count for both.
    #[serde(flatten)]
    pub paired: Paired,
}

/// The figures of a part by metric (in order of k) and method. A metric without any question that counts has none.
pub fn figures(part: &Part, seed: u64) -> Vec<Figure> {
    let mut figures = Vec::new();
    for metric in part.metrics() {
        for (name, method) in &part.methods {
            figures.extend(figure(part, name, method, metric, seed));
        }
    }
    figures.extend(part.totals.iter().map(|total| Figure {
        set: part.set.clone(),
        method: total.method.clone(),
        metric: total.metric.clone(),
        n: total.n,
        value: total.value,
        interval: None,
        baseline: None,
    }));
    figures
}

fn figure(part: &Part, name: &str, method: &Method, metric: &str, seed: u64) -> Option<Figure> {
    let values: Vec<f64> = method.values(metric).map(|(_, value)| value).collect();
    let mean = Mean::of(&values, seed);
    (!values.is_empty()).then(|| Figure {
        set: part.set.clone(),
        method: name.to_owned(),
        metric: metric.to_owned(),
        n: values.len(),
        value: mean.value,
        interval: Some(mean.interval),
        baseline: baseline(part, name, method, metric, seed),
    })
}

fn baseline(part: &Part, name: &str, method: &Method, metric: &str, seed: u64) -> Option<Baseline> {
    let other = part.methods.get(&part.baseline).filter(|_| part.baseline != name)?;
    let others: BTreeMap<usize, f64> = other.values(metric).collect();
    let both = method
        .values(metric)
        .filter_map(|(at, value)| Some((value, *others.get(&at)?)));
    let pairs: Vec<(f64, f64)> = both.collect();
    (!pairs.is_empty()).then(|| Baseline {
        method: part.baseline.clone(),
        value: others.values().sum::<f64>() / others.len() as f64,
        paired: Paired::new(&pairs, seed),
    })
}

/// Two methods on the questions that count for both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    let differences: Vec<f64> = differences.iter().copied().filter(|one| *one != 0.0).collect();
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

    fn method(values: &[Option<f64>]) -> Method {
        Method {
            scores: BTreeMap::from([("em".to_owned(), values.to_vec())]),
            ..Method::default()
        }
    }

    #[test]
    fn methods_are_compared_on_the_questions_that_count_for_both() {
        let part = Part {
            methods: BTreeMap::from([
                ("new".to_owned(), method(&[Some(1.0), None, Some(1.0)])),
                ("old".to_owned(), method(&[Some(0.0), Some(1.0), Some(1.0)])),
                ("silent".to_owned(), method(&[None, None, None])),
            ]),
            baseline: "old".to_owned(),
            ..Part::default()
        };
        let figures = figures(&part, 1);
        assert_eq!(figures.len(), 2);
        assert_eq!((figures[0].method.as_str(), figures[0].n), ("new", 2));
        let baseline = figures[0].baseline.as_ref().unwrap();
        assert_eq!((baseline.paired.n, baseline.paired.n_better), (2, 1));
        assert!((baseline.value - 2.0 / 3.0).abs() < 1e-12 && (baseline.paired.difference - 0.5).abs() < 1e-12);
        assert_eq!(figures[1].baseline, None);
    }

    #[test]
    fn p_is_what_chance_gives() {
        let two_wins = Paired::new(&[(1.0, 0.0), (1.0, 0.0), (0.5, 0.5)], 7);
        assert_eq!((two_wins.n, two_wins.n_better, two_wins.n_worse), (3, 2, 0));
        assert!((two_wins.difference - 2.0 / 3.0).abs() < 1e-12 && (two_wins.p - 0.5).abs() < 0.03);
        for same in [&[(1.0, 1.0), (0.0, 0.0)][..], &[]] {
            assert!((Paired::new(same, 7).p - 1.0).abs() < 1e-12);
        }
        let pairs: Vec<(f64, f64)> = (0..40).map(|at| (1.0, f64::from(u8::from(at % 4 == 0)))).collect();
        let turned: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (one, other) = (Paired::new(&pairs, 3), Paired::new(&turned, 3));
        assert!(one.p < 0.001 && (one.p - other.p).abs() < 1e-12);
        assert!((one.difference + other.difference).abs() < 1e-12);
    }
}

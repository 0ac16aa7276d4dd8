//! Weights from labelled texts: multinomial logistic regression.

use super::feature::Feature;
use super::weights::Weights;
use std::collections::{BTreeMap, BTreeSet};

/// A text's features and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// Its distinct features.
    pub features: Vec<Feature>,
    /// Its class.
    pub class: String,
}

/// Passes over the examples. Further ones moved no choice on any of the shipped sets.
const N_STEPS: usize = 400;

/// The weights that minimise the mean logistic loss of `examples` plus `l2 / 2 · |w|²`, by accelerated gradient descent
/// (Nesterov) with the step that the loss's curvature allows; classes in alphabetical order.
///
/// Features of fewer than `min_support` examples are left out. No examples give no classes. Cost O(steps · features of all
/// examples · classes); the same for any order of threads, since there is one.
pub fn fit(examples: &[Labelled], l2: f64, min_support: usize) -> Weights {
    let classes: Vec<&String> = examples
        .iter()
        .map(|one| &one.class)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let names = supported(examples, min_support);
    let problem = Problem::new(examples, &classes, &names, l2);
    let found = problem.minimise();
    let k = classes.len();
    let row = |at: usize| {
        found[at * k..(at + 1) * k]
            .iter()
            .map(|weight| rounded(*weight))
            .collect()
    };
    Weights {
        classes: classes.into_iter().cloned().collect(),
        bias: row(0),
        features: names
            .iter()
            .enumerate()
            .map(|(at, name)| ((*name).clone(), row(at + 1)))
            .collect(),
    }
}

/// Three decimals: what a reader of the file can follow; no choice on the shipped sets depends on more.
#[expect(
    clippy::cast_possible_truncation,
    reason = "weights are small and have three decimals"
)]
fn rounded(weight: f64) -> f32 {
    ((weight * 1000.0).round() / 1000.0) as f32
}

/// The features of at least so many examples, sorted.
fn supported(examples: &[Labelled], min_support: usize) -> Vec<&String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for feature in examples.iter().flat_map(|one| &one.features) {
        *counts.entry(&feature.name).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(_, n)| *n >= min_support)
        .map(|(name, _)| name)
        .collect()
}

struct Problem {
    /// Positions and values of each example's features; 0 is the bias, which every example has.
    rows: Vec<Vec<(usize, f64)>>,
    targets: Vec<usize>,
    n_features: usize,
    n_classes: usize,
    l2: f64,
}

impl Problem {
    fn new(examples: &[Labelled], classes: &[&String], names: &[&String], l2: f64) -> Self {
        let row = |one: &Labelled| {
            let known = one.features.iter().filter_map(|feature| {
                let at = names.binary_search(&&feature.name).ok()?;
                Some((at + 1, f64::from(feature.value)))
            });
            std::iter::once((0, 1.0)).chain(known).collect()
        };
        Self {
            rows: examples.iter().map(row).collect(),
            targets: examples
                .iter()
                .filter_map(|one| classes.binary_search(&&one.class).ok())
                .collect(),
            n_features: names.len() + 1,
            n_classes: classes.len(),
            l2,
        }
    }

    fn minimise(&self) -> Vec<f64> {
        let mut point = vec![0.0; self.n_features * self.n_classes];
        let mut ahead = point.clone();
        // The curvature of the mean logistic loss is at most half the largest squared length of a row.
        let length = |row: &Vec<(usize, f64)>| row.iter().map(|(_, value)| value * value).sum::<f64>();
        let longest = self.rows.iter().map(length).fold(1.0, f64::max);
        let step = 1.0 / (0.5 * longest + self.l2);
        for round in 0..N_STEPS {
            let gradient = self.gradient(&ahead);
            let next: Vec<f64> = ahead.iter().zip(&gradient).map(|(w, g)| w - step * g).collect();
            let momentum = round as f64 / (round as f64 + 3.0);
            ahead = next
                .iter()
                .zip(&point)
                .map(|(new, old)| new + momentum * (new - old))
                .collect();
            point = next;
        }
        point
    }

    fn gradient(&self, weights: &[f64]) -> Vec<f64> {
        let k = self.n_classes;
        let share = 1.0 / self.rows.len().max(1) as f64;
        let mut gradient: Vec<f64> = weights.iter().map(|weight| self.l2 * weight).collect();
        for (row, target) in self.rows.iter().zip(&self.targets) {
            let errors = self.errors(weights, row, *target);
            for (feature, value) in row {
                let slots = &mut gradient[feature * k..(feature + 1) * k];
                slots
                    .iter_mut()
                    .zip(&errors)
                    .for_each(|(slot, error)| *slot += share * error * value);
            }
        }
        // The bias is not held to zero: classes may be of any size.
        gradient[..k]
            .iter_mut()
            .zip(weights)
            .for_each(|(slot, weight)| *slot -= self.l2 * weight);
        gradient
    }

    /// Probability of each class, less 1 for the right one.
    fn errors(&self, weights: &[f64], row: &[(usize, f64)], target: usize) -> Vec<f64> {
        let k = self.n_classes;
        let score = |class: usize| {
            let parts = row.iter().map(|(feature, value)| value * weights[feature * k + class]);
            parts.sum::<f64>()
        };
        let scores: Vec<f64> = (0..k).map(score).collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
        let sum: f64 = powers.iter().sum();
        let hit = |class: usize| if class == target { 1.0 } else { 0.0 };
        powers
            .iter()
            .enumerate()
            .map(|(class, power)| power / sum - hit(class))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(features: &[&str], class: &str) -> Labelled {
        let features = features.iter().copied().map(Feature::present).collect();
        Labelled {
            features,
            class: class.to_owned(),
        }
    }

    #[test]
    fn what_tells_classes_apart_gets_weight() {
        let examples = [
            example(&["sum", "the"], "table"),
            example(&["sum"], "table"),
            example(&["cause", "the"], "graph"),
            example(&["cause"], "graph"),
        ];
        let weights = fit(&examples, 0.01, 2);
        assert_eq!(weights.classes, ["graph", "table"]);
        assert_eq!(weights.choose(&[Feature::present("sum")]).unwrap().class, "table");
        assert_eq!(weights.choose(&[Feature::present("cause")]).unwrap().class, "graph");
        let the = &weights.features["the"];
        assert!((the[0] - the[1]).abs() < 1e-3, "{the:?}");
        assert_eq!(fit(&examples, 0.01, 3).features.len(), 0);
    }

    #[test]
    fn nothing_to_learn_from_gives_no_classes() {
        assert_eq!(fit(&[], 0.1, 1).classes.len(), 0);
    }

    #[test]
    fn one_feature_has_the_weight_that_solves_the_equation() {
        // Two classes, one feature in all examples of one class: by symmetry the weights are ±w, and the gradient
        // σ(2w + b₁ − b₀) … vanishes at the minimum.
        let examples = [example(&["x"], "a"), example(&[], "b")];
        let l2 = 0.1_f64;
        let weights = fit(&examples, l2, 1);
        let (x, bias) = (&weights.features["x"], &weights.bias);
        assert!((x[0] + x[1]).abs() < 2e-3);
        let score = [bias[0] + x[0], bias[1] + x[1]];
        let p = score[0].exp() / (score[0].exp() + score[1].exp());
        let gradient = 0.5 * (p - 1.0) + 0.1 * x[0];
        assert!(gradient.abs() < 2e-3, "{gradient}");
    }
}

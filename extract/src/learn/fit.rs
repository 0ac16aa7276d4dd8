//! The losses that weights are fitted to.

use super::row::Rows;
use banyan_engine::logistic::minimise;

/// What is to be minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The rows of one group against each other: softmax.
    Group,
    /// That, and each row by itself.
    Both,
}

/// The weights that minimise the weighted loss of `rows` plus `l2 / 2 · |w − start|²`.
///
/// Features that are not supported (fewer than `min_support` groups) keep their start. Cost O(steps · features of all
/// rows).
pub(crate) fn fit(rows: &Rows, start: &[f64], loss: Loss, l2: f64, min_support: usize) -> Vec<f64> {
    let is_free: Vec<bool> = support(rows, start.len()).iter().map(|n| *n >= min_support).collect();
    let problem = Problem {
        rows,
        start,
        l2,
        loss,
        is_free: &is_free,
    };
    minimise(start.to_vec(), |weights, gradient| problem.evaluate(weights, gradient))
}

/// In how many sources each feature occurs.
fn support(rows: &Rows, n: usize) -> Vec<usize> {
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(rows.features.len());
    for at in 0..rows.len() {
        pairs.extend(rows.row(at).iter().map(|feature| (*feature, rows.kinds[at].source)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut counts = vec![0; n];
    for (feature, _) in pairs {
        counts[feature as usize] += 1;
    }
    counts
}

struct Problem<'a> {
    rows: &'a Rows,
    start: &'a [f64],
    l2: f64,
    loss: Loss,
    is_free: &'a [bool],
}

impl Problem<'_> {
    /// The loss and its gradient.
    fn evaluate(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let mut loss = self.group(weights, gradient);
        if self.loss == Loss::Both {
            loss += self.each(weights, gradient);
        }
        for at in 0..weights.len() {
            if self.is_free[at] {
                let away = weights[at] - self.start[at];
                loss += 0.5 * self.l2 * away * away;
                gradient[at] += self.l2 * away;
            } else {
                gradient[at] = 0.0;
            }
        }
        loss
    }

    fn each(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut loss = 0.0;
        for at in 0..self.rows.len() {
            let score = self.rows.score(at, weights);
            let label = f64::from(u8::from(self.rows.kinds[at].label));
            let weight = self.rows.kinds[at].weight;
            // log(1 + e^z) − y z, without overflow.
            loss += weight * (score.max(0.0) + (-score.abs()).exp().ln_1p() - label * score);
            let slope = weight * (1.0 / (1.0 + (-score).exp()) - label);
            for feature in self.rows.row(at) {
                gradient[*feature as usize] += slope;
            }
        }
        loss
    }

    /// Minus the logarithm of the share that the rows labelled true have of their group.
    fn group(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut loss = 0.0;
        let mut start = 0;
        for rows in self.rows.kinds.chunk_by(|a, b| a.group == b.group) {
            let first = start;
            start += rows.len();
            if rows[0].group == 0 || rows.iter().all(|row| !row.label) {
                continue;
            }
            let scores: Vec<f64> = (first..start).map(|at| self.rows.score(at, weights)).collect();
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let masses: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
            let all: f64 = masses.iter().sum();
            let right: f64 = masses
                .iter()
                .zip(rows)
                .filter(|(_, row)| row.label)
                .map(|(mass, _)| mass)
                .sum();
            let weight = rows[0].weight;
            loss -= weight * (right.max(f64::MIN_POSITIVE) / all).ln();
            for (at, (mass, row)) in masses.iter().zip(rows).enumerate() {
                let share = if row.label && right > 0.0 { mass / right } else { 0.0 };
                let slope = weight * (mass / all - share);
                for feature in self.rows.row(first + at) {
                    gradient[*feature as usize] += slope;
                }
            }
        }
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row;
    use super::*;
    use crate::statement::weights::FeatureSink;

    /// One feature on in 3 of 4 rows labelled true; without a penalty the weight of a lone feature is the logarithm of
    /// its odds.
    #[test]
    fn a_lone_feature_weighs_the_logarithm_of_its_odds() {
        let mut rows = Rows::default();
        for label in [true, true, true, false] {
            rows.put("on", &[]);
            rows.finish(Row {
                label,
                weight: 1.0,
                offset: 0.0,
                source: 0,
                group: 0,
            });
        }
        let weights = fit(&rows, &[0.0, 0.5], Loss::Both, 1e-9, 1);
        assert!((weights[0] - 3.0_f64.ln()).abs() < 1e-3, "{weights:?}");
        let is_kept = (weights[1] - 0.5).abs() < 1e-12;
        assert!(is_kept, "an unseen feature keeps its start: {weights:?}");
    }
}

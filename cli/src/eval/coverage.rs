//! Risk and coverage: how wrong answers are where only the surest are given.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Shares of questions answered at which the curve is shown.
const SHOWN: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 1.0];

/// The risk–coverage curve of answers that were given in order of confidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Points `(coverage, accuracy)`, one a question, by rising coverage; risk is 1 − accuracy. Among equal confidences
    /// the mean counts, so their order does not matter.
    pub curve: Vec<(f64, f64)>,
    /// Area under risk over coverage, the mean risk of all points, 0..=1; lower is better.
    pub aurc: f64,
    /// The same for confidences that order the answers perfectly: what no confidence beats.
    pub best_aurc: f64,
    /// Accuracy where the surer half is answered.
    pub half: f64,
    /// Accuracy where everything is answered: the mean, and what an uninformed confidence gives at any coverage.
    pub whole: f64,
}

impl Coverage {
    /// The curve of `(confidence, correctness)`, correctness in 0..=1; `None` for no answers. Cost O(n log n).
    pub fn new(answers: &[(f64, f64)]) -> Option<Self> {
        let whole = answers.iter().map(|answer| answer.1).sum::<f64>() / answers.len() as f64;
        let curve = curve(answers);
        let perfect: Vec<(f64, f64)> = answers.iter().map(|answer| (answer.1, answer.1)).collect();
        (!answers.is_empty()).then(|| Self {
            aurc: area(&curve),
            best_aurc: area(&self::curve(&perfect)),
            half: at(&curve, 0.5),
            whole,
            curve,
        })
    }

    /// Accuracy with the surest `share` of all questions answered, 0..=1.
    pub fn accuracy(&self, share: f64) -> f64 {
        at(&self.curve, share)
    }
}

fn curve(answers: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = answers.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut points = Vec::with_capacity(sorted.len());
    let (mut sum, mut n) = (0.0, 0_usize);
    for tied in sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let mean = tied.iter().map(|answer| answer.1).sum::<f64>() / tied.len() as f64;
        for _ in tied {
            n += 1;
            sum += mean;
            points.push((n as f64 / sorted.len() as f64, sum / n as f64));
        }
    }
    points
}

fn area(curve: &[(f64, f64)]) -> f64 {
    curve.iter().map(|(_, accuracy)| 1.0 - accuracy).sum::<f64>() / curve.len().max(1) as f64
}

fn at(curve: &[(f64, f64)], share: f64) -> f64 {
    let first = curve.iter().find(|(coverage, _)| *coverage >= share - 1e-9);
    first.map_or(0.0, |(_, accuracy)| *accuracy)
}

impl Display for Coverage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "surest answers first, accuracy")?;
        for share in SHOWN {
            write!(f, " {:.3} at {:.0} %,", self.accuracy(share), share * 100.0)?;
        }
        write!(
            f,
            " area under risk {:.3} (best possible {:.3})",
            self.aurc, self.best_aurc
        )?;
        if self.whole > 0.0 {
            write!(f, "; half over all {:.2}", self.half / self.whole)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_computed_curve_agrees() {
        let coverage = Coverage::new(&[(0.2, 0.0), (0.9, 1.0), (0.5, 0.0), (0.4, 1.0)]).unwrap();
        assert_eq!(coverage.curve, [(0.25, 1.0), (0.5, 0.5), (0.75, 2.0 / 3.0), (1.0, 0.5)]);
        assert!((coverage.aurc - (0.0 + 0.5 + 1.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12);
        assert!((coverage.best_aurc - (1.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12);
        assert!((coverage.half - 0.5).abs() < 1e-12 && (coverage.whole - 0.5).abs() < 1e-12);
    }

    #[test]
    fn equal_confidences_give_the_mean_in_any_order() {
        let one = Coverage::new(&[(0.5, 1.0), (0.5, 0.0), (0.5, 0.0)]).unwrap();
        let other = Coverage::new(&[(0.5, 0.0), (0.5, 0.0), (0.5, 1.0)]).unwrap();
        assert_eq!(one, other);
        assert!((one.half - one.whole).abs() < 1e-12);
    }

    #[test]
    fn no_answers_have_no_curve() {
        assert_eq!(Coverage::new(&[]), None);
    }
}

//! Figures of a part: means with intervals, beside the baseline.

use super::paired::Paired;
use super::part::{Method, Part};
use crate::eval::metric::Mean;
use serde::Serialize;
use std::collections::BTreeMap;

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
}

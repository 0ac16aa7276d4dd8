//! One set, measured: a value for every question, method and metric.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A set with what every method made of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The set's name.
    pub set: String,
    /// Where its figures come from.
    pub source: Source,
    /// The questions, in the set's order.
    pub questions: Vec<Asked>,
    /// What each method made of them, by the method's name.
    pub methods: BTreeMap<String, Method>,
    /// The method that the others are compared with.
    pub baseline: String,
    /// Means by `method metric` under each further seed of the communities, in the suite's order; empty where none was asked
    /// for, and left out where no seed changes a mean.
    #[serde(default)]
    pub spreads: BTreeMap<String, Vec<f64>>,
    /// What it took.
    pub cost: Cost,
}

/// What figures can be checked by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The command that measures this set alone.
    pub command: String,
    /// SHA-256 of the store's dump, hexadecimal; empty where there is no store.
    pub store: String,
    /// Identity of the embedder.
    pub embedder: String,
    /// Documents of the corpus.
    pub n_documents: usize,
}

/// A question of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The set's id of it.
    pub id: String,
    /// The question.
    pub text: String,
    /// Answers that count as right; empty where none is known.
    #[serde(default)]
    pub accepted: Vec<String>,
    /// Groups that it counts in, such as `bridge` or `2 hops`.
    pub groups: Vec<String>,
}

/// What a method made of the questions; every list runs in parallel with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Values by metric, higher is better; `None` where a question does not count in it.
    pub scores: BTreeMap<String, Vec<Option<f64>>>,
    /// Answers given; empty for a method that gives none.
    pub answers: Vec<Option<String>>,
    /// How sure it was of each answer, 0..=1; empty for a method that does not say.
    pub confidence: Vec<f64>,
}

/// What measuring a set took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// CPU seconds of the build, apart from embedding.
    pub build_cpu_seconds: f64,
    /// CPU seconds of embedding; zero where all vectors were known.
    pub embedding_cpu_seconds: f64,
    /// Most memory in megabytes.
    pub peak_mb: Option<u64>,
    /// Milliseconds of each question, search and answer, in rising order.
    pub query_ms: Vec<f64>,
    /// Calls of a language model.
    pub n_calls: u64,
    /// Tokens of prompts and replies.
    pub n_tokens: u64,
}

impl Cost {
    /// Milliseconds that `percent` of the questions stay within, 0 without any.
    pub fn percentile(&self, percent: usize) -> f64 {
        let at = (self.query_ms.len() * percent).div_ceil(100).saturating_sub(1);
        self.query_ms.get(at).copied().unwrap_or(0.0)
    }
}

impl Method {
    /// The metric's values with the positions of the questions that count.
    pub fn values(&self, metric: &str) -> impl Iterator<Item = (usize, f64)> {
        let values = self.scores.get(metric).into_iter().flatten().enumerate();
        values.filter_map(|(at, value)| Some((at, (*value)?)))
    }
}

impl Part {
    /// Names of all metrics that a method has, in order.
    pub fn metrics(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .methods
            .values()
            .flat_map(|method| method.scores.keys().map(String::as_str))
            .collect();
        names.sort_by_key(|name| order(name));
        names.dedup();
        names
    }
}

/// `recall@10` after `recall@5`.
fn order(metric: &str) -> (&str, usize) {
    let (name, k) = metric.split_once('@').unwrap_or((metric, ""));
    (name, k.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_come_in_the_order_of_k() {
        let scores = ["recall@10", "recall@5", "em"].map(|name| (name.to_owned(), Vec::new()));
        let method = Method {
            scores: BTreeMap::from(scores),
            ..Method::default()
        };
        let part = Part {
            methods: BTreeMap::from([("a".to_owned(), method.clone()), ("b".to_owned(), method)]),
            ..Part::default()
        };
        assert_eq!(part.metrics(), ["em", "recall@5", "recall@10"]);
    }

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let cost = Cost {
            query_ms: vec![1.0, 2.0, 3.0, 10.0],
            ..Cost::default()
        };
        assert!((cost.percentile(50) - 2.0).abs() < 1e-12);
        assert!((cost.percentile(95) - 10.0).abs() < 1e-12);
        assert!(Cost::default().percentile(50).abs() < 1e-12);
    }
}

//! One set, measured: a value for every question, method and metric.

use crate::cpu;
use crate::eval::metric::rounded;
use crate::timing::Timing;
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
    /// Figures over all questions together, such as F1 of what was found.
    #[serde(default)]
    pub totals: Vec<Total>,
    /// The method that the others are compared with.
    pub baseline: String,
    /// What it took.
    pub cost: Cost,
}

/// What figures can be checked by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
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

/// A figure over all questions together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// The method.
    pub method: String,
    /// The metric, higher is better.
    pub metric: String,
    /// What it counts over.
    pub n: usize,
    /// Its value.
    pub value: f64,
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
    /// What a build took; its peak of memory counts where that was counted from its start, as `is_fresh` tells.
    pub(in crate::eval) fn of_build(timing: &Timing, is_fresh: bool) -> Self {
        Self {
            build_cpu_seconds: rounded(timing.cpu(false)),
            embedding_cpu_seconds: rounded(timing.cpu(true)),
            peak_mb: cpu::peak_mb().filter(|_| is_fresh),
            ..Self::default()
        }
    }
}

/// The value that `percent` of sorted values stay within, 0 without any.
pub fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0.0)
}

impl Method {
    /// The metric's values with the positions of the questions that count.
    pub fn values(&self, metric: &str) -> impl Iterator<Item = (usize, f64)> {
        let values = self.scores.get(metric).into_iter().flatten().enumerate();
        values.filter_map(|(at, value)| Some((at, (*value)?)))
    }
}

impl Part {
    /// Sets down the value of a metric for the question at a position.
    pub fn score(&mut self, method: &str, metric: &str, question: usize, value: f64) {
        let n = self.questions.len();
        let method = self.methods.entry(method.to_owned()).or_default();
        let values = method.scores.entry(metric.to_owned()).or_insert_with(|| vec![None; n]);
        if let Some(slot) = values.get_mut(question) {
            *slot = Some(rounded(value));
        }
    }

    /// Sets down the answer to the next question, and how sure it is.
    pub fn answer(&mut self, method: &str, answer: Option<String>, confidence: f64) {
        let method = self.methods.entry(method.to_owned()).or_default();
        method.answers.push(answer);
        method.confidence.push(confidence);
    }

    /// Sets down a figure over `n` things together.
    pub fn total(&mut self, method: &str, metric: &str, n: usize, value: f64) {
        self.totals.push(Total {
            method: method.to_owned(),
            metric: metric.to_owned(),
            n,
            value: rounded(value),
        });
    }

    /// Names of all metrics that a method has, those of single questions first, `recall@10` after `recall@5`.
    pub fn metrics(&self) -> Vec<&str> {
        let scores = self.methods.values().flat_map(|method| method.scores.keys());
        let mut names: Vec<&str> = scores.map(String::as_str).collect();
        names.sort_by_key(|name| order(name));
        names.dedup();
        for total in &self.totals {
            if !names.contains(&total.metric.as_str()) {
                names.push(&total.metric);
            }
        }
        names
    }

    /// Names of all methods, those with answers of single questions first.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.methods.keys().map(String::as_str).collect();
        for total in &self.totals {
            if !names.contains(&total.method.as_str()) {
                names.push(&total.method);
            }
        }
        names
    }
}

fn order(metric: &str) -> (&str, usize) {
    let (name, k) = metric.split_once('@').unwrap_or((metric, ""));
    (name, k.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_come_in_the_order_of_k_and_totals_last() {
        let mut part = Part {
            questions: vec![Asked::default()],
            ..Part::default()
        };
        for metric in ["recall@10", "recall@5", "em"] {
            part.score("a", metric, 0, 1.0);
        }
        part.total("b", "f1", 3, 0.5);
        assert_eq!(part.metrics(), ["em", "recall@5", "recall@10", "f1"]);
        assert_eq!(part.names(), ["a", "b"]);
    }

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let times = [1.0, 2.0, 3.0, 10.0];
        let found = [(&times[..], 50), (&times, 95), (&[], 50)].map(|(sorted, percent)| percentile(sorted, percent));
        assert_eq!(found.map(f64::to_bits), [2.0, 10.0, 0.0].map(f64::to_bits));
    }
}

//! The report of a retrieval evaluation: a table for people, JSON for programs.

use super::metric::{Mean, all_gold, recall};
use super::multihop::Ranking;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// Figures of one system, by k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct System {
    /// Mean share of gold passages among the first k.
    pub recall: BTreeMap<usize, f64>,
    /// Share of questions with all gold passages among the first k.
    pub all_gold: BTreeMap<usize, f64>,
    /// 95 % bootstrap intervals of both.
    pub interval: Intervals,
}

/// 95 % bootstrap intervals, by k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Intervals {
    /// Of [`System::recall`].
    pub recall: BTreeMap<usize, (f64, f64)>,
    /// Of [`System::all_gold`].
    pub all_gold: BTreeMap<usize, (f64, f64)>,
}

impl System {
    /// The figures of `rankings` against `gold`, question by question; questions without gold are left out.
    pub fn new(rankings: &[Ranking], gold: &[BTreeSet<usize>], ks: &[usize], seed: u64) -> Self {
        let mut system = Self::default();
        let answerable: Vec<_> = rankings.iter().zip(gold).filter(|(_, gold)| !gold.is_empty()).collect();
        for k in ks {
            let mean = |metric: fn(&[usize], &BTreeSet<usize>, usize) -> f64| {
                let values: Vec<f64> = answerable
                    .iter()
                    .map(|(ranked, gold)| metric(ranked, gold, *k))
                    .collect();
                Mean::of(&values, seed)
            };
            let (r, a) = (mean(recall), mean(all_gold));
            system.recall.insert(*k, r.value);
            system.all_gold.insert(*k, a.value);
            system.interval.recall.insert(*k, r.interval);
            system.interval.all_gold.insert(*k, a.interval);
        }
        system
    }
}

/// Every system's figures on one set of questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the set.
    pub dataset: String,
    /// Identity of the embedder, `none` without one.
    pub embedder: String,
    /// Passages in the corpus.
    pub passages: usize,
    /// Questions asked.
    pub questions: usize,
    /// Questions with gold passages: those that count.
    pub scored: usize,
    /// Figures by system.
    pub systems: BTreeMap<String, System>,
    /// Embedded answers to the questions that have accepted ones.
    pub answers: Option<Answers>,
}

/// How well the embedded answers match the accepted ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Answers {
    /// Questions with an accepted answer.
    pub scored: usize,
    /// Mean exact match.
    pub em: f64,
    /// Mean token F1.
    pub f1: f64,
}

impl Answers {
    /// The means of `(exact match, F1)` pairs; `None` for no pairs.
    pub fn new(scores: &[(f64, f64)]) -> Option<Self> {
        let n = scores.len() as f64;
        (!scores.is_empty()).then(|| Self {
            scored: scores.len(),
            em: scores.iter().map(|score| score.0).sum::<f64>() / n,
            f1: scores.iter().map(|score| score.1).sum::<f64>() / n,
        })
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            dataset,
            embedder,
            passages,
            questions,
            scored,
            ..
        } = self;
        writeln!(
            f,
            "{dataset}: {passages} passages, {questions} questions ({scored} with gold), embedder {embedder}"
        )?;
        let ks: Vec<usize> = self
            .systems
            .values()
            .next()
            .map_or_else(Vec::new, |s| s.recall.keys().copied().collect());
        write!(f, "{:<8}", "")?;
        for name in ["recall", "all-gold"] {
            for k in &ks {
                write!(f, " {:<17}", format!("{name}@{k}"))?;
            }
        }
        writeln!(f)?;
        for (name, system) in &self.systems {
            write!(f, "{name:<8}")?;
            let recall = system.recall.iter().zip(system.interval.recall.values());
            let all_gold = system.all_gold.iter().zip(system.interval.all_gold.values());
            for ((_, value), (low, high)) in recall.chain(all_gold) {
                write!(f, " {value:.3} [{low:.2}, {high:.2}]")?;
            }
            writeln!(f)?;
        }
        if let Some(Answers { scored, em, f1 }) = self.answers {
            writeln!(
                f,
                "answers without a model: exact match {em:.3}, F1 {f1:.3} on {scored} questions"
            )?;
        }
        write!(f, "in brackets: 95 % bootstrap intervals over the questions")
    }
}

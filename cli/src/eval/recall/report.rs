//! The report of a retrieval evaluation: a table for people, JSON for programs.

use super::ablation::Ablation;
use super::asked::{Asked, Group};
use crate::eval::coverage::Coverage;
use crate::eval::metric::{Mean, all_gold, recall};
use crate::eval::ranking::Ranking;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// Figures of one system, by k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct System {
    /// Mean share of gold passages among the first k.
    pub(crate) recall: BTreeMap<usize, f64>,
    /// Share of questions with all gold passages among the first k.
    pub(crate) all_gold: BTreeMap<usize, f64>,
    /// 95 % bootstrap intervals of both.
    pub(crate) interval: Intervals,
}

/// 95 % bootstrap intervals, by k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Intervals {
    /// Of [`System::recall`].
    pub(crate) recall: BTreeMap<usize, (f64, f64)>,
    /// Of [`System::all_gold`].
    pub(crate) all_gold: BTreeMap<usize, (f64, f64)>,
}

impl System {
    /// The figures of `rankings` against `gold`, question by question; questions without gold are left out.
    pub(crate) fn new(rankings: &[Ranking], gold: &[BTreeSet<usize>], ks: &[usize], seed: u64) -> Self {
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
pub(crate) struct Report {
    /// Name of the set.
    pub(crate) dataset: String,
    /// Identity of the embedder, `none` without one.
    pub(crate) embedder: String,
    /// Passages in the corpus.
    pub(crate) passages: usize,
    /// Questions asked.
    pub(crate) questions: usize,
    /// Questions with gold passages: those that count.
    pub(crate) scored: usize,
    /// Figures by system.
    pub(crate) systems: BTreeMap<String, System>,
    /// Embedded answers to the questions that have accepted ones.
    pub(crate) answers: Option<Answers>,
    /// Reject mode by exact match and by F1, where there are accepted answers.
    pub(crate) rejection: Option<Rejection>,
    /// Banyan's figures by the set's kind of question and by number of gold passages.
    pub(crate) groups: BTreeMap<String, Group>,
    /// What each route is worth, where that was asked for.
    pub(crate) ablation: Option<Ablation>,
}

/// Answers in the order of how well the evidence suffices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Rejection {
    /// Accuracy is exact match.
    pub(crate) em: Coverage,
    /// Accuracy is F1.
    pub(crate) f1: Coverage,
}

impl Rejection {
    /// The curves over the questions with accepted answers; a question without an answer is the least sure. `None`
    /// without such questions.
    pub(crate) fn new(asked: &[Asked]) -> Option<Self> {
        let sure = |asked: &Asked| asked.answer.as_ref().map_or(-1.0, |_| f64::from(asked.sufficiency));
        let of = |score: fn(&Asked) -> Option<f64>| {
            let answers: Vec<(f64, f64)> = asked.iter().filter_map(|one| Some((sure(one), score(one)?))).collect();
            Coverage::new(&answers)
        };
        Some(Self {
            em: of(|asked| asked.em)?,
            f1: of(|asked| asked.f1)?,
        })
    }
}

/// How well the embedded answers match the accepted ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Answers {
    /// Questions with an accepted answer.
    pub(crate) scored: usize,
    /// Mean exact match.
    pub(crate) em: f64,
    /// Mean token F1.
    pub(crate) f1: f64,
}

impl Answers {
    /// The means of `(exact match, F1)` pairs; `None` for no pairs.
    pub(crate) fn new(scores: &[(f64, f64)]) -> Option<Self> {
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
        self.show_systems(f)?;
        if let Some(Answers { scored, em, f1 }) = self.answers {
            writeln!(
                f,
                "answers without a model: exact match {em:.3}, F1 {f1:.3} on {scored} questions"
            )?;
        }
        if let Some(Rejection { em, f1 }) = &self.rejection {
            writeln!(f, "by exact match: {em}\nby F1: {f1}")?;
        }
        self.show_groups(f)?;
        if let Some(ablation) = &self.ablation {
            writeln!(f, "{ablation}")?;
        }
        write!(f, "in brackets: 95 % bootstrap intervals over the questions")
    }
}

impl Report {
    fn show_systems(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = self.systems.keys().map(String::len).max().unwrap_or(0).max(8);
        write!(f, "{:<width$}", "")?;
        let ks = self.systems.values().next().map(|system| system.recall.keys());
        let ks: Vec<usize> = ks.into_iter().flatten().copied().collect();
        for name in ["recall", "all-gold"] {
            for k in &ks {
                write!(f, " {:<17}", format!("{name}@{k}"))?;
            }
        }
        writeln!(f)?;
        for (name, system) in &self.systems {
            write!(f, "{name:<width$}")?;
            let recall = system.recall.iter().zip(system.interval.recall.values());
            let all_gold = system.all_gold.iter().zip(system.interval.all_gold.values());
            for ((_, value), (low, high)) in recall.chain(all_gold) {
                write!(f, " {value:.3} [{low:.2}, {high:.2}]")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn show_groups(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, group) in &self.groups {
            write!(f, "{name:<16} n {:<4}", group.scored)?;
            for (metric, values) in [("recall", &group.recall), ("all-gold", &group.all_gold)] {
                for (k, value) in values {
                    write!(f, " {metric}@{k} {value:.3}")?;
                }
            }
            if let (Some(em), Some(f1)) = (group.em, group.f1) {
                write!(f, " em {em:.3} f1 {f1:.3}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

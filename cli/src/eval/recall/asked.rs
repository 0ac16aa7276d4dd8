//! What a system made of each question of a set, and figures by group of questions.

use crate::eval::metric::recall;
use crate::eval::ranking::Ranking;
use banyan_engine::QaPair;
use banyan_retrieve::answer::Answer;
use banyan_retrieve::answer::score::score;
use banyan_retrieve::searcher::Searcher;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One question, what was answered and where its gold passages stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Asked {
    /// The set's id of the question.
    pub(crate) id: String,
    /// The set's kind of question.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The question.
    pub(crate) question: String,
    /// Answers that count as right; empty where the set has none.
    pub(crate) accepted: Vec<String>,
    /// The answer given, rejected or not; `None` where nothing was found.
    pub(crate) answer: Option<String>,
    /// Exact match, 0 or 1; `None` without accepted answers.
    pub(crate) em: Option<f64>,
    /// Token F1, 0..=1; `None` without accepted answers.
    pub(crate) f1: Option<f64>,
    /// How well the evidence suffices, 0..=1: what reject mode decides by.
    pub(crate) sufficiency: f32,
    /// Gold passages in canonical order.
    pub(crate) gold: Vec<Gold>,
    /// Titles of the best passages, best first.
    pub(crate) retrieved: Vec<String>,
}

/// A gold passage and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Gold {
    /// Its title.
    pub(crate) title: String,
    /// Its rank from 1; `None` beyond those that were ranked.
    pub(crate) rank: Option<usize>,
}

impl Asked {
    /// Sets down one question: `ranking` and `gold` are documents by position.
    pub(crate) fn new(
        searcher: &Searcher,
        pair: &QaPair,
        answer: &Answer,
        ranking: &[usize],
        gold: &BTreeSet<usize>,
    ) -> Self {
        let title = |document: &usize| searcher.knowledge().documents[*document].title.clone();
        let scores = (!pair.answers.is_empty()).then(|| score(answer.text.as_deref(), &pair.answers));
        Self {
            id: pair.id.clone(),
            kind: pair.kind.clone(),
            question: pair.question.clone(),
            accepted: pair.answers.clone(),
            answer: answer.text.clone(),
            em: scores.map(|scores| scores.0),
            f1: scores.map(|scores| scores.1),
            sufficiency: answer.sufficiency,
            gold: gold
                .iter()
                .map(|document| Gold {
                    title: title(document),
                    rank: ranking
                        .iter()
                        .position(|ranked| ranked == document)
                        .map(|place| place + 1),
                })
                .collect(),
            retrieved: ranking.iter().map(title).collect(),
        }
    }

    /// Exact match and F1, where the question has accepted answers.
    pub(crate) fn scores(&self) -> Option<(f64, f64)> {
        self.em.zip(self.f1)
    }
}

/// Figures of the questions of one group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Group {
    /// Questions with gold passages.
    pub(crate) scored: usize,
    /// Mean share of gold passages among the first k.
    pub(crate) recall: BTreeMap<usize, f64>,
    /// Share of questions with all gold passages among the first k.
    pub(crate) all_gold: BTreeMap<usize, f64>,
    /// Mean exact match of those with accepted answers.
    pub(crate) em: Option<f64>,
    /// Mean F1 of those with accepted answers.
    pub(crate) f1: Option<f64>,
}

impl Group {
    fn of(members: &[(&Asked, &Ranking, &BTreeSet<usize>)], ks: &[usize]) -> Self {
        let mut group = Self {
            scored: members.len(),
            em: mean(members.iter().filter_map(|(asked, ..)| asked.em)),
            f1: mean(members.iter().filter_map(|(asked, ..)| asked.f1)),
            ..Self::default()
        };
        for k in ks {
            let found: Vec<f64> = members
                .iter()
                .map(|(_, ranking, gold)| recall(ranking, gold, *k))
                .collect();
            let whole = found.iter().map(|share| f64::from(u8::from(*share >= 1.0)));
            group.all_gold.insert(*k, mean(whole).unwrap_or(0.0));
            group.recall.insert(*k, mean(found.iter().copied()).unwrap_or(0.0));
        }
        group
    }
}

/// Figures by the set's kind of question and by number of gold passages (`2 gold`); questions without gold are left
/// out. The three lists run in parallel.
pub(crate) fn groups(
    asked: &[Asked],
    rankings: &[Ranking],
    gold: &[BTreeSet<usize>],
    ks: &[usize],
) -> BTreeMap<String, Group> {
    let mut members: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for ((asked, ranking), gold) in asked
        .iter()
        .zip(rankings)
        .zip(gold)
        .filter(|(_, gold)| !gold.is_empty())
    {
        for name in [asked.kind.clone(), format!("{} gold", gold.len())] {
            if !name.is_empty() {
                members.entry(name).or_default().push((asked, ranking, gold));
            }
        }
    }
    let figures = |(name, members): (String, Vec<_>)| (name, Group::of(&members, ks));
    members.into_iter().map(figures).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: &str, em: Option<f64>) -> Asked {
        Asked {
            id: String::new(),
            kind: kind.to_owned(),
            question: String::new(),
            accepted: Vec::new(),
            answer: None,
            em,
            f1: em,
            sufficiency: 0.0,
            gold: Vec::new(),
            retrieved: Vec::new(),
        }
    }

    #[test]
    fn questions_count_in_their_kind_and_in_their_number_of_gold_passages() {
        let questions = [asked("bridge", Some(1.0)), asked("bridge", None), asked("", Some(0.0))];
        let gold = [BTreeSet::from([1, 2]), BTreeSet::from([3]), BTreeSet::from([4, 5])];
        let rankings = [vec![1, 9], vec![3], vec![5, 4]];
        let groups = groups(&questions, &rankings, &gold, &[1, 2]);
        assert_eq!(groups.keys().collect::<Vec<_>>(), ["1 gold", "2 gold", "bridge"]);
        let bridge = &groups["bridge"];
        assert_eq!((bridge.scored, bridge.em), (2, Some(1.0)));
        assert!((bridge.recall[&2] - 0.75).abs() < 1e-12 && (bridge.all_gold[&2] - 0.5).abs() < 1e-12);
        assert_eq!(groups["2 gold"].em, Some(0.5));
    }

    #[test]
    fn a_set_without_gold_has_no_groups() {
        assert!(groups(&[asked("x", None)], &[vec![1]], &[BTreeSet::new()], &[1]).is_empty());
    }
}

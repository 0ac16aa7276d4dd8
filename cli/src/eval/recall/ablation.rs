//! What each route is worth: recall without it, and by it alone.

use super::report::System;
use crate::eval::metric::{Mean, recall};
use crate::eval::ranking::{Ranking, documents};
use banyan_retrieve::config::Config;
use banyan_retrieve::question::Question;
use banyan_retrieve::route::{Route, Routes};
use banyan_retrieve::searcher::Searcher;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// The rankings of one question with every route taken away, and with every route alone; in the order of [`Route::ALL`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Variants {
    /// Without each route.
    pub(crate) without: Vec<Ranking>,
    /// By each route alone.
    pub(crate) alone: Vec<Ranking>,
}

impl Variants {
    /// Asks a question ten times. `config.top_k` chunks are ranked for `top_k` documents.
    pub(crate) fn ask(searcher: &Searcher, question: &Question, config: &Config, top_k: usize) -> Self {
        let rank = |routes| {
            let evidence = searcher.search(
                question,
                &Config {
                    routes,
                    ..config.clone()
                },
            );
            documents(searcher, evidence.passages.iter().map(|passage| passage.chunk), top_k)
        };
        Self {
            without: Route::ALL
                .into_iter()
                .map(|route| rank(config.routes.without(route)))
                .collect(),
            alone: Route::ALL.into_iter().map(|route| rank(Routes::only(route))).collect(),
        }
    }
}

/// One route, taken away and alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ablated {
    /// The route.
    pub(crate) route: Route,
    /// Figures of all others together.
    pub(crate) without: System,
    /// Its own figures.
    pub(crate) alone: System,
    /// By k, what recall loses without it, question by question; the interval tells whether that is chance.
    pub(crate) loss: BTreeMap<usize, Mean>,
    /// By k, questions whose recall falls and rises without it.
    pub(crate) moved: BTreeMap<usize, (usize, usize)>,
}

/// Every route, taken away and alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Ablation(pub Vec<Ablated>);

impl Ablation {
    /// The figures of `variants` beside the rankings by all routes; the three lists run in parallel, and questions without
    /// gold are left out.
    pub(crate) fn new(
        variants: &[Variants],
        all: &[Ranking],
        gold: &[BTreeSet<usize>],
        ks: &[usize],
        seed: u64,
    ) -> Self {
        let ablated = |(position, route)| {
            let pick = |of: fn(&Variants) -> &Vec<Ranking>| -> Vec<Ranking> {
                variants
                    .iter()
                    .filter_map(|one| of(one).get(position).cloned())
                    .collect()
            };
            let without = pick(|one| &one.without);
            let mut found = Ablated {
                route,
                alone: System::new(&pick(|one| &one.alone), gold, ks, seed),
                loss: BTreeMap::new(),
                moved: BTreeMap::new(),
                without: System::new(&without, gold, ks, seed),
            };
            for k in ks {
                let differences = differences(all, &without, gold, *k);
                let n = |sign: f64| differences.iter().filter(|loss| **loss * sign > 0.0).count();
                found.moved.insert(*k, (n(1.0), n(-1.0)));
                found.loss.insert(*k, Mean::of(&differences, seed));
            }
            found
        };
        Self(Route::ALL.into_iter().enumerate().map(ablated).collect())
    }
}

fn differences(all: &[Ranking], without: &[Ranking], gold: &[BTreeSet<usize>], k: usize) -> Vec<f64> {
    let questions = all.iter().zip(without).zip(gold).filter(|(_, gold)| !gold.is_empty());
    questions
        .map(|((all, without), gold)| recall(all, gold, k) - recall(without, gold, k))
        .collect()
}

impl Display for Ablation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "what a route's removal costs in recall (questions that lose, that gain), and recall by it alone"
        )?;
        for Ablated {
            route,
            alone,
            loss,
            moved,
            ..
        } in &self.0
        {
            write!(f, "\n{route:<12}")?;
            for ((k, Mean { value, interval }), (lost, gained)) in loss.iter().zip(moved.values()) {
                let (low, high) = interval;
                write!(f, " @{k} {value:+.3} [{low:+.2}, {high:+.2}] ({lost}, {gained})")?;
            }
            write!(f, "  alone")?;
            for (k, value) in &alone.recall {
                write!(f, " @{k} {value:.3}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_worth_what_recall_loses_without_it() {
        let gold = [BTreeSet::from([1]), BTreeSet::from([2]), BTreeSet::new()];
        let all = [vec![1], vec![9, 2], vec![5]];
        let variant = |ranking: Ranking| Variants {
            without: vec![ranking.clone(); Route::ALL.len()],
            alone: vec![ranking; Route::ALL.len()],
        };
        let variants = [variant(vec![7]), variant(vec![2]), variant(vec![])];
        let ablation = Ablation::new(&variants, &all, &gold, &[1, 2], 1);
        let first = &ablation.0[0];
        assert_eq!(first.moved[&1], (1, 1));
        assert!(first.loss[&1].value.abs() < 1e-12 && (first.loss[&2].value - 0.5).abs() < 1e-12);
        assert!((first.alone.recall[&1] - 0.5).abs() < 1e-12);
    }
}

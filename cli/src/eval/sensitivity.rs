//! Whether the weights of retrieval stand on a plateau: recall with each of them halved and raised by half.

use super::metric::{Mean, recall};
use super::multihop::{Ranking, documents};
use banyan_retrieve::config::Config;
use banyan_retrieve::question::Question;
use banyan_retrieve::searcher::Searcher;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

/// What each weight is multiplied by.
pub const FACTORS: [f32; 2] = [0.5, 1.5];

/// A weight of [`Config`] by name, and how to change it.
type Weight = (&'static str, fn(&mut Config) -> &mut f32);

/// Every weight that is no limit.
const WEIGHTS: [Weight; 16] = [
    ("lexical_share", |config| &mut config.lexical_share),
    ("entity_weight", |config| &mut config.entity_weight),
    ("first_hop", |config| &mut config.first_hop),
    ("further_hop", |config| &mut config.further_hop),
    ("link_share", |config| &mut config.link_share),
    ("residual_share", |config| &mut config.residual_share),
    ("similarity_share", |config| &mut config.similarity_share),
    ("topic_share", |config| &mut config.topic_share),
    ("rarity_exponent", |config| &mut config.rarity_exponent),
    ("max_frequency", |config| &mut config.max_frequency),
    ("own_entity", |config| &mut config.own_entity),
    ("agreement", |config| &mut config.agreement),
    ("cosine_share", |config| &mut config.cosine_share),
    ("further_end", |config| &mut config.further_end),
    ("triple_weight", |config| &mut config.triple_weight),
    ("community_weight", |config| &mut config.community_weight),
];

/// The rankings of one question with each weight changed: by weight, then by [`FACTORS`].
pub type Shaken = Vec<Ranking>;

/// Asks a question with every weight changed, one at a time. `config.top_k` chunks are ranked for `top_k` documents.
pub fn shake(searcher: &Searcher, question: &Question, config: &Config, top_k: usize) -> Shaken {
    let changed = WEIGHTS.iter().flat_map(|(_, weight)| {
        FACTORS.map(|factor| {
            let mut changed = config.clone();
            *weight(&mut changed) *= factor;
            changed
        })
    });
    let rank = |config: Config| {
        let evidence = searcher.search(question, &config);
        documents(searcher, evidence.passages.iter().map(|passage| passage.chunk), top_k)
    };
    changed.map(rank).collect()
}

/// What changing one weight by one factor does to recall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The weight.
    pub weight: &'static str,
    /// What it was multiplied by.
    pub factor: f32,
    /// By k, the mean change of recall, with its 95 % bootstrap interval over the questions.
    pub recall: BTreeMap<usize, Mean>,
}

/// The changes of all weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sensitivity(pub Vec<Change>);

impl Sensitivity {
    /// The figures of `shaken` beside the rankings by unchanged weights; the three lists run in parallel, and questions
    /// without gold are left out.
    pub fn new(shaken: &[Shaken], unchanged: &[Ranking], gold: &[BTreeSet<usize>], ks: &[usize], seed: u64) -> Self {
        let change = |at: usize| {
            let mean = |k: usize| {
                let questions = shaken.iter().zip(unchanged).zip(gold);
                let asked = questions.filter(|(_, gold)| !gold.is_empty());
                let differences = asked.filter_map(|((shaken, unchanged), gold)| {
                    Some(recall(shaken.get(at)?, gold, k) - recall(unchanged, gold, k))
                });
                Mean::of(&differences.collect::<Vec<_>>(), seed)
            };
            Change {
                weight: WEIGHTS[at / FACTORS.len()].0,
                factor: FACTORS[at % FACTORS.len()],
                recall: ks.iter().map(|k| (*k, mean(*k))).collect(),
            }
        };
        Self((0..WEIGHTS.len() * FACTORS.len()).map(change).collect())
    }
}

impl Display for Sensitivity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "what recall gains where one weight is multiplied")?;
        for Change { weight, factor, recall } in &self.0 {
            write!(f, "\n{weight:<17} x{factor}")?;
            for (k, Mean { value, interval }) in recall {
                let (low, high) = interval;
                write!(f, "  @{k} {value:+.3} [{low:+.2}, {high:+.2}]")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_the_mean_difference_of_recall() {
        let gold = [BTreeSet::from([1]), BTreeSet::from([2, 3]), BTreeSet::new()];
        let unchanged = [vec![1], vec![2, 9], vec![7]];
        let n = WEIGHTS.len() * FACTORS.len();
        let mut shaken: Vec<Shaken> = unchanged.iter().map(|ranking| vec![ranking.clone(); n]).collect();
        shaken[1][1] = vec![2, 3];
        let found = Sensitivity::new(&shaken, &unchanged, &gold, &[2], 1);
        assert_eq!((found.0[1].weight, found.0[1].factor), ("lexical_share", 1.5));
        assert!((found.0[1].recall[&2].value - 0.25).abs() < 1e-12);
        assert!(found.0[0].recall[&2].value.abs() < 1e-12);
    }

    #[test]
    fn every_weight_is_changed_alone() {
        for (position, (_, weight)) in WEIGHTS.iter().enumerate() {
            let mut changed = Config::default();
            *weight(&mut changed) *= 2.0;
            assert_ne!(changed, Config::default());
            for (_, other) in WEIGHTS.iter().skip(position + 1) {
                let mut original = Config::default();
                assert!((*other(&mut changed) - *other(&mut original)).abs() < f32::EPSILON);
            }
        }
    }
}

//! Associations: entities that sentences name side by side, weighed by how much more often than apart.

use super::Source;
use crate::id::EntityId;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Names of one sentence that are paired, in text order. Arbitrary: longer sentences are lists.
const MAX_NAMES: usize = 16;
/// Strongest associations of an entity that are kept, beside those that are the strongest of the other end. Arbitrary.
const MAX_KEPT: usize = 24;

/// How many sentences a weight doubts. Arbitrary.
const DISCOUNT: f32 = 2.0;

/// Two entities that are named side by side. No fact: it says that they have to do with each other, not what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Association {
    /// The end with the smaller id.
    pub a: EntityId,
    /// The other one.
    pub b: EntityId,
    /// Sentences that name both.
    pub n: u32,
    /// `n` over the geometric mean of the sentences that name each (Ochiai's coefficient), times `n / (n + 2)`, so that
    /// names that met once are not tied the most; `0..1`.
    pub weight: f32,
    /// Words that join them where no relation of the schema stands for these, most frequent first.
    pub phrases: Vec<String>,
    /// The first place that names both.
    pub source: Source,
}

impl Association {
    /// Whether nothing is left of it, as of [`super::Entity::is_gone`].
    pub fn is_gone(&self) -> bool {
        self.a == self.b
    }

    /// The end that is not this one.
    pub(crate) fn other(&self, id: EntityId) -> EntityId {
        if self.a == id { self.b } else { self.a }
    }

    /// Its weight where so many sentences name each end.
    pub(crate) fn weight_among(&self, n_a: usize, n_b: usize) -> f32 {
        weight(self.n, (n_a.max(1) * n_b.max(1)) as f32)
    }
}

/// Sentences while they are counted.
#[derive(Default)]
pub(super) struct Sentences<'a> {
    counts: HashMap<EntityId, u32>,
    pairs: HashMap<(EntityId, EntityId), Pair<'a>>,
}

struct Pair<'a> {
    n: u32,
    source: Source,
    phrases: BTreeMap<&'a str, usize>,
}

impl<'a> Sentences<'a> {
    /// Counts a sentence with the entities it names, in text order and with repetitions. Cost O(names²), of at most 16.
    pub(super) fn add(&mut self, named: &[EntityId], source: Source) {
        let mut distinct: Vec<EntityId> = Vec::new();
        for entity in named {
            if !distinct.contains(entity) && distinct.len() < MAX_NAMES {
                distinct.push(*entity);
            }
        }
        for (at, one) in distinct.iter().enumerate() {
            *self.counts.entry(*one).or_default() += 1;
            for other in &distinct[at + 1..] {
                self.pair(*one, *other, source).n += 1;
            }
        }
    }

    /// Words that join two entities.
    pub(super) fn join(&mut self, one: EntityId, other: EntityId, phrase: &'a str, source: Source) {
        if one != other && !phrase.is_empty() {
            *self.pair(one, other, source).phrases.entry(phrase).or_default() += 1;
        }
    }

    fn pair(&mut self, one: EntityId, other: EntityId, source: Source) -> &mut Pair<'a> {
        let new = || Pair {
            n: 0,
            source,
            phrases: BTreeMap::new(),
        };
        self.pairs.entry((one.min(other), one.max(other))).or_insert_with(new)
    }

    /// The pairs, and how many sentences name each.
    pub(super) fn pairs(&self) -> impl Iterator<Item = ((EntityId, EntityId), u32)> {
        self.pairs.iter().map(|(ends, pair)| (*ends, pair.n))
    }

    /// The associations, by their ends.
    pub(super) fn finish(self) -> Vec<Association> {
        let count = |entity: &EntityId| self.counts.get(entity).copied().unwrap_or(0).max(1) as f32;
        let weighed = self.pairs.par_iter().map(|((a, b), pair)| Association {
            a: *a,
            b: *b,
            n: pair.n,
            weight: weight(pair.n, count(a) * count(b)),
            phrases: super::assemble::by_frequency(&pair.phrases),
            source: pair.source,
        });
        let mut weighed: Vec<Association> = weighed.collect();
        weighed.par_sort_unstable_by_key(|one| (one.a, one.b));
        strongest(weighed)
    }
}

fn weight(n: u32, product: f32) -> f32 {
    let n = n.max(1) as f32;
    (n / product.sqrt()).min(1.0) * n / (n + DISCOUNT)
}

/// Those that are among the strongest of one of their ends.
fn strongest(all: Vec<Association>) -> Vec<Association> {
    let n_ends = all.iter().map(|one| one.a.max(one.b).index() + 1).max();
    let mut by_end: Vec<Vec<u32>> = vec![Vec::new(); n_ends.unwrap_or(0)];
    for (at, association) in (0..).zip(&all) {
        by_end[association.a.index()].push(at);
        by_end[association.b.index()].push(at);
    }
    by_end.par_iter_mut().for_each(|own| {
        let weight = |at: u32| all[at as usize].weight;
        own.sort_by(|x, y| weight(*y).total_cmp(&weight(*x)).then(x.cmp(y)));
        own.truncate(MAX_KEPT);
    });
    let mut is_kept = vec![false; all.len()];
    for at in by_end.into_iter().flatten() {
        is_kept[at as usize] = true;
    }
    let kept = all.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    kept.map(|(association, _)| association).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;
    use crate::id::ChunkId;

    #[test]
    fn names_that_stand_together_more_than_apart_weigh_more() {
        let source = Source {
            chunk: ChunkId::at(0),
            span: Span::new(0, 9),
        };
        let [a, b, c] = [0, 1, 2].map(EntityId::at);
        let mut sentences = Sentences::default();
        for named in [&[b, a][..], &[a, b, a], &[a, c], &[c], &[c]] {
            sentences.add(named, source);
        }
        sentences.join(b, a, "rowed with", source);
        let found = sentences.finish();
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.a, one.b, one.n, one.phrases.len()))
            .collect();
        assert_eq!(found, [(a, b, 2, 1), (a, c, 1, 0)]);
    }
}

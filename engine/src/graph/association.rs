//! Associations: entities that sentences name side by side, weighed by how much more often than apart.

use super::Source;
use super::assemble::Counts;
use crate::id::EntityId;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

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
    /// How many sentences name each entity.
    counts: Vec<u32>,
    meetings: Vec<Meeting>,
    phrases: Vec<&'a str>,
}

/// One place that names two entities.
#[derive(Clone, Copy)]
struct Meeting {
    /// The smaller id first.
    ends: (EntityId, EntityId),
    source: Source,
    /// Which phrase joins them; none for a sentence that names both.
    phrase: Option<NonZeroU32>,
    /// How many places were counted before.
    at: u32,
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
            if self.counts.len() <= one.index() {
                self.counts.resize(one.index() + 1, 0);
            }
            self.counts[one.index()] += 1;
            for other in &distinct[at + 1..] {
                self.meet(*one, *other, source, None);
            }
        }
    }

    /// Words that join two entities.
    pub(super) fn join(&mut self, one: EntityId, other: EntityId, phrase: &'a str, source: Source) {
        if one != other && !phrase.is_empty() {
            self.phrases.push(phrase);
            let number = u32::try_from(self.phrases.len()).unwrap_or(u32::MAX);
            self.meet(one, other, source, NonZeroU32::new(number));
        }
    }

    fn meet(&mut self, one: EntityId, other: EntityId, source: Source, phrase: Option<NonZeroU32>) {
        let ends = (one.min(other), one.max(other));
        self.meetings.push(Meeting {
            ends,
            source,
            phrase,
            at: u32::try_from(self.meetings.len()).unwrap_or(u32::MAX),
        });
    }

    /// The pairs by their ends, and how many sentences name each. Cost O(m log m) in the number of places.
    pub(super) fn pairs(mut self) -> Vec<((EntityId, EntityId), u32)> {
        self.pairs_sorted()
            .map(|same| (same[0].ends, n_sentences(same)))
            .collect()
    }

    /// The places of each pair, by their ends.
    fn pairs_sorted(&mut self) -> impl Iterator<Item = &[Meeting]> + Clone {
        self.meetings.par_sort_unstable_by_key(|one| (one.ends, one.at));
        self.meetings.chunk_by(|a, b| a.ends == b.ends)
    }

    /// Those associations that are among the strongest of one of their ends, by their ends. Cost as of [`Self::pairs`].
    pub(super) fn finish(mut self) -> Vec<Association> {
        let (counts, phrases) = (std::mem::take(&mut self.counts), std::mem::take(&mut self.phrases));
        let count = |entity: EntityId| counts.get(entity.index()).copied().unwrap_or(0).max(1) as f32;
        let weight = |same: &[Meeting]| weight(n_sentences(same), count(same[0].ends.0) * count(same[0].ends.1));
        let pairs = self.pairs_sorted();
        let weighed: Vec<_> = pairs.clone().map(|same| (same[0].ends, weight(same))).collect();
        let is_kept = strongest(&weighed);
        drop(weighed);
        let mut associations = Vec::with_capacity(is_kept.iter().filter(|is_kept| **is_kept).count());
        for same in pairs.zip(is_kept).filter_map(|(same, is_kept)| is_kept.then_some(same)) {
            let mut said = Counts::default();
            for number in same.iter().filter_map(|one| one.phrase) {
                said.add(phrases[number.get() as usize - 1], 1);
            }
            let (a, b) = same[0].ends;
            associations.push(Association {
                a,
                b,
                n: n_sentences(same),
                weight: weight(same),
                phrases: said.texts(),
                source: same[0].source,
            });
        }
        associations
    }
}

/// How many sentences name both ends.
fn n_sentences(same: &[Meeting]) -> u32 {
    let n = same.iter().filter(|one| one.phrase.is_none()).count();
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn weight(n: u32, product: f32) -> f32 {
    let n = n.max(1) as f32;
    (n / product.sqrt()).min(1.0) * n / (n + DISCOUNT)
}

/// Which pairs, with their weights, are among the strongest of one of their ends.
fn strongest(pairs: &[((EntityId, EntityId), f32)]) -> Vec<bool> {
    let n_ends = pairs.iter().map(|((_, b), _)| b.index() + 1).max();
    let mut by_end: Vec<Vec<u32>> = vec![Vec::new(); n_ends.unwrap_or(0)];
    for (at, ((a, b), _)) in (0..).zip(pairs) {
        by_end[a.index()].push(at);
        by_end[b.index()].push(at);
    }
    by_end.par_iter_mut().for_each(|own| {
        let weight = |at: u32| pairs[at as usize].1;
        own.sort_by(|x, y| weight(*y).total_cmp(&weight(*x)).then(x.cmp(y)));
        own.truncate(MAX_KEPT);
    });
    let mut is_kept = vec![false; pairs.len()];
    for at in by_end.into_iter().flatten() {
        is_kept[at as usize] = true;
    }
    is_kept
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

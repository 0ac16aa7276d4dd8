//! Adjacency and candidates between communities, kept up while communities merge.

use super::candidates::{labels, near};
use super::state::CommunityState;
use crate::profile::Space;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which communities are tied, how strongly, and which pairs are worth comparing.
#[derive(Debug)]
pub(super) struct NeighbourGraph {
    /// `ties[a][b]`: what the members of `a` have in `b` of their closed neighbourhoods, summed, and those of `b` in `a`.
    /// Entries of what was joined to another stay, and are passed over.
    ties: Vec<FxHashMap<u32, (f32, f32)>>,
    /// Which were joined to another.
    is_gone: Vec<bool>,
    /// Candidates for a merge, both ways.
    near: Vec<BTreeSet<usize>>,
}

impl NeighbourGraph {
    /// The graph of these communities. Cost O(t log k) and that of [`near`].
    pub(super) fn new(space: &Space, communities: &[CommunityState]) -> Self {
        let labels = labels(space, communities);
        let scales: Vec<f32> = space.ties.degrees.iter().map(|degree| 1.0 / (degree + 1.0)).collect();
        let ties = communities.par_iter().enumerate().map(|(own, community)| {
            let mut ties: Vec<(u32, (f32, f32))> = Vec::new();
            for &member in &community.members {
                let row = space.ties.neighbours.row(member as usize).iter();
                ties.extend(row.map(|&(other, weight)| {
                    let other = other as usize;
                    (
                        labels[other],
                        (weight * scales[member as usize], weight * scales[other]),
                    )
                }));
            }
            ties.retain(|tie| tie.0 != key(own));
            ties.sort_by_key(|tie| tie.0);
            let same = ties.chunk_by(|a, b| a.0 == b.0);
            let sum = |same: &[(u32, (f32, f32))]| same.iter().fold((0.0, 0.0), |sum, tie| plus(sum, tie.1));
            same.map(|same| (same[0].0, sum(same))).collect()
        });
        let mut graph = Self {
            ties: ties.collect(),
            is_gone: vec![false; communities.len()],
            near: vec![BTreeSet::new(); communities.len()],
        };
        for (position, list) in near(space, communities).into_iter().enumerate() {
            for other in list {
                graph.near[position].insert(other);
                graph.near[other].insert(position);
            }
        }
        graph
    }

    /// Adjacency of `a` to `b` and of `b` to `a`.
    pub(super) fn ties(&self, a: usize, b: usize) -> (f32, f32) {
        self.ties[a].get(&key(b)).copied().unwrap_or_default()
    }

    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let lists = self.near.iter().enumerate();
        lists
            .flat_map(|(a, list)| list.range(a + 1..).map(move |b| (a, *b)))
            .collect()
    }

    pub(super) fn pairs_of(&self, a: usize) -> Vec<(usize, usize)> {
        self.near[a]
            .iter()
            .map(|other| (a.min(*other), a.max(*other)))
            .collect()
    }

    /// Number of communities that `a` is or was tied to.
    pub(super) fn n_ties(&self, a: usize) -> usize {
        self.ties[a].len()
    }

    /// `a` takes over ties and candidates of `b`. Cost O(t + c) in the ties and candidates of `b`.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let one = key(a);
        self.is_gone[b] = true;
        #[allow(clippy::iter_over_hash_type, reason = "each is added to another")]
        for (to, (there, back)) in std::mem::take(&mut self.ties[b]) {
            if to == one || self.is_gone[to as usize] {
                continue;
            }
            for (from, to, ties) in [(one, to, (there, back)), (to, one, (back, there))] {
                let known = self.ties[from as usize].entry(to).or_default();
                *known = plus(*known, ties);
            }
        }
        for other in std::mem::take(&mut self.near[b]) {
            self.near[other].remove(&b);
            if other != a {
                self.near[other].insert(a);
                self.near[a].insert(other);
            }
        }
    }

    /// Forgets that a pair is worth comparing.
    pub(super) fn part(&mut self, (a, b): (usize, usize)) {
        self.near[a].remove(&b);
        self.near[b].remove(&a);
    }
}

fn plus(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    (a.0 + b.0, a.1 + b.1)
}

fn key(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::tests::fixture::planted;

    #[test]
    fn ties_after_a_merge_are_those_of_the_merged_bodies() {
        let toy = planted(4, 10, 6, 3);
        let (space, config) = (toy.space(), Config::default());
        let part = |of: u32| CommunityState::new(&space, &config, (of * 8..of * 8 + 8).collect());
        let communities: Vec<CommunityState> = (0..5).map(part).collect();
        let mut graph = NeighbourGraph::new(&space, &communities);
        graph.join(1, 3);
        graph.join(1, 0);
        let merged = communities[1].union(&space, &config, &communities[3]);
        let merged = merged.union(&space, &config, &communities[0]);
        for other in [2, 4] {
            let (there, back) = graph.ties(1, other);
            assert!((there - merged.tie(&space, &communities[other])).abs() < 1e-5);
            assert!((back - communities[other].tie(&space, &merged)).abs() < 1e-5);
        }
        assert!(graph.pairs().iter().all(|(a, b)| *a != 3 && *b != 3 && a < b));
    }
}

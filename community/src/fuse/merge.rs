//! Merging pairs of communities whose members cannot tell them apart (Eq. 7).

use super::neighbour_graph::NeighbourGraph;
use super::state::{CommunityState, divergence, least_divergence};
use crate::config::Config;
use crate::profile::Space;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Pairs per parallel task: enough to outweigh the hand-over, arbitrary.
const PAIRS_PER_TASK: usize = 64;
/// Most candidates of one community while it grows: those that can be least divergent.
const MAX_CANDIDATES: usize = 48;

/// Merges the least divergent pair among the candidates, again and again, while its divergence is below ε.
pub(super) fn merge(space: &Space, config: &Config, communities: Vec<CommunityState>) -> Vec<CommunityState> {
    let mut graph = NeighbourGraph::new(space, &communities);
    let mut slots: Vec<Option<CommunityState>> = communities.into_iter().map(Some).collect();
    let mut versions = vec![0u32; slots.len()];
    let mut queue = compare(space, config, &graph, &slots, &versions, graph.pairs());
    while let Some(pair) = queue.pop() {
        let (a, b) = pair.places;
        if pair.versions != (versions[a], versions[b]) {
            continue;
        }
        // The one with fewer ties is carried over.
        let (a, b) = if graph.n_ties(a) < graph.n_ties(b) {
            (b, a)
        } else {
            (a, b)
        };
        let (Some(left), Some(right)) = (slots[a].take(), slots[b].take()) else {
            continue;
        };
        slots[a] = Some(left.union(space, config, &right));
        versions[a] += 1;
        versions[b] += 1;
        graph.join(a, b);
        let pairs = thin(space, config, &mut graph, &slots, a);
        queue.append(&mut compare(space, config, &graph, &slots, &versions, pairs));
    }
    slots.into_iter().flatten().collect()
}

/// A pair of slots whose divergence is below ε; the greatest of them is the one to merge first.
#[derive(Debug)]
struct Pair {
    divergence: f32,
    places: (usize, usize),
    versions: (u32, u32),
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_divergence = other.divergence.total_cmp(&self.divergence);
        by_divergence.then_with(|| other.places.cmp(&self.places))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

/// Those of `pairs` that are to be merged.
fn compare(
    space: &Space,
    config: &Config,
    graph: &NeighbourGraph,
    slots: &[Option<CommunityState>],
    versions: &[u32],
    pairs: Vec<(usize, usize)>,
) -> BinaryHeap<Pair> {
    let measure = |(a, b): (usize, usize)| {
        let (left, right) = (slots[a].as_ref()?, slots[b].as_ref()?);
        let ties = graph.ties(a, b);
        if least_divergence(space, config, left, right, ties) >= config.epsilon {
            return None;
        }
        let divergence = divergence(space, config, left, right, ties);
        let versions = (versions[a], versions[b]);
        (divergence < config.epsilon).then_some(Pair {
            divergence,
            places: (a, b),
            versions,
        })
    };
    if pairs.len() <= PAIRS_PER_TASK {
        return pairs.into_iter().filter_map(measure).collect();
    }
    let measured = pairs.into_par_iter().with_min_len(PAIRS_PER_TASK).filter_map(measure);
    measured.collect::<Vec<Pair>>().into()
}

/// The pairs of `a` and its candidates, of which no more than [`MAX_CANDIDATES`] are kept: what has grown by many merges
/// would else be compared with everything.
fn thin(
    space: &Space,
    config: &Config,
    graph: &mut NeighbourGraph,
    slots: &[Option<CommunityState>],
    a: usize,
) -> Vec<(usize, usize)> {
    let mut pairs = graph.pairs_of(a);
    if pairs.len() <= MAX_CANDIDATES {
        return pairs;
    }
    let bound = |&(a, b): &(usize, usize)| match (&slots[a], &slots[b]) {
        (Some(left), Some(right)) => least_divergence(space, config, left, right, graph.ties(a, b)),
        _ => f32::INFINITY,
    };
    let mut bounds: Vec<(f32, (usize, usize))> = pairs.iter().map(|pair| (bound(pair), *pair)).collect();
    bounds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, pair) in bounds.split_off(MAX_CANDIDATES) {
        graph.part(pair);
    }
    pairs = bounds.into_iter().map(|(_, pair)| pair).collect();
    pairs
}

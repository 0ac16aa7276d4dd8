//! Merging pairs of communities whose members cannot tell them apart (Eq. 7).

use super::body::{Body, divergence, least_divergence};
use super::candidates::near;
use crate::config::Config;
use crate::profile::Space;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeSet, BinaryHeap};

/// Merges the least divergent pair among the candidates, again and again, while its divergence is below ε.
pub(super) fn merge(space: &Space, config: &Config, bodies: Vec<Body>) -> Vec<Body> {
    let mut links: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); bodies.len()];
    for (position, list) in near(space, &bodies).into_iter().enumerate() {
        for other in list {
            links[position].insert(other);
            links[other].insert(position);
        }
    }
    let pairs = pairs(&links);
    let mut slots: Vec<Option<Body>> = bodies.into_iter().map(Some).collect();
    let mut versions = vec![0u32; slots.len()];
    let mut queue: BinaryHeap<Pair> = compare(space, config, &slots, &versions, &pairs);
    while let Some(pair) = queue.pop() {
        let (a, b) = pair.places;
        if pair.versions != (versions[a], versions[b]) {
            continue;
        }
        let (Some(left), Some(right)) = (slots[a].take(), slots[b].take()) else {
            continue;
        };
        slots[a] = Some(left.union(space, config, &right));
        versions[a] += 1;
        versions[b] += 1;
        rewire(&mut links, a, b);
        let pairs: Vec<_> = links[a].iter().map(|other| (a.min(*other), a.max(*other))).collect();
        queue.append(&mut compare(space, config, &slots, &versions, &pairs));
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

fn pairs(links: &[BTreeSet<usize>]) -> Vec<(usize, usize)> {
    let lists = links.iter().enumerate();
    lists
        .flat_map(|(a, list)| list.range(a + 1..).map(move |b| (a, *b)))
        .collect()
}

/// Those of `pairs` that are to be merged.
fn compare(
    space: &Space,
    config: &Config,
    slots: &[Option<Body>],
    versions: &[u32],
    pairs: &[(usize, usize)],
) -> BinaryHeap<Pair> {
    let measured = pairs.par_iter().filter_map(|&(a, b)| {
        let (left, right) = (slots[a].as_ref()?, slots[b].as_ref()?);
        if least_divergence(config, left, right) >= config.epsilon {
            return None;
        }
        let divergence = divergence(space, config, left, right);
        let versions = (versions[a], versions[b]);
        (divergence < config.epsilon).then_some(Pair {
            divergence,
            places: (a, b),
            versions,
        })
    });
    let measured: Vec<Pair> = measured.collect();
    measured.into()
}

/// `a` takes over the candidates of `b`.
fn rewire(links: &mut [BTreeSet<usize>], a: usize, b: usize) {
    let moved = std::mem::take(&mut links[b]);
    for other in moved {
        links[other].remove(&b);
        if other != a {
            links[other].insert(a);
            links[a].insert(other);
        }
    }
}

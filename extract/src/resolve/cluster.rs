//! Pairs to clusters: the best first, without chains.
//!
//! A cluster has a centre with which every other name of it has an edge of its own, so that no name gets in over another
//! one; and none of its pairs is forbidden. What the user joined counts as one name.

use super::judge::{Edge, Edges, Judge};
use super::profile::Profiles;
use banyan_engine::{Evidence, Merge};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most names of one entity, apart from what the user joins.
const MAX_CLUSTER: usize = 12;

/// What the user said of positions of profiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ties {
    /// Pairs that are one, whatever speaks against it.
    pub(crate) together: Vec<(usize, usize)>,
    /// Pairs that are two, the smaller position first.
    pub(crate) apart: BTreeSet<(usize, usize)>,
}

/// Which positions are one entity; those that are alone are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clusters {
    of: BTreeMap<usize, usize>,
    members: BTreeMap<usize, Vec<usize>>,
    together: Vec<(usize, usize)>,
}

impl Clusters {
    pub(crate) fn cluster(&self, at: usize) -> Vec<usize> {
        let members = self.of.get(&at).and_then(|label| self.members.get(label));
        members.cloned().unwrap_or_else(|| vec![at])
    }

    /// The clusters of pairs that are one, and nothing else.
    pub(crate) fn of_pairs(pairs: &[(usize, usize)]) -> Self {
        let mut clusters = Self {
            together: pairs.to_vec(),
            ..Self::default()
        };
        for (a, b) in pairs {
            clusters.join(*a, *b);
        }
        clusters
    }

    fn join(&mut self, a: usize, b: usize) {
        let (mut into, from) = (self.cluster(a), self.cluster(b));
        if into == from {
            return;
        }
        for member in [&into[..], &from[..]].concat() {
            if let Some(label) = self.of.get(&member) {
                self.members.remove(label);
            }
        }
        into.extend(from);
        into.sort_unstable();
        let label = into[0];
        for member in &into {
            self.of.insert(*member, label);
        }
        self.members.insert(label, into);
    }

    /// The joins that make the clusters: in each a tree of its best edges, towards the name that is known best.
    pub(crate) fn merges(&self, profiles: &Profiles, edges: &Edges) -> Vec<Merge> {
        let mut edges = edges.clone();
        for (a, b) in &self.together {
            edges.entry((*a.min(b), *a.max(b))).or_default().decide();
        }
        let trees = self.members.values().map(|members| tree(members, profiles, &edges));
        trees.flatten().collect()
    }
}

/// Joins what may be joined, the best edges first, ties by key. Cost O(e log e + joins · cluster²).
pub(crate) fn agglomerate(judge: &Judge, edges: &Edges, ties: &Ties) -> Clusters {
    let atoms = Clusters::of_pairs(&ties.together);
    let mut clusters = atoms.clone();
    let mut order: Vec<(&(usize, usize), &Edge)> = edges.iter().collect();
    let keys = |(a, b): &(usize, usize)| (judge.profiles[*a].key, judge.profiles[*b].key);
    order.sort_by(|x, y| y.1.score.total_cmp(&x.1.score).then_with(|| keys(x.0).cmp(&keys(y.0))));
    for ((a, b), _) in order {
        let (one, other) = (clusters.cluster(*a), clusters.cluster(*b));
        if one != other && may_join(judge, edges, ties, &atoms, &one, &other) {
            clusters.join(*a, *b);
        }
    }
    clusters
}

fn may_join(judge: &Judge, edges: &Edges, ties: &Ties, atoms: &Clusters, one: &[usize], other: &[usize]) -> bool {
    if one.len() + other.len() > MAX_CLUSTER {
        return false;
    }
    let across = || one.iter().flat_map(|a| other.iter().map(|b| (*a.min(b), *a.max(b))));
    let all = [one, other].concat();
    has_centre(edges, atoms, &all)
        && across().all(|pair| !ties.apart.contains(&pair))
        && across().all(|(a, b)| !judge.forbids(a, b))
}

/// Whether one of the names has an edge with every other one.
fn has_centre(edges: &Edges, atoms: &Clusters, names: &[usize]) -> bool {
    let units: BTreeSet<Vec<usize>> = names.iter().map(|name| atoms.cluster(*name)).collect();
    let touch = |a: &[usize], b: &[usize]| {
        let mut pairs = a.iter().flat_map(|a| b.iter().map(|b| (*a.min(b), *a.max(b))));
        pairs.any(|pair| edges.contains_key(&pair))
    };
    units
        .iter()
        .any(|centre| units.iter().all(|unit| unit == centre || touch(centre, unit)))
}

/// The joins of one cluster: from the name that is known best (a document is about it; it is no short form; it is used
/// often), always the best edge to one that is not yet reached.
fn tree(members: &[usize], profiles: &Profiles, edges: &Edges) -> Vec<Merge> {
    let pairs = members.iter().flat_map(|a| members.iter().map(move |b| (*a, *b)));
    let short: BTreeSet<usize> = pairs
        .filter_map(|pair| edges.get(&pair).and_then(|edge| edge.short))
        .collect();
    let standing = |at: &usize| {
        let profile = &profiles[*at];
        (
            !profile.subject_of.is_empty(),
            !short.contains(at),
            profile.n_mentions,
            Reverse(profile.key),
        )
    };
    let Some(root) = members.iter().copied().max_by_key(standing) else {
        return Vec::new();
    };
    let mut reached = vec![root];
    let mut left: Vec<usize> = members.iter().copied().filter(|at| *at != root).collect();
    left.sort_by_key(|at| profiles[*at].key);
    let mut merges = Vec::new();
    while let Some((into, from, edge)) = best_edge(&reached, &left, edges) {
        merges.push(Merge {
            from: profiles[from].key.to_owned(),
            into: profiles[into].key.to_owned(),
            score: edge.score,
            evidence: edge.evidence.clone(),
        });
        left.retain(|at| *at != from);
        reached.push(from);
    }
    merges
}

/// The best edge between what is reached and what is left; the first one of equal ones.
fn best_edge<'a>(reached: &[usize], left: &[usize], edges: &'a Edges) -> Option<(usize, usize, &'a Edge)> {
    let mut best: Option<(usize, usize, &Edge)> = None;
    for from in left {
        for into in reached {
            let Some(edge) = edges.get(&(*from.min(into), *from.max(into))) else {
                continue;
            };
            if best.is_none_or(|(.., other)| edge.score > other.score) {
                best = Some((*into, *from, edge));
            }
        }
    }
    best
}

impl Edge {
    /// Puts the user's word before all evidence.
    fn decide(&mut self) {
        self.score = 1.0;
        self.evidence.insert(0, Evidence::Decision);
    }
}

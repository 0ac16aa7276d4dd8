//! Where new entities belong: the community with the largest φ (Eq. 5) among those that they have ties to and those that
//! are nearest in meaning, or one of their own.

use crate::adjacency::Adjacency;
use crate::config::Config;
use crate::fuse::state::CommunityState;
use crate::fuse::{local_moves, merge_small};
use crate::matrix::{add, add_scaled};
use crate::profile::{Profile, Space};
use crate::represent::mean;
use banyan_engine::embed::{Vectors, dot, normalize};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Communities that a new entity may choose among by its name alone. As in fusion.
const N_NEAREST: usize = 4;

/// Entities to place, and what they choose among.
pub(super) struct Newcomers {
    /// These entities, ascending.
    entities: Vec<usize>,
    /// For each the communities with the nearest centroids, ascending.
    near: Vec<Vec<usize>>,
    /// Communities before the first of their own.
    n_before: usize,
}

impl Newcomers {
    /// The entities that are in none of the communities `lists` yet. They get labels from `lists.len()` on: those tied to
    /// each other the same one, and so those without ties and meaning. Cost O(n·d).
    pub(super) fn new(lists: &[Vec<usize>], ties: &Adjacency, vectors: &Vectors, labels: &mut [Option<u32>]) -> Self {
        let entities: Vec<usize> = (0..labels.len()).filter(|entity| labels[*entity].is_none()).collect();
        let is_known = |entity: usize| vectors.row(entity).iter().any(|value| *value != 0.0);
        let mut next = u32::try_from(lists.len()).unwrap_or(u32::MAX);
        let mut nowhere = None;
        for &first in &entities {
            if labels[first].is_some() {
                continue;
            }
            let is_bare = ties.degrees[first] <= 0.0 && !is_known(first);
            let label = nowhere.filter(|_| is_bare).unwrap_or(next);
            if is_bare {
                nowhere = Some(label);
            }
            next = next.max(label + 1);
            spread(ties, first, label, labels);
        }
        let near = nearest(lists, vectors, &entities);
        Self {
            entities,
            near,
            n_before: lists.len(),
        }
    }

    /// Whether nothing is to be placed.
    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The entities.
    pub(super) fn entities(&self) -> &[usize] {
        &self.entities
    }

    /// The communities that any of them may join.
    pub(super) fn candidates(&self, ties: &Adjacency, labels: &[u32]) -> BTreeSet<usize> {
        let tied = self.entities.iter().flat_map(|entity| ties.neighbours.row(*entity));
        let tied = tied.map(|(other, _)| labels[*other as usize] as usize);
        let all = tied.chain(self.near.iter().flatten().copied());
        all.filter(|label| *label < self.n_before).collect()
    }

    /// Moves each to the community with the largest φ; groups that stay smaller than `config.min_members` then join the
    /// closest community whole, if they are close to any (φ > 0). `lists` are the members of the communities before, and
    /// `space` has rows for those of the candidates.
    pub(super) fn place(&self, space: &Space, config: &Config, lists: &[Vec<usize>], labels: &mut [u32]) {
        let candidates = self.candidates(&space.ties, labels);
        self.choose(space, config, &candidates, lists, labels);
        let mut groups: Vec<(u32, u32)> = self
            .entities
            .iter()
            .map(|entity| (labels[*entity], id(*entity)))
            .collect();
        groups.retain(|(label, _)| *label as usize >= self.n_before);
        groups.sort_unstable();
        for group in groups.chunk_by(|a, b| a.0 == b.0) {
            if group.len() >= config.min_members {
                continue;
            }
            let members: Vec<u32> = group.iter().map(|entry| entry.1).collect();
            let near: BTreeSet<usize> = self.near_to(space, &members, labels);
            let homes: Vec<usize> = near.into_iter().collect();
            let communities: Vec<CommunityState> = homes
                .iter()
                .map(|home| CommunityState::new(space, config, lists[*home].iter().map(|entity| id(*entity)).collect()))
                .collect();
            let all: Vec<usize> = (0..communities.len()).collect();
            let community = CommunityState::new(space, config, members.clone());
            if let Some(home) = merge_small::home(space, config, &community, &communities, &all) {
                for member in members {
                    labels[member as usize] = id(homes[home as usize]);
                }
            }
        }
    }

    fn choose(
        &self,
        space: &Space,
        config: &Config,
        candidates: &BTreeSet<usize>,
        lists: &[Vec<usize>],
        labels: &mut [u32],
    ) {
        let n_labels = self.entities.iter().map(|entity| labels[*entity] as usize + 1).max();
        let mut profiles = vec![Profile::empty(space); n_labels.unwrap_or(0)];
        for &label in candidates {
            for member in &lists[label] {
                profiles[label].add(space, *member);
            }
        }
        for &entity in &self.entities {
            profiles[labels[entity] as usize].add(space, entity);
        }
        let mut options = Vec::new();
        for _ in 0..local_moves::MAX_PASSES {
            let mut is_settled = true;
            for (&entity, near) in self.entities.iter().zip(&self.near) {
                let from = labels[entity] as usize;
                local_moves::tied(space, entity, labels, &mut options);
                let to = local_moves::best(space, config, entity, from, &options, [near, &[]], &profiles);
                if to != from {
                    profiles[from].remove(space, entity);
                    profiles[to].add(space, entity);
                    labels[entity] = id(to);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
    }

    /// Communities before that these newcomers have ties to or are nearest to.
    fn near_to(&self, space: &Space, members: &[u32], labels: &[u32]) -> BTreeSet<usize> {
        let tied = members
            .iter()
            .flat_map(|member| space.ties.neighbours.row(*member as usize));
        let tied = tied.map(|(other, _)| labels[*other as usize] as usize);
        let places = members
            .iter()
            .filter_map(|member| self.entities.binary_search(&(*member as usize)).ok());
        let near = places.flat_map(|place| self.near[place].iter().copied());
        tied.chain(near).filter(|label| *label < self.n_before).collect()
    }
}

/// Labels everything that is tied to `first` through entities without a label.
fn spread(ties: &Adjacency, first: usize, label: u32, labels: &mut [Option<u32>]) {
    let mut open = vec![first];
    labels[first] = Some(label);
    while let Some(entity) = open.pop() {
        for &(other, _) in ties.neighbours.row(entity) {
            let other = other as usize;
            if labels[other].is_none() {
                labels[other] = Some(label);
                open.push(other);
            }
        }
    }
}

/// For each of `entities` the positions of up to [`N_NEAREST`] of `lists` whose members' vectors have the nearest mean,
/// ascending. Cost O((n + k·m)·d) for k lists and m entities.
fn nearest(lists: &[Vec<usize>], vectors: &Vectors, entities: &[usize]) -> Vec<Vec<usize>> {
    if entities.is_empty() {
        return Vec::new();
    }
    let common = mean(vectors);
    let centre = |members: &Vec<usize>| {
        let mut sum = vec![0.0; vectors.dimension()];
        for member in members {
            add(&mut sum, vectors.row(*member));
        }
        add_scaled(&mut sum, &common, -(members.len() as f32));
        normalize(&mut sum);
        sum
    };
    let centres: Vec<Vec<f32>> = lists.par_iter().map(centre).collect();
    let near = |entity: &usize| {
        let own = vectors.row(*entity);
        if own.iter().all(|value| *value == 0.0) {
            return Vec::new();
        }
        let own: Vec<f32> = own.iter().zip(&common).map(|(value, mean)| value - mean).collect();
        let scored = centres.iter().map(|centre| dot(&own, centre)).enumerate();
        let mut scored: Vec<(usize, f32)> = scored.filter(|(_, score)| *score > 0.0).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut places: Vec<usize> = scored.into_iter().take(N_NEAREST).map(|(place, _)| place).collect();
        places.sort_unstable();
        places
    };
    entities.par_iter().map(near).collect()
}

fn id(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

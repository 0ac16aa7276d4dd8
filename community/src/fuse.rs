//! From a start to communities that agree in relations and in meaning: split, merge (Eq. 7) and move while φ rises.

mod bound;
mod candidates;
pub(crate) mod local_moves;
mod merge;
pub(crate) mod merge_small;
mod neighbour_graph;
mod split;
pub(crate) mod state;

use crate::config::{Config, MAX_ITERATIONS, MIN_MEMBERS};
use crate::partition::Partition;
use crate::profile::Space;
use state::CommunityState;

/// A round must raise the mean φ by this much to be followed by another: below, only a few entities change sides.
const LEAST_RISE: f32 = 1e-3;

/// Fuses the communities of one of the `starts`, each a label for every entity.
///
/// A round splits communities whose halves diverge, merges pairs that do not, and then moves every entity to the
/// community with the largest φ. Each start gets one round; the one that leaves the larger mean φ goes on (the first of
/// equal ones) until a round raises it no more, or after `MAX_ITERATIONS`. What is still smaller than
/// `MIN_MEMBERS` then joins the closest community, and what is larger than `config.max_members` is cut. No start gives
/// no community.
pub(crate) fn fuse(space: &Space, config: &Config, starts: &[Vec<u32>]) -> Partition {
    let firsts = starts
        .iter()
        .map(|labels| State::new(space, config, labels).round(space, config));
    let Some(mut best) = firsts.reduce(|best, next| if next.phi > best.phi { next } else { best }) else {
        return Partition::default();
    };
    for _ in 1..MAX_ITERATIONS {
        let next = best.round(space, config);
        if next.phi < best.phi + LEAST_RISE {
            break;
        }
        best = next;
    }
    let is_large = |community: &&CommunityState| community.members.len() >= MIN_MEMBERS;
    let n_large = best.communities.iter().take_while(is_large).count();
    let mut labels: Vec<u32> = best.partition.membership().iter().map(|id| id.0).collect();
    merge_small::merge_small(space, config, &best.communities, n_large, &mut labels);
    bound::bound(space, config, Partition::from_labels(&labels))
}

struct State {
    partition: Partition,
    communities: Vec<CommunityState>,
    /// Mean over all entities of φ to the others of their community: what fusion raises.
    phi: f32,
}

impl State {
    fn new(space: &Space, config: &Config, labels: &[u32]) -> Self {
        let partition = Partition::from_labels(labels);
        let communities = CommunityState::all(space, config, &partition);
        let sum: f32 = communities
            .iter()
            .map(|community| community.cohesion * community.members.len() as f32)
            .sum();
        let phi = sum / labels.len().max(1) as f32;
        Self {
            partition,
            communities,
            phi,
        }
    }

    fn round(&self, space: &Space, config: &Config) -> Self {
        let communities = split::split(space, config, self.communities.clone());
        let communities = merge::merge(space, config, communities);
        let all: Vec<usize> = (0..self.partition.membership().len()).collect();
        Self::new(
            space,
            config,
            &local_moves::move_entities(space, config, communities, &all),
        )
    }
}

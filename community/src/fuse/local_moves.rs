//! Moving entities to the community with the largest φ.

use super::candidates::{alternatives, labels, near};
use super::state::CommunityState;
use crate::affinity::phi;
use crate::config::Config;
use crate::profile::{Profile, Space};

/// Passes over all entities; 10 gave the same partitions to three digits of NMI.
const MAX_PASSES: usize = 4;
/// A move must raise φ by more than rounding.
const LEAST_GAIN: f32 = 1e-4;

/// Labels after every one of `entities`, in their order, has moved to the community with the largest φ among its own,
/// those it has ties to, those nearest to its own and, where it is far from its own in meaning, those nearest to
/// itself.
///
/// Each move counts at once, so two entities cannot swap places for ever. Cost O((n + t)·p) per pass.
pub(crate) fn move_entities(
    space: &Space,
    config: &Config,
    communities: Vec<CommunityState>,
    entities: &[usize],
) -> Vec<u32> {
    let mut labels = labels(space, &communities);
    let near = near(space, &communities);
    let alternatives = alternatives(space, &communities, &labels);
    let mut profiles: Vec<Profile> = communities.into_iter().map(|community| community.profile).collect();
    let mut options = Vec::new();
    for _ in 0..MAX_PASSES {
        let mut n_moves = 0;
        for &entity in entities {
            let from = labels[entity] as usize;
            tied(space, entity, &labels, &mut options);
            let near = [near[from].as_slice(), &alternatives[entity]];
            let to = best(space, config, entity, from, &options, near, &profiles);
            if to != from {
                profiles[from].remove(space, entity);
                profiles[to].add(space, entity);
                labels[entity] = u32::try_from(to).unwrap_or(u32::MAX);
                n_moves += 1;
            }
        }
        if n_moves * 1000 <= entities.len() {
            break;
        }
    }
    labels
}

/// Fills `options` with the communities that `entity` has ties to and their weight, ascending.
fn tied(space: &Space, entity: usize, labels: &[u32], options: &mut Vec<(usize, f32)>) {
    options.clear();
    let row = space.ties.neighbours.row(entity).iter();
    options.extend(row.map(|&(other, weight)| (labels[other as usize] as usize, weight)));
    options.sort_by_key(|option| option.0);
    options.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += later.1;
        }
        same
    });
}

/// The best of `tied`, which ascend and carry the weight of the ties to them, and of `near`; `from` unless another is
/// better.
fn best(
    space: &Space,
    config: &Config,
    entity: usize,
    from: usize,
    tied: &[(usize, f32)],
    near: [&[usize]; 2],
    profiles: &[Profile],
) -> usize {
    let links = |to: usize| tied.binary_search_by_key(&to, |option| option.0).map(|at| tied[at].1);
    let own = phi(space, config, entity, links(from).unwrap_or(0.0), &profiles[from], true);
    let mut best = (own + LEAST_GAIN, from);
    let others = near
        .into_iter()
        .flatten()
        .filter(|to| links(**to).is_err())
        .map(|to| (*to, 0.0));
    for (to, links) in tied.iter().copied().chain(others) {
        if to == from || profiles[to].n_members == 0 {
            continue;
        }
        let score = phi(space, config, entity, links, &profiles[to], false);
        if score > best.0 || (score >= best.0 && best.1 != from && to < best.1) {
            best = (score, to);
        }
    }
    best.1
}

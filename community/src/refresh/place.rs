//! Where new entities belong: the community with the largest φ (Eq. 5), or one of their own.

use crate::config::Config;
use crate::fuse::local_moves::move_entities;
use crate::fuse::merge_small::merge_small;
use crate::fuse::state::CommunityState;
use crate::profile::Space;

/// The label of every entity: of those that had one the same, of the others that of the community with the largest φ
/// among those fusion would compare, or one from `n_before` on. New entities that are tied to each other begin as a
/// community of their own, and so do those without ties and meaning; what stays smaller than `MIN_MEMBERS` joins the
/// closest community whole, if it is close to any (φ > 0).
pub(super) fn place(space: &Space, config: &Config, mut known: Vec<Option<u32>>, n_before: usize) -> Vec<u32> {
    let newcomers: Vec<usize> = (0..known.len()).filter(|entity| known[*entity].is_none()).collect();
    let first = u32::try_from(n_before).unwrap_or(u32::MAX);
    let (mut next, mut nowhere) = (first, None);
    for &entity in &newcomers {
        if known[entity].is_some() {
            continue;
        }
        let is_bare = space.ties.degrees[entity] <= 0.0 && !space.rows.is_known(entity);
        let label = nowhere.filter(|_| is_bare).unwrap_or(next);
        if is_bare {
            nowhere = Some(label);
        }
        next = next.max(label + 1);
        spread(space, entity, label, &mut known);
    }
    let labels: Vec<u32> = known.into_iter().map(Option::unwrap_or_default).collect();
    if newcomers.is_empty() {
        return labels;
    }
    let communities = states(space, config, &labels, next);
    let mut labels = move_entities(space, config, communities, &newcomers);
    let communities = states(space, config, &labels, next);
    merge_small(space, config, &communities, n_before, &mut labels);
    labels
}

/// The community of each of `n` labels; some may have no members.
fn states(space: &Space, config: &Config, labels: &[u32], n: u32) -> Vec<CommunityState> {
    let mut lists = vec![Vec::new(); n as usize];
    for (entity, label) in (0u32..).zip(labels) {
        lists[*label as usize].push(entity);
    }
    let lists = lists.into_iter();
    lists
        .map(|members| CommunityState::new(space, config, members))
        .collect()
}

/// Labels everything that is tied to `first` through entities without a label.
fn spread(space: &Space, first: usize, label: u32, known: &mut [Option<u32>]) {
    let mut open = vec![first];
    known[first] = Some(label);
    while let Some(entity) = open.pop() {
        for &(other, _) in space.ties.neighbours.row(entity) {
            let other = other as usize;
            if known[other].is_none() {
                known[other] = Some(label);
                open.push(other);
            }
        }
    }
}

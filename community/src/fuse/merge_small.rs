//! Communities too small to be worth a name join the closest one.

use super::candidates::near_large;
use super::state::CommunityState;
use crate::config::{Config, MIN_MEMBERS};
use crate::profile::Space;
use rayon::prelude::*;

/// Each of the `communities` from `n_large` on that is smaller than `MIN_MEMBERS` joins, whole, the one before
/// `n_large` that its members have the largest mean φ to among those most tied to it and most alike; one that is close to
/// none (φ ≤ 0) stays as it is. `labels` are positions of communities. Nothing is dropped.
pub(crate) fn merge_small(
    space: &Space,
    config: &Config,
    communities: &[CommunityState],
    n_large: usize,
    labels: &mut [u32],
) {
    let near = near_large(space, communities, n_large);
    let small = communities[n_large..].par_iter().zip(near);
    let small = small.filter(|(community, _)| community.members.len() < MIN_MEMBERS);
    let homes = small.map(|(community, near)| (community, home(space, config, community, communities, &near)));
    let homes: Vec<(&CommunityState, Option<u32>)> = homes.collect();
    for (community, home) in homes {
        for member in &community.members {
            labels[*member as usize] = home.unwrap_or(labels[*member as usize]);
        }
    }
}

/// The position among `communities`, of those at `near`, of the one that `community` is closest to; none where it is
/// close to none.
fn home(
    space: &Space,
    config: &Config,
    community: &CommunityState,
    communities: &[CommunityState],
    near: &[usize],
) -> Option<u32> {
    let scored = near.iter().map(|place| {
        let other = &communities[*place];
        let tie = community.tie(space, other);
        (community.affinity(space, config, other, tie), *place)
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let place = best.filter(|(score, _)| *score > 0.0)?.1;
    u32::try_from(place).ok()
}

//! Communities too small to be worth a name join the closest one.

use super::candidates::near_large;
use super::state::CommunityState;
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::Space;
use rayon::prelude::*;

/// Each of the `communities` of `partition` smaller than `config.min_members` joins, whole, the community that its members have
/// the largest mean φ to among those most tied to it and most alike; one that is close to none (φ ≤ 0) stays as it is.
/// Nothing is dropped.
pub(super) fn merge_small(
    space: &Space,
    config: &Config,
    partition: &Partition,
    communities: &[CommunityState],
) -> Partition {
    let n_large = communities
        .iter()
        .take_while(|community| community.members.len() >= config.min_members)
        .count();
    let near = near_large(space, communities, n_large);
    let mut labels: Vec<u32> = partition.membership().iter().map(|id| id.0).collect();
    let small = &communities[n_large..];
    let homes = small
        .par_iter()
        .zip(near)
        .map(|(community, near)| home(space, config, community, communities, &near));
    let homes: Vec<Option<u32>> = homes.collect();
    for (community, home) in small.iter().zip(homes) {
        if let Some(home) = home {
            for member in &community.members {
                labels[*member as usize] = home;
            }
        }
    }
    Partition::from_labels(&labels)
}

/// The position among `communities`, of those at `near`, of the one that `community` is closest to; none where it is close to none.
pub(crate) fn home(
    space: &Space,
    config: &Config,
    community: &CommunityState,
    communities: &[CommunityState],
    near: &[usize],
) -> Option<u32> {
    let scored = near.iter().map(|place| {
        (
            {
                let other = &communities[*place];
                community.affinity(space, config, other, community.tie(space, other))
            },
            *place,
        )
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let place = best.filter(|(score, _)| *score > 0.0)?.1;
    u32::try_from(place).ok()
}

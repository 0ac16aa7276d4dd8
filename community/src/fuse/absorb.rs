//! Communities too small to be worth a name join the closest one.

use super::body::Body;
use super::candidates::near_large;
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::Space;
use rayon::prelude::*;

/// Each of the `bodies` of `partition` smaller than `config.min_members` joins, whole, the community that its members have
/// the largest mean φ to among those most tied to it and most alike; one that is close to none (φ ≤ 0) stays as it is.
/// Nothing is dropped.
pub(super) fn absorb(space: &Space, config: &Config, partition: &Partition, bodies: &[Body]) -> Partition {
    let n_large = bodies
        .iter()
        .take_while(|body| body.members.len() >= config.min_members)
        .count();
    let near = near_large(space, bodies, n_large);
    let mut labels: Vec<u32> = partition.membership().iter().map(|id| id.0).collect();
    let small = &bodies[n_large..];
    let homes = small
        .par_iter()
        .zip(near)
        .map(|(body, near)| home(space, config, body, bodies, &near));
    let homes: Vec<Option<u32>> = homes.collect();
    for (body, home) in small.iter().zip(homes) {
        if let Some(home) = home {
            for member in &body.members {
                labels[*member as usize] = home;
            }
        }
    }
    Partition::from_labels(&labels)
}

/// The position among `bodies`, of those at `near`, of the one that `body` is closest to; none where it is close to none.
pub(crate) fn home(space: &Space, config: &Config, body: &Body, bodies: &[Body], near: &[usize]) -> Option<u32> {
    let scored = near.iter().map(|place| {
        (
            {
                let other = &bodies[*place];
                body.affinity(space, config, other, body.tie(space, other))
            },
            *place,
        )
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let place = best.filter(|(score, _)| *score > 0.0)?.1;
    u32::try_from(place).ok()
}

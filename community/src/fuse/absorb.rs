//! Communities too small to be worth a name join the closest one.

use super::body::Body;
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::Space;
use rayon::prelude::*;

/// Each of the `bodies` of `partition` smaller than `config.min_members` joins, whole, the community that its members have the largest mean
/// φ to; one that is close to none (φ ≤ 0) stays as it is. Nothing is dropped.
pub(super) fn absorb(space: &Space, config: &Config, partition: &Partition, bodies: &[Body]) -> Partition {
    let n_large = bodies
        .iter()
        .take_while(|body| body.members.len() >= config.min_members)
        .count();
    let (large, small) = bodies.split_at(n_large);
    let mut labels: Vec<u32> = partition.membership().iter().map(|id| id.0).collect();
    let homes: Vec<Option<u32>> = small.par_iter().map(|body| home(space, config, body, large)).collect();
    for (body, home) in small.iter().zip(homes) {
        if let Some(home) = home {
            for member in &body.members {
                labels[*member as usize] = home;
            }
        }
    }
    Partition::from_labels(&labels)
}

fn home(space: &Space, config: &Config, body: &Body, large: &[Body]) -> Option<u32> {
    let scored = (0u32..)
        .zip(large)
        .map(|(place, home)| (body.affinity(space, config, home), place));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    best.filter(|(score, _)| *score > 0.0).map(|(_, place)| place)
}

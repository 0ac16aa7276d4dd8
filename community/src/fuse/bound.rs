//! Communities too large to be looked at are divided, whether or not anything tells their members apart.

use super::split::two_means;
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::Space;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A cut by meaning is taken when the smaller side has this share of the members, so that few cuts are enough. Arbitrary.
const MIN_SIDE: usize = 8;

/// The partition in which communities of more than `config.max_members` are cut in two by meaning, again and again, or,
/// where meaning tells too few apart, in two equal parts in the order of a walk along ties, in which neighbours stay
/// near each other. Nothing is dropped. Cost O(m·p + t) per cut of m members with t ties, which halve at least every
/// few cuts.
pub(super) fn bound(space: &Space, config: &Config, partition: Partition) -> Partition {
    let is_large = |members: &Vec<_>| members.len() > config.max_members;
    if !partition.communities().iter().any(is_large) {
        return partition;
    }
    let parts = partition.communities().par_iter().flat_map_iter(|members| {
        let members: Vec<u32> = members.iter().map(|member| member.0).collect();
        cut(space, config, members)
    });
    let parts: Vec<Vec<u32>> = parts.collect();
    let mut labels = vec![0u32; partition.membership().len()];
    for (label, part) in (0u32..).zip(&parts) {
        for member in part {
            labels[*member as usize] = label;
        }
    }
    Partition::from_labels(&labels)
}

fn cut(space: &Space, config: &Config, members: Vec<u32>) -> Vec<Vec<u32>> {
    let (mut done, mut open) = (Vec::new(), vec![members]);
    while let Some(members) = open.pop() {
        if members.len() <= config.max_members {
            done.push(members);
            continue;
        }
        open.extend(by_meaning(space, &members).unwrap_or_else(|| by_ties(space, &members)));
    }
    done
}

fn by_meaning(space: &Space, members: &[u32]) -> Option<[Vec<u32>; 2]> {
    let is_enough = |side: &Vec<u32>| side.len() * MIN_SIDE >= members.len();
    two_means(space, members).filter(|sides| sides.iter().all(is_enough))
}

fn by_ties(space: &Space, members: &[u32]) -> [Vec<u32>; 2] {
    let mut left: BTreeSet<u32> = members.iter().copied().collect();
    let mut order = Vec::with_capacity(members.len());
    let mut next = 0;
    while order.len() < members.len() {
        if next == order.len() {
            order.extend(left.pop_first());
        }
        for (other, _) in space.ties.neighbours.row(order[next] as usize) {
            if left.remove(other) {
                order.push(*other);
            }
        }
        next += 1;
    }
    let mut sides = [order[..order.len() / 2].to_vec(), order[order.len() / 2..].to_vec()];
    for side in &mut sides {
        side.sort_unstable();
    }
    sides
}

//! Splitting communities whose halves diverge: Eq. 7 read backwards, for more communities than η and for impure starts.

use super::state::{CommunityState, divergence};
use crate::config::Config;
use crate::matrix::{Matrix, add};
use crate::profile::Space;
use banyan_engine::embed::{dot, normalize};
use rayon::prelude::*;

/// Halves must diverge by this many ε: twice, so that no split is merged again at once.
const MARGIN: f32 = 2.0;
/// Rounds of 2-means; 12 gave the same partitions to three digits of NMI.
const MAX_ROUNDS: usize = 6;

/// Splits each community in two by meaning, again and again, while the halves diverge by more than 2 ε.
///
/// A half has at least β/2 members, so that a split never makes what the start would not have made. Cost O(n·p) per
/// level of splits.
pub(super) fn split(space: &Space, config: &Config, communities: Vec<CommunityState>) -> Vec<CommunityState> {
    let lists = communities.into_par_iter().map(|community| {
        let (mut done, mut open) = (Vec::new(), vec![community]);
        while let Some(community) = open.pop() {
            match halve(space, config, &community) {
                Some((a, b)) => open.extend([a, b]),
                None => done.push(community),
            }
        }
        done
    });
    lists.flatten_iter().collect()
}

fn halve(space: &Space, config: &Config, community: &CommunityState) -> Option<(CommunityState, CommunityState)> {
    let min_half = (config.beta / 2).max(1);
    if community.members.len() < 2 * min_half {
        return None;
    }
    let sides = two_means(space, &community.members)?;
    if sides.iter().any(|side| side.len() < min_half) {
        return None;
    }
    let [near, far] = sides.map(|side| CommunityState::new(space, config, side));
    let ties = (near.tie(space, &far), far.tie(space, &near));
    let gap = divergence(space, config, &near, &far, ties);
    (gap > MARGIN * config.epsilon).then_some((near, far))
}

/// The members near the first and near the second of two centres; `None` where all have the same meaning.
///
/// The first centre starts at the member least like the centroid, the second at the member least like the first.
pub(super) fn two_means(space: &Space, members: &[u32]) -> Option<[Vec<u32>; 2]> {
    let rows = &space.start;
    let mut sum = vec![0.0; rows.width()];
    for member in members {
        add(&mut sum, rows.row(*member as usize));
    }
    let first = least_like(rows, members, &sum)?;
    let second = least_like(rows, members, rows.row(first))?;
    let mut centres = [rows.row(first).to_vec(), rows.row(second).to_vec()];
    let mut is_far = vec![false; members.len()];
    for _ in 0..MAX_ROUNDS {
        let mut sums = [vec![0.0; rows.width()], vec![0.0; rows.width()]];
        let mut changed = false;
        for (member, side) in members.iter().zip(&mut is_far) {
            let row = rows.row(*member as usize);
            let far = dot(row, &centres[1]) > dot(row, &centres[0]);
            changed |= far != *side;
            *side = far;
            add(&mut sums[usize::from(far)], row);
        }
        if !changed {
            break;
        }
        for sum in &mut sums {
            normalize(sum);
        }
        centres = sums;
    }
    let sides = members.iter().zip(is_far);
    let (far, near): (Vec<_>, Vec<_>) = sides.partition(|(_, is_far)| *is_far);
    Some([near, far].map(|side| side.into_iter().map(|(member, _)| *member).collect()))
}

/// The member with the smallest cosine to `target`, the first of equal ones; members without meaning do not count.
fn least_like(rows: &Matrix, members: &[u32], target: &[f32]) -> Option<usize> {
    let known = members
        .iter()
        .map(|member| *member as usize)
        .filter(|m| rows.is_known(*m));
    let scored = known.map(|member| (dot(rows.row(member), target), member));
    scored
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|scored| scored.1)
}

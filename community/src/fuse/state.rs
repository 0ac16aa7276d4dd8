//! A community while it is being fused, and how far two of them diverge (Eq. 7).

use crate::affinity::{phi, types};
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::{Profile, Space};
use banyan_engine::embed::dot;
use rayon::prelude::*;

/// Most members that a mean of Eq. 7 is taken over, evenly spaced among all. Means over more hardly differ, and a merge
/// then costs the same whatever has grown already.
const MAX_ASKED: usize = 256;

/// Members of a community, ascending, and what they sum up to.
#[derive(Clone, Debug)]
pub(crate) struct CommunityState {
    pub(super) members: Vec<u32>,
    pub(super) profile: Profile,
    /// Mean φ of the members to the others, over those asked.
    pub(super) cohesion: f32,
    /// Sum over the members of `d/(d + 1)`: how much of their closed neighbourhoods is not themselves.
    spread: f32,
    /// The relation types of those asked: an entity that has them, and how many do.
    roles: Vec<(u32, u32)>,
}

impl CommunityState {
    /// The community of `members`, which ascend. Cost O(m·p).
    pub(crate) fn new(space: &Space, config: &Config, members: Vec<u32>) -> Self {
        let profile = Profile::of(space, &members);
        Self::with_profile(space, config, members, profile)
    }

    fn with_profile(space: &Space, config: &Config, members: Vec<u32>, profile: Profile) -> Self {
        let shares = members.iter().map(|member| {
            let degree = space.ties.degrees[*member as usize];
            degree / (degree + 1.0)
        });
        let spread = shares.sum();
        let mut community = Self {
            members,
            profile,
            cohesion: 0.0,
            spread,
            roles: Vec::new(),
        };
        let mut roles: Vec<u32> = community
            .asked()
            .map(|member| space.ties.roles[member as usize])
            .collect();
        roles.sort_unstable();
        let alike = roles.chunk_by(|a, b| a == b);
        community.roles = alike
            .map(|alike| (alike[0], u32::try_from(alike.len()).unwrap_or(u32::MAX)))
            .collect();
        let own = community.asked().map(|member| {
            let links = community.links(space, member);
            phi(space, config, member as usize, links, &community.profile, true)
        });
        let n_asked = own.len().max(1) as f32;
        community.cohesion = own.sum::<f32>() / n_asked;
        community
    }

    pub(crate) fn all(space: &Space, config: &Config, partition: &Partition) -> Vec<Self> {
        let lists = partition.communities().par_iter();
        let ids = lists.map(|members| members.iter().map(|member| member.0).collect());
        ids.map(|members| Self::new(space, config, members)).collect()
    }

    /// Both together. Cost O(m + p).
    pub(super) fn union(&self, space: &Space, config: &Config, other: &Self) -> Self {
        let mut members = [self.members.as_slice(), &other.members].concat();
        #[expect(clippy::stable_sort_primitive, reason = "of two runs it only merges them")]
        members.sort();
        Self::with_profile(space, config, members, self.profile.joined(&other.profile))
    }

    /// Mean φ of the members to another community, given [`Self::tie`] to it; relation types are compared by those asked.
    ///
    /// The rest needs no loop: shares of neighbourhoods add up, and so do cosines of unit rows to one centroid.
    pub(super) fn affinity(&self, space: &Space, config: &Config, other: &Self, tie: f32) -> f32 {
        self.untyped(space, config, other, tie, self.along(other)) + self.typed(space, config, other)
    }

    /// What the members have in another community of their closed neighbourhoods, summed. Cost O(log m) per tie.
    pub(super) fn tie(&self, space: &Space, other: &Self) -> f32 {
        let shares = self.members.iter().map(|&member| {
            let degree = space.ties.degrees[member as usize];
            other.links(space, member) / (degree + 1.0)
        });
        shares.sum()
    }

    /// The share of relation types in [`Self::affinity`].
    fn typed(&self, space: &Space, config: &Config, other: &Self) -> f32 {
        let alike = self
            .roles
            .iter()
            .map(|&(role, n)| n as f32 * types(space, role as usize, &other.profile, false));
        let n_asked = self.asked().len().max(1) as f32;
        config.type_share * (alike.sum::<f32>() / n_asked)
    }

    /// [`Self::affinity`] without [`Self::typed`], in O(1) with [`Self::along`].
    fn untyped(&self, space: &Space, config: &Config, other: &Self, tie: f32, along: f32) -> f32 {
        let n_members = self.members.len().max(1) as f32;
        let chance = if space.ties.volume > 0.0 {
            self.spread * other.profile.volume / space.ties.volume
        } else {
            0.0
        };
        let length = other.profile.length();
        let meaning = if length > 0.0 { along / length / n_members } else { 0.0 };
        (1.0 - config.type_share) * (tie - chance) / n_members + config.lambda * meaning
    }

    /// The inner product of what both mean, O(p): by the length of one centroid and the number of members of the other it is
    /// their mean cosine to that centroid.
    fn along(&self, other: &Self) -> f32 {
        dot(&self.profile.sum, &other.profile.sum)
    }

    /// Up to [`MAX_ASKED`] members.
    fn asked(&self) -> impl ExactSizeIterator<Item = u32> {
        let step = self.members.len().div_ceil(MAX_ASKED).max(1);
        self.members.iter().step_by(step).copied()
    }

    /// Weight of the ties of `entity` to members, looked up from the shorter list.
    fn links(&self, space: &Space, entity: u32) -> f32 {
        let row = space.ties.neighbours.row(entity as usize);
        if row.len() <= self.members.len() {
            return space
                .ties
                .weight(entity as usize, |other| self.members.binary_search(&other).is_ok());
        }
        let places = self
            .members
            .iter()
            .filter_map(|member| row.binary_search_by_key(member, |entry| entry.0).ok());
        places.map(|place| row[place].1).sum()
    }
}

/// Eq. 7: how much closer the members of two communities are to their own than to the other, in the mean of both
/// sides; symmetric, about 0 for two random parts of one community. `ties` are those of [`CommunityState::tie`], both
/// ways. Cost O(p) and O(1) per member asked.
///
/// # Differs from the paper
/// The paper leaves open which entities the expectation is over. Over both communities at once it would be near 0 for
/// any pair of equal size; over one of them a small community would vanish into every large one. So each side is asked
/// about itself and both count equally.
pub(super) fn divergence(
    space: &Space,
    config: &Config,
    a: &CommunityState,
    b: &CommunityState,
    ties: (f32, f32),
) -> f32 {
    let (left, right) = untyped(space, config, a, b, ties);
    let (left, right) = (left + a.typed(space, config, b), right + b.typed(space, config, a));
    f32::midpoint(a.cohesion - left, b.cohesion - right)
}

/// A lower bound of [`divergence`] in O(p). Relation types are alike by at most 1.
pub(super) fn least_divergence(
    space: &Space,
    config: &Config,
    a: &CommunityState,
    b: &CommunityState,
    ties: (f32, f32),
) -> f32 {
    let (left, right) = untyped(space, config, a, b, ties);
    f32::midpoint(
        a.cohesion - (left + config.type_share),
        b.cohesion - (right + config.type_share),
    )
}

/// [`CommunityState::untyped`] of both to each other.
fn untyped(space: &Space, config: &Config, a: &CommunityState, b: &CommunityState, ties: (f32, f32)) -> (f32, f32) {
    let along = a.along(b);
    (
        a.untyped(space, config, b, ties.0, along),
        b.untyped(space, config, a, ties.1, along),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fixture::{Toy, planted};

    fn both(space: &Space, a: &CommunityState, b: &CommunityState) -> (f32, f32) {
        (a.tie(space, b), b.tie(space, a))
    }

    #[test]
    fn two_tied_pairs_diverge_by_what_eq_7_says() {
        let space = Toy::new(4, &[(0, "r0", 1), (2, "r0", 3)]).space();
        let config = Config {
            type_share: 0.0,
            lambda: 0.0,
            ..Config::default()
        };
        let community = |members: [u32; 2]| CommunityState::new(&space, &config, members.to_vec());
        let (a, b) = (community([0, 1]), community([2, 3]));
        // Own: (1 − 1·1/4) / 2; other: (0 − 1·2/4) / 2.
        assert!((a.cohesion - 0.375).abs() < 1e-6);
        assert!((a.affinity(&space, &config, &b, 0.0) + 0.25).abs() < 1e-6);
        assert!((divergence(&space, &config, &a, &b, both(&space, &a, &b)) - 0.625).abs() < 1e-6);
    }

    #[test]
    fn divergence_is_symmetric_and_never_below_its_bound() {
        let toy = planted(5, 12, 6, 3);
        let (space, config) = (toy.space(), Config::default());
        let communities: Vec<CommunityState> = (0..10u32)
            .map(|part| CommunityState::new(&space, &config, (part * 6..part * 6 + 6).collect()))
            .collect();
        for (position, a) in communities.iter().enumerate() {
            for b in &communities[position + 1..] {
                let ties = both(&space, a, b);
                let there = divergence(&space, &config, a, b, ties);
                let back = divergence(&space, &config, b, a, (ties.1, ties.0));
                assert!((there - back).abs() < 1e-6);
                assert!(least_divergence(&space, &config, a, b, ties) <= there + 1e-6);
                let each = a
                    .asked()
                    .map(|member| types(&space, member as usize, &b.profile, false));
                let mean = each.sum::<f32>() / a.asked().len() as f32;
                assert!((a.typed(&space, &config, b) - config.type_share * mean).abs() < 1e-6);
            }
        }
    }
}

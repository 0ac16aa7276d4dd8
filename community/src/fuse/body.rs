//! A community while it is being fused, and how far two of them diverge (Eq. 7).

use crate::affinity::{phi, relational};
use crate::config::Config;
use crate::partition::Partition;
use crate::profile::{Profile, Space};
use banyan_engine::embed::dot;
use rayon::prelude::*;

/// Members of a community, ascending, and what they sum up to.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) members: Vec<u32>,
    pub(super) profile: Profile,
    /// Mean φ of the members to the others.
    pub(super) cohesion: f32,
    /// Mean share of the members' closed neighbourhoods that is elsewhere: no other body can hold more.
    slack: f32,
}

impl Body {
    /// The body of `members`, which ascend. Cost O(m·p).
    pub(super) fn new(space: &Space, config: &Config, members: Vec<u32>) -> Self {
        let profile = Profile::of(space, &members);
        let mut body = Self {
            members,
            profile,
            cohesion: 0.0,
            slack: 0.0,
        };
        let own = body.members.iter().map(|&member| {
            let (entity, links) = (member as usize, body.links(space, member));
            let degree = space.ties.degrees[entity];
            let cohesion = phi(space, config, entity, links, &body.profile, true);
            (cohesion, (degree - links) / (degree + 1.0))
        });
        let sums = own.fold((0.0, 0.0), |sums, own| (sums.0 + own.0, sums.1 + own.1));
        body.cohesion = body.mean(sums.0);
        body.slack = body.mean(sums.1);
        body
    }

    /// The bodies of a partition, in its order.
    pub(super) fn all(space: &Space, config: &Config, partition: &Partition) -> Vec<Self> {
        let lists = partition.communities().par_iter();
        let ids = lists.map(|members| members.iter().map(|member| member.0).collect());
        ids.map(|members| Self::new(space, config, members)).collect()
    }

    /// Both together.
    pub(super) fn union(&self, space: &Space, config: &Config, other: &Self) -> Self {
        let mut members = [self.members.as_slice(), &other.members].concat();
        members.sort_unstable();
        Self::new(space, config, members)
    }

    /// Mean φ of the members to another body.
    ///
    /// The semantic part needs no loop: cosines of unit rows to one centroid add up to that of their sum.
    pub(super) fn affinity(&self, space: &Space, config: &Config, other: &Self) -> f32 {
        let relations = self.members.iter().map(|&member| {
            let links = other.links(space, member);
            relational(space, config, member as usize, links, &other.profile, false)
        });
        self.mean(relations.sum::<f32>()) + config.lambda * self.meaning(other)
    }

    /// A number that [`Self::affinity`] does not exceed, in O(p).
    fn reach(&self, config: &Config, other: &Self) -> f32 {
        let relational = (1.0 - config.type_share) * self.slack + config.type_share;
        relational + config.lambda * self.meaning(other)
    }

    /// Mean cosine of the members to the centroid of another body.
    fn meaning(&self, other: &Self) -> f32 {
        let length = other.profile.length();
        let along = dot(&self.profile.sum, &other.profile.sum);
        if length > 0.0 { self.mean(along / length) } else { 0.0 }
    }

    /// Weight of the ties of `entity` to members.
    fn links(&self, space: &Space, entity: u32) -> f32 {
        space
            .ties
            .weight(entity as usize, |other| self.members.binary_search(&other).is_ok())
    }

    fn mean(&self, sum: f32) -> f32 {
        sum / self.members.len().max(1) as f32
    }
}

/// Eq. 7: how much closer the members of two communities are to their own than to the other, in the mean of both
/// sides; symmetric, about 0 for two random parts of one community. Cost O(m·log m + p).
///
/// # Differs from the paper
/// The paper leaves open which entities the expectation is over. Over both communities at once it would be near 0 for
/// any pair of equal size; over one of them a small community would vanish into every large one. So each side is asked
/// about itself and both count equally.
pub(super) fn divergence(space: &Space, config: &Config, a: &Body, b: &Body) -> f32 {
    let (left, right) = (a.affinity(space, config, b), b.affinity(space, config, a));
    f32::midpoint(a.cohesion - left, b.cohesion - right)
}

/// A lower bound of [`divergence`] in O(p): most pairs of candidates are plainly apart.
pub(super) fn least_divergence(config: &Config, a: &Body, b: &Body) -> f32 {
    f32::midpoint(a.cohesion - a.reach(config, b), b.cohesion - b.reach(config, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fixture::{Toy, planted};

    #[test]
    fn two_tied_pairs_diverge_by_what_eq_7_says() {
        let space = Toy::new(4, &[(0, "r0", 1), (2, "r0", 3)]).space();
        let config = Config {
            type_share: 0.0,
            lambda: 0.0,
            ..Config::default()
        };
        let body = |members: [u32; 2]| Body::new(&space, &config, members.to_vec());
        let (a, b) = (body([0, 1]), body([2, 3]));
        // Own: (1 − 1·1/4) / 2; other: (0 − 1·2/4) / 2.
        assert!((a.cohesion - 0.375).abs() < 1e-6);
        assert!((a.affinity(&space, &config, &b) + 0.25).abs() < 1e-6);
        assert!((divergence(&space, &config, &a, &b) - 0.625).abs() < 1e-6);
    }

    #[test]
    fn divergence_is_symmetric_and_never_below_its_bound() {
        let toy = planted(5, 12, 6, 3);
        let (space, config) = (toy.space(), Config::default());
        let bodies: Vec<Body> = (0..10u32)
            .map(|part| Body::new(&space, &config, (part * 6..part * 6 + 6).collect()))
            .collect();
        for (position, a) in bodies.iter().enumerate() {
            for b in &bodies[position + 1..] {
                let there = divergence(&space, &config, a, b);
                let back = divergence(&space, &config, b, a);
                assert!((there - back).abs() < 1e-6);
                assert!(least_divergence(&config, a, b) <= there + 1e-6);
            }
        }
    }

    #[test]
    fn parts_of_one_topic_diverge_less_than_epsilon_and_topics_more() {
        let toy = planted(2, 40, 8, 9);
        let (space, config) = (toy.space(), Config::default());
        let body = |start: u32, step: usize| Body::new(&space, &config, (start..80).step_by(step).collect());
        assert!(divergence(&space, &config, &body(0, 4), &body(2, 4)) < config.epsilon);
        assert!(divergence(&space, &config, &body(0, 2), &body(1, 2)) > config.epsilon);
    }
}

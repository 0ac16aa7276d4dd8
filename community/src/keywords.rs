//! Pivotal entities of a community: the largest φ (Eq. 8, ℓ = 3), then those that add something.

use crate::affinity::phi;
use crate::config::Config;
use crate::profile::{Profile, Space};
use banyan_engine::embed::dot;
use banyan_engine::{CommunityId, EntityId, Keyword};

/// Up to `config.n_keywords` of `members`, by falling φ.
///
/// Chosen one at a time by φ, plus the share of the ties of the most tied member that an entity has within the
/// community, less λ times its likeness to those chosen before: what it shares with them counts no longer. Of equal
/// ones, the first.
///
/// # Differs from the paper
/// It takes the largest φ only. In a community of near-copies that names one thing n times, and φ is as large for an
/// entity with all of its three ties inside as for the hub of thirty that people know the community by.
pub(crate) fn keywords(
    space: &Space,
    config: &Config,
    members: &[EntityId],
    membership: &[CommunityId],
) -> Vec<Keyword> {
    let ids: Vec<u32> = members.iter().map(|member| member.0).collect();
    let profile = Profile::of(space, &ids);
    let mut open: Vec<Candidate> = members
        .iter()
        .map(|&entity| {
            let own = membership[entity.index()];
            let links = space
                .ties
                .weight(entity.index(), |other| membership[other as usize] == own);
            let score = phi(space, config, entity.index(), links, &profile, true);
            Candidate {
                entity,
                score,
                likeness: 0.0,
                links,
            }
        })
        .collect();
    let most = open.iter().map(|candidate| candidate.links).fold(0.0, f32::max);
    let worth = |candidate: &Candidate| {
        let hub = if most > 0.0 { candidate.links / most } else { 0.0 };
        candidate.score + hub - config.lambda * candidate.likeness
    };
    let mut chosen = Vec::new();
    while chosen.len() < config.n_keywords && !open.is_empty() {
        let order = |a: &Candidate, b: &Candidate| worth(a).total_cmp(&worth(b)).then(b.entity.cmp(&a.entity));
        let best = open
            .iter()
            .enumerate()
            .max_by(|a, b| order(a.1, b.1))
            .map_or(0, |best| best.0);
        let best = open.remove(best);
        let row = space.rows.row(best.entity.index());
        for other in &mut open {
            let likeness = dot(row, space.rows.row(other.entity.index()));
            other.likeness = other.likeness.max(likeness);
        }
        chosen.push(Keyword {
            entity: best.entity,
            score: best.score,
        });
    }
    chosen.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.entity.cmp(&b.entity)));
    chosen
}

struct Candidate {
    entity: EntityId,
    score: f32,
    /// Largest cosine to a keyword already chosen, at least 0.
    likeness: f32,
    /// Weight of its ties within the community.
    links: f32,
}

//! The dually-perceived affinity φ of an entity to a community (Eq. 5 and 6).

use crate::config::Config;
use crate::profile::{NO_DIRECTION, Profile, Space};
use banyan_engine::embed::dot;

/// `φ(e, C) = S_r(e, C) + λ S_s(e, C)`, Eq. 5.
///
/// `links` is the weight of the ties between `entity` and members of the community. A member is compared with the
/// *others*, because in a small community it would mostly resemble itself: `is_member` says so. Cost O(p).
pub(crate) fn phi(
    space: &Space,
    config: &Config,
    entity: usize,
    links: f32,
    community: &Profile,
    is_member: bool,
) -> f32 {
    relational(space, config, entity, links, community, is_member)
        + config.lambda * semantic(space, entity, community, is_member)
}

/// `S_r` of Eq. 5: both readings of the paper, mixed by `config.type_share`.
pub(crate) fn relational(
    space: &Space,
    config: &Config,
    entity: usize,
    links: f32,
    community: &Profile,
    is_member: bool,
) -> f32 {
    let near = neighbourhood(space, entity, links, community, is_member);
    let alike = types(space, entity, community, is_member);
    (1.0 - config.type_share) * near + config.type_share * alike
}

/// `S_r`, second reading: the share of the entity's closed neighbourhood that is in the community, less what chance
/// would put there, in -1..1.
///
/// The neighbourhood is closed (it holds the entity itself, which is in no community yet), so that one fact is weak
/// evidence and ten are strong.
pub(crate) fn neighbourhood(space: &Space, entity: usize, links: f32, community: &Profile, is_member: bool) -> f32 {
    let degree = space.ties.degrees[entity];
    if degree <= 0.0 {
        return 0.0;
    }
    let volume = community.volume - if is_member { degree } else { 0.0 };
    (links - degree * volume / space.ties.volume) / (degree + 1.0)
}

/// `S_r`, first reading, Eq. 6 as printed: ‖Ψ(e) ∩ Ψ(C)‖₂ / ‖Ψ(e) ∪ Ψ(C)‖₂ over the multisets of directed relation
/// types, in 0..=1.
///
/// Multisets are compared as shares, otherwise the quotient would measure the size of the community.
pub(crate) fn types(space: &Space, entity: usize, community: &Profile, is_member: bool) -> f32 {
    let own = space.ties.types.row(entity);
    let n_typed = community.n_typed - usize::from(is_member && !own.is_empty());
    if own.is_empty() || n_typed == 0 {
        return 0.0;
    }
    let scale = 1.0 / n_typed as f32;
    let (mut both, mut either) = (0.0f32, community.types2 * scale * scale);
    for &(kind, share) in own {
        let whole = community.types[kind as usize];
        let others = if is_member { whole - share } else { whole };
        let (whole, others) = (whole * scale, (others * scale).max(0.0));
        let (low, high) = (share.min(others), share.max(others));
        both += low * low;
        either += high * high - whole * whole;
    }
    if either <= 0.0 {
        return 0.0;
    }
    (both / either).sqrt().min(1.0)
}

/// `S_s` of Eq. 6: cosine between the entity's row and the community's centroid, in -1..=1; 0 where one of them has no
/// meaning.
pub(crate) fn semantic(space: &Space, entity: usize, community: &Profile, is_member: bool) -> f32 {
    let row = space.rows.row(entity);
    let along = dot(row, &community.sum);
    let own = if is_member { dot(row, row) } else { 0.0 };
    let length2 = community.length2 - if is_member { 2.0 * along - own } else { 0.0 };
    if length2 <= NO_DIRECTION {
        return 0.0;
    }
    ((along - own) / length2.sqrt()).clamp(-1.0, 1.0)
}

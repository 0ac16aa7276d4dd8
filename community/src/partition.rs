//! The result of a detection: every entity in exactly one community.

use banyan_engine::{CommunityId, EntityId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A division of the entities `0..n` into communities.
///
/// Every entity is in exactly one community; no community is empty; members ascend; communities stand by size, largest
/// first, then by first member. So equal divisions are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    communities: Vec<Vec<EntityId>>,
    membership: Vec<CommunityId>,
}

impl Partition {
    /// The division in which two entities are together when they have the same label. Cost O(n log n).
    pub fn from_labels<L: Ord>(labels: &[L]) -> Self {
        let mut groups: BTreeMap<&L, Vec<EntityId>> = BTreeMap::new();
        for (entity, label) in labels.iter().enumerate() {
            groups.entry(label).or_default().push(EntityId::at(entity));
        }
        let mut communities: Vec<_> = groups.into_values().collect();
        communities.sort_by_key(|members| (Reverse(members.len()), members.first().copied()));
        let mut membership = vec![CommunityId(0); labels.len()];
        for (position, members) in communities.iter().enumerate() {
            for member in members {
                membership[member.index()] = CommunityId::at(position);
            }
        }
        Self {
            communities,
            membership,
        }
    }

    /// Members of each community, in the order of the communities' ids.
    pub fn communities(&self) -> &[Vec<EntityId>] {
        &self.communities
    }

    /// The community of each entity, by entity.
    pub fn membership(&self) -> &[CommunityId] {
        &self.membership
    }

    /// The community that an entity is in.
    pub fn community_of(&self, entity: EntityId) -> CommunityId {
        self.membership[entity.index()]
    }

    /// Number of communities.
    pub fn len(&self) -> usize {
        self.communities.len()
    }

    /// Whether there is no community, which is so exactly when there is no entity.
    pub fn is_empty(&self) -> bool {
        self.communities.is_empty()
    }
}

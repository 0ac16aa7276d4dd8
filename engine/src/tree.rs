//! The four-level knowledge tree (Eq. 8, Youtu-GraphRAG): communities, keywords, triples, attributes.

use crate::id::{CommunityId, EntityId};
use serde::{Deserialize, Serialize};

/// A level of the tree; its number is the paper's ℓ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// ℓ = 1: attributes of entities.
    Attributes = 1,
    /// ℓ = 2: triples between entities.
    Triples = 2,
    /// ℓ = 3: pivotal entities of each community.
    Keywords = 3,
    /// ℓ = 4: communities.
    Communities = 4,
}

/// A pivotal entity of a community.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The entity.
    pub entity: EntityId,
    /// Its affinity φ to the community (Eq. 5), higher is better.
    pub score: f32,
}

/// Entities that agree in relations and in meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Community {
    /// A few words, from its pivotal entities.
    pub name: String,
    /// One sentence on what holds it together.
    pub description: String,
    /// Its entities, ascending, at least one.
    pub members: Vec<EntityId>,
    /// Pivotal entities, best first, at least one.
    pub keywords: Vec<Keyword>,
}

/// Why a list of communities is not a tree over `n` entities.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// An entity is in no community.
    #[error("entity {0} is in no community; expected exactly one")]
    Missing(u32),
    /// An entity is in two communities, or the id is unknown.
    #[error("entity {0} is in two communities or unknown; expected exactly one")]
    Repeated(u32),
}

/// Communities that cover every entity exactly once; the lower levels are the graph's triples and attributes, reached
/// through the members.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnowledgeTree {
    communities: Vec<Community>,
    membership: Vec<CommunityId>,
}

impl KnowledgeTree {
    /// A tree over `n_entities` entities.
    ///
    /// # Errors
    /// [`TreeError`] unless each entity `0..n_entities` is in exactly one community.
    pub fn new(communities: Vec<Community>, n_entities: usize) -> Result<Self, TreeError> {
        let mut membership = vec![None; n_entities];
        for (position, community) in communities.iter().enumerate() {
            for member in &community.members {
                let slot = membership
                    .get_mut(member.index())
                    .filter(|slot| slot.is_none())
                    .ok_or(TreeError::Repeated(member.0))?;
                *slot = Some(CommunityId::at(position));
            }
        }
        let membership = membership
            .into_iter()
            .enumerate()
            .map(|(entity, slot)| slot.ok_or(TreeError::Missing(EntityId::at(entity).0)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            communities,
            membership,
        })
    }

    /// All communities in the order of their ids.
    pub fn communities(&self) -> &[Community] {
        &self.communities
    }

    /// The community behind a handle of this tree.
    pub fn community(&self, id: CommunityId) -> &Community {
        &self.communities[id.index()]
    }

    /// The community that an entity belongs to.
    pub fn community_of(&self, entity: EntityId) -> CommunityId {
        self.membership[entity.index()]
    }
}

//! The four-level knowledge tree (Eq. 8, Youtu-GraphRAG): communities, keywords, triples, attributes.

use crate::id::{CommunityId, EntityId};
use crate::paged::Paged;
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

/// Number of the first level above the communities.
const FIRST_ABOVE: usize = Level::Communities as usize + 1;

/// A pivotal entity of a community.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyword {
    /// The entity.
    pub entity: EntityId,
    /// Its affinity φ to the community (Eq. 5), higher is better.
    pub score: f32,
}

/// Entities that agree in relations and in meaning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Community {
    /// A few words, from its pivotal entities.
    pub name: String,
    /// One sentence on what holds it together.
    pub description: String,
    /// Its entities, ascending; at least one, unless all are gone.
    pub members: Vec<EntityId>,
    /// Pivotal entities, best first, at least one.
    pub keywords: Vec<Keyword>,
}

impl Community {
    /// Whether all of its entities are gone ([`crate::Entity::is_gone`]).
    pub fn is_gone(&self) -> bool {
        self.members.is_empty()
    }
}

/// A node above the communities: what belongs together of the level below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// A few words, from its pivotal entities.
    pub name: String,
    /// One sentence on what holds it together.
    pub description: String,
    /// Positions in the level below, of communities or of branches; ascending, at least one.
    pub children: Vec<CommunityId>,
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
    /// A community or branch is in no branch of the level above it, in two, or unknown.
    #[error("level {level}: node {child} of the level below is under {found} nodes; expected exactly one")]
    Child {
        /// The level whose nodes have children, from 5.
        level: usize,
        /// The child's position in the level below.
        child: u32,
        /// How many nodes have it.
        found: usize,
    },
}

/// Communities that cover every entity exactly once; the lower levels are the graph's triples and attributes, reached
/// through the members.
///
/// Above many communities stand levels of branches, each of which covers the level below it exactly once; they are
/// numbered from 5, since the paper's four levels stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnowledgeTree {
    pub(crate) communities: Paged<Community>,
    pub(crate) membership: Paged<CommunityId>,
    /// A row for each level.
    pub(crate) branches: Paged<Vec<Branch>>,
    pub(crate) n_refreshes: u32,
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
            communities: communities.into(),
            membership,
            ..Self::default()
        })
    }

    /// The tree with these levels above its communities, the lowest first.
    ///
    /// # Errors
    /// [`TreeError::Child`] unless each node of a level is under exactly one node of the level above it.
    pub fn with_branches(mut self, branches: Vec<Vec<Branch>>) -> Result<Self, TreeError> {
        let mut n_below = self.communities.len();
        for (level, nodes) in (FIRST_ABOVE..).zip(&branches) {
            let mut counts = vec![0; n_below];
            for child in nodes.iter().flat_map(|node| &node.children) {
                let unknown = TreeError::Child {
                    level,
                    child: child.0,
                    found: 0,
                };
                *counts.get_mut(child.index()).ok_or(unknown)? += 1;
            }
            if let Some((child, &found)) = (0..).zip(&counts).find(|(_, n)| **n != 1) {
                return Err(TreeError::Child { level, child, found });
            }
            n_below = nodes.len();
        }
        self.branches = branches.into();
        Ok(self)
    }

    /// The tree, known to have been refreshed so many times since its communities were last found anew.
    #[must_use]
    pub fn refreshed(mut self, n_refreshes: u32) -> Self {
        self.n_refreshes = n_refreshes;
        self
    }

    /// Levels above the communities, the lowest first; none above few communities.
    pub fn branches(&self) -> &[Vec<Branch>] {
        self.branches.all()
    }

    /// How many changes only refreshed the tree since its communities were last found anew.
    pub fn n_refreshes(&self) -> u32 {
        self.n_refreshes
    }

    /// Number of communities.
    pub fn n_communities(&self) -> usize {
        self.communities.len()
    }

    /// All communities in the order of their ids.
    pub fn communities(&self) -> &[Community] {
        self.communities.all()
    }

    /// The community behind a handle of this tree.
    pub fn community(&self, id: CommunityId) -> &Community {
        self.communities.get(id.index())
    }

    /// The community that an entity belongs to; none for one that was added since communities were found.
    pub fn community_of(&self, entity: EntityId) -> Option<CommunityId> {
        let at = entity.index();
        (at < self.membership.len()).then(|| *self.membership.get(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> KnowledgeTree {
        let community = |member| Community {
            name: String::new(),
            description: String::new(),
            members: vec![EntityId(member)],
            keywords: vec![],
        };
        KnowledgeTree::new((0..3).map(community).collect(), 3).unwrap()
    }

    fn check(children: &[&[u32]], expected: &Result<(), TreeError>) {
        let branch = |ids: &&[u32]| Branch {
            name: String::new(),
            description: String::new(),
            children: ids.iter().map(|id| CommunityId(*id)).collect(),
            keywords: vec![],
        };
        let level = children.iter().map(branch).collect();
        assert_eq!(tree().with_branches(vec![level]).map(drop), *expected);
    }

    #[test]
    fn a_level_has_each_node_below_it_once() {
        let fault = |child, found| Err(TreeError::Child { level: 5, child, found });
        check(&[&[0, 2], &[1]], &Ok(()));
        check(&[&[0, 2]], &fault(1, 0));
        check(&[&[0, 2], &[1, 2]], &fault(2, 2));
        check(&[&[0, 1, 2, 3]], &fault(3, 0));
    }
}

//! From a partition to the knowledge tree (Eq. 8).

use crate::config::Config;
use crate::detect::perceive;
use crate::error::CommunityError;
use crate::hierarchy::levels;
use crate::keywords::keywords;
use crate::partition::Partition;
use crate::profile::Space;
use crate::semantics::Semantics;
use crate::summary::{Relations, description, name, relations};
use banyan_engine::{Community, CommunityId, EntityId, KnowledgeGraph, KnowledgeTree, Schema};
use rayon::prelude::*;

/// The knowledge tree over `graph` (Eq. 8, Youtu-GraphRAG): a name, a description and keywords for each community of
/// `partition`, in its order, and levels of branches above more than `config.max_top` of them. No model is asked; the
/// lower levels are the graph's own triples and attributes.
///
/// An empty graph gives an empty tree. Cost O(n·(p + d)) for dimensions d and projected dimensions p.
///
/// # Errors
/// [`CommunityError::Input`] for a partition of another graph, and what [`crate::detect()`] names.
pub fn lift(
    schema: &Schema,
    graph: &KnowledgeGraph,
    partition: &Partition,
    semantics: &Semantics,
    config: &Config,
) -> Result<KnowledgeTree, CommunityError> {
    let (expected, found) = (graph.entities().len(), partition.membership().len());
    if expected != found {
        return Err(CommunityError::Input(format!(
            "the partition covers {found} entities; the graph has {expected}"
        )));
    }
    let space = perceive(graph, semantics, config)?;
    let describe = Describe::new(schema, graph, &space, config, partition.membership(), partition.len());
    let lists = partition.communities().par_iter().enumerate();
    let communities = lists.map(|(label, members)| describe.community(label, members.clone()));
    let communities: Vec<Community> = communities.collect();
    let branches = levels(schema, graph, &space, config, &communities)?;
    Ok(KnowledgeTree::new(communities, expected)?.with_branches(branches)?)
}

/// What communities are described by.
pub(crate) struct Describe<'a> {
    schema: &'a Schema,
    graph: &'a KnowledgeGraph,
    space: &'a Space,
    config: &'a Config,
    membership: &'a [CommunityId],
    relations: Vec<Relations>,
}

impl<'a> Describe<'a> {
    /// For `n_communities`, of which `membership` names one for each entity. Cost O(t log t).
    pub(crate) fn new(
        schema: &'a Schema,
        graph: &'a KnowledgeGraph,
        space: &'a Space,
        config: &'a Config,
        membership: &'a [CommunityId],
        n_communities: usize,
    ) -> Self {
        Self {
            schema,
            graph,
            space,
            config,
            membership,
            relations: relations(graph, membership, n_communities),
        }
    }

    pub(crate) fn community(&self, label: usize, members: Vec<EntityId>) -> Community {
        let keywords = keywords(self.space, self.config, &members, self.membership);
        Community {
            name: name(self.graph, &members),
            description: description(self.schema, self.graph, &members, &self.relations[label]),
            members,
            keywords,
        }
    }
}

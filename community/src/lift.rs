//! From a partition to the knowledge tree (Eq. 8).

use crate::config::Config;
use crate::detect::{check, divide};
use crate::error::CommunityError;
use crate::hierarchy::levels;
use crate::keywords::keywords;
use crate::partition::Partition;
use crate::profile::Space;
use crate::summary::{Relations, description, name, relations};
use banyan_engine::{Community, CommunityId, EntityId, KnowledgeGraph, KnowledgeTree, Schema};
use rayon::prelude::*;

/// The knowledge tree over `graph` (Eq. 8, Youtu-GraphRAG): a name, a description and keywords for each community of
/// `partition`, in its order, and levels of branches above more than `config.max_top` of them. No model is asked; the
/// lower levels are the graph's own triples and attributes.
///
/// An empty graph gives an empty tree. Cost O(n·p) for projected dimensions p.
///
/// # Errors
/// [`CommunityError::Input`] for a partition or a space of another graph, what [`Config::validate`] names, and what the
/// clustering library refuses.
pub fn lift(
    schema: &Schema,
    graph: &KnowledgeGraph,
    partition: &Partition,
    space: &Space,
    config: &Config,
) -> Result<KnowledgeTree, CommunityError> {
    check(graph, space, config)?;
    let (expected, found) = (graph.entities().len(), partition.membership().len());
    if expected != found {
        return Err(CommunityError::Input(format!(
            "the partition covers {found} entities; the graph has {expected}"
        )));
    }
    let describe = Describe::new(schema, graph, space, config, partition.membership(), partition.len());
    let lists = partition.communities().par_iter().enumerate();
    let communities = lists.map(|(label, members)| describe.community(label, members.clone()));
    let communities: Vec<Community> = communities.collect();
    let branches = levels(schema, graph, space, config, &communities)?;
    Ok(KnowledgeTree::new(communities, expected)?.with_branches(branches)?)
}

/// The knowledge tree over the communities that are found in what was perceived of `graph`: [`crate::detect()`], then
/// [`lift()`].
///
/// # Errors
/// Those of both.
pub fn tree(
    schema: &Schema,
    graph: &KnowledgeGraph,
    space: &Space,
    config: &Config,
) -> Result<KnowledgeTree, CommunityError> {
    check(graph, space, config)?;
    let partition = divide(space, config, &mut |_| ())?;
    lift(schema, graph, &partition, space, config)
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

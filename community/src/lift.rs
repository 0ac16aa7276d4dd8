//! From a partition to the knowledge tree (Eq. 8).

use crate::config::Config;
use crate::detect::perceive;
use crate::error::CommunityError;
use crate::keywords::keywords;
use crate::partition::Partition;
use crate::semantics::Semantics;
use crate::summary::{description, name, relations};
use banyan_engine::{Community, KnowledgeGraph, KnowledgeTree, Schema};
use rayon::prelude::*;

/// The knowledge tree over `graph` (Eq. 8, Youtu-GraphRAG): a name, a description and keywords for each community of
/// `partition`, in its order. No model is asked; the lower levels are the graph's own triples and attributes.
///
/// An empty graph gives an empty tree. Cost O(n·(p + d)) for dimensions d and projected dimensions p.
///
/// # Errors
/// [`CommunityError::Partition`] for a partition of another graph, and what [`crate::detect()`] names.
pub fn lift(
    schema: &Schema,
    graph: &KnowledgeGraph,
    partition: &Partition,
    semantics: &Semantics,
    config: &Config,
) -> Result<KnowledgeTree, CommunityError> {
    let (expected, found) = (graph.entities().len(), partition.membership().len());
    if expected != found {
        return Err(CommunityError::Partition { expected, found });
    }
    let space = perceive(graph, semantics, config)?;
    let membership = partition.membership();
    let relations = relations(graph, membership, partition.len(), config);
    let communities = partition
        .communities()
        .par_iter()
        .zip(relations)
        .map(|(members, relations)| {
            let keywords = keywords(&space, config, members, membership);
            Community {
                name: name(graph, &keywords),
                description: description(schema, graph, members, &relations),
                members: members.clone(),
                keywords,
            }
        });
    Ok(KnowledgeTree::new(communities.collect(), expected)?)
}

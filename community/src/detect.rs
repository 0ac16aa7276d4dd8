//! The whole detection, step by step.

use crate::config::Config;
use crate::error::CommunityError;
use crate::fuse::fuse;
use crate::partition::Partition;
use crate::profile::Space;
use crate::represent::project;
use crate::seed::starts;
use crate::semantics::Semantics;
use crate::ties::Ties;
use banyan_engine::KnowledgeGraph;

/// Finds the dually-perceived communities of `graph` (Youtu-GraphRAG, section 3.2): represent (Eq. 4), start with
/// K-means, fuse (Eq. 5–7).
///
/// Every entity is in exactly one community; an empty graph has none. The result is the same for any number of threads.
///
/// # Errors
/// What [`Config::validate`] and [`Semantics::validate`] name.
pub fn detect(graph: &KnowledgeGraph, semantics: &Semantics, config: &Config) -> Result<Partition, CommunityError> {
    let space = perceive(graph, semantics, config)?;
    let starts = starts(&space.start, &space.ties, config)?;
    Ok(fuse(&space, config, &starts))
}

/// Both sides of `graph`, checked.
pub(crate) fn perceive(
    graph: &KnowledgeGraph,
    semantics: &Semantics,
    config: &Config,
) -> Result<Space, CommunityError> {
    config.validate()?;
    semantics.validate(graph)?;
    let (start, rows) = project(graph, semantics, config);
    Ok(Space {
        start,
        rows,
        ties: Ties::new(graph, config),
    })
}

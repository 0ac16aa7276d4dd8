//! The whole detection, step by step.

use crate::adjacency::Adjacency;
use crate::config::Config;
use crate::error::CommunityError;
use crate::fuse::fuse;
use crate::partition::Partition;
use crate::profile::Space;
use crate::represent::project;
use crate::seed::{first_start, starts};
use crate::semantics::Semantics;
use banyan_engine::KnowledgeGraph;

/// The steps of a detection, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Entities as vectors of their triples (Eq. 4), and ties.
    Represent,
    /// Where fusion starts: K-means, and structure.
    Seed,
    /// Fusion (Eq. 5–7).
    Fuse,
}

/// Finds the dually-perceived communities of `graph` (Youtu-GraphRAG, section 3.2): represent (Eq. 4), start with
/// K-means, fuse (Eq. 5–7).
///
/// Every entity is in exactly one community; an empty graph has none. The result is the same for any number of threads.
///
/// # Errors
/// What [`Config::validate`] and [`Semantics::validate`] name.
pub fn detect(graph: &KnowledgeGraph, semantics: &Semantics, config: &Config) -> Result<Partition, CommunityError> {
    detect_watched(graph, semantics, config, &mut |_| ())
}

/// [`detect()`], calling `on_step` after each step: this crate reads no clock, but a caller may.
///
/// # Errors
/// Those of [`detect()`].
pub fn detect_watched(
    graph: &KnowledgeGraph,
    semantics: &Semantics,
    config: &Config,
    on_step: &mut dyn FnMut(Step),
) -> Result<Partition, CommunityError> {
    let space = perceive(graph, semantics, config)?;
    on_step(Step::Represent);
    divide(&space, config, on_step)
}

/// Checks that `space` is of a graph like this one, and the parameters.
///
/// # Errors
/// What [`Config::validate`] names, and [`CommunityError::Input`] for a space of another graph.
pub(crate) fn check(graph: &KnowledgeGraph, space: &Space, config: &Config) -> Result<(), CommunityError> {
    let (expected, found) = (graph.entities().len(), space.ties.degrees.len());
    if expected != found {
        return Err(CommunityError::Input(format!(
            "{found} entities were perceived; the graph has {expected}"
        )));
    }
    config.validate()
}

/// The communities of what was perceived of a graph.
pub(crate) fn divide(
    space: &Space,
    config: &Config,
    on_step: &mut dyn FnMut(Step),
) -> Result<Partition, CommunityError> {
    let starts = starts(&space.start, &space.ties, config)?;
    on_step(Step::Seed);
    let partition = fuse(space, config, &starts);
    on_step(Step::Fuse);
    Ok(partition)
}

/// The start that the paper has, K-means over Eq. 4, and nothing after it: what fusion is measured against.
///
/// Entities without any vector are divided by structure, as in [`detect()`].
///
/// # Errors
/// Those of [`detect()`].
pub fn k_means(graph: &KnowledgeGraph, semantics: &Semantics, config: &Config) -> Result<Partition, CommunityError> {
    let space = perceive(graph, semantics, config)?;
    Ok(Partition::from_labels(&first_start(&space.start, &space.ties, config)?))
}

/// Both sides of `graph`: relations, and meaning in few dimensions. The vectors are needed no more.
///
/// # Errors
/// What [`Config::validate`] and [`Semantics::validate`] name.
pub fn perceive(graph: &KnowledgeGraph, semantics: &Semantics, config: &Config) -> Result<Space, CommunityError> {
    config.validate()?;
    semantics.validate(graph)?;
    let (start, rows) = project(graph, semantics, config);
    Ok(Space {
        start,
        rows,
        ties: Adjacency::new(graph),
    })
}

//! Communities and the tree over them: found anew, or kept where nothing changed.

use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::timing::Timing;
use anyhow::Result;
use banyan_community::{Before, Config, Refreshed, Semantics, Space, Touched, perceive, refresh, tree};
use banyan_engine::Knowledge;
use std::time::{Duration, Instant};

/// How a changed store comes to its communities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommunityUpdate {
    /// Refresh, but detect where more than a tenth of the entities changed.
    #[default]
    Auto,
    /// Keep what nothing happened to, place new entities.
    Refresh,
    /// Find all of them anew, as a fresh build does; only this leaves what a store has that never had what was removed.
    Detect,
}

/// Gives `knowledge` its tree, by detection; all of it is new.
///
/// # Errors
/// When the embedder fails or the graph cannot be divided.
pub(crate) fn grow(knowledge: &mut Knowledge, embedding: &Embedding, timing: &mut Timing) -> Result<Touched> {
    knowledge.tree = timing.stage("communities", || {
        let (space, config) = perceived(knowledge, embedding)?;
        Ok(tree(&knowledge.schema, &knowledge.graph, &space, &config)?)
    })?;
    Ok(Touched::all(&knowledge.tree))
}

/// Gives `knowledge` its tree in the way that the user chose, from what was `before`, and tells what that took; which
/// nodes are new or changed.
pub(crate) fn regrow(
    knowledge: &mut Knowledge,
    before: Before<'_>,
    kind: CommunityUpdate,
    embedding: &Embedding,
    env: &Environment,
    timing: &mut Timing,
) -> Result<Touched> {
    if kind == CommunityUpdate::Detect {
        return grow(knowledge, embedding, timing);
    }
    let (refreshed, spent) = timing.stage("communities", || {
        let (space, mut config) = perceived(knowledge, embedding)?;
        if kind == CommunityUpdate::Refresh {
            config.max_refreshed = 1.0;
        }
        let start = Instant::now();
        let refreshed = refresh(&knowledge.schema, &knowledge.graph, &space, before, &config)?;
        Ok((refreshed, start.elapsed()))
    })?;
    env.progress
        .remark(&told(&refreshed, knowledge.graph.entities().len(), spent));
    knowledge.tree = refreshed.tree;
    Ok(refreshed.touched)
}

/// What a refresh came to, in one line.
fn told(refreshed: &Refreshed, n_entities: usize, spent: Duration) -> String {
    let (n, milliseconds) = (refreshed.tree.communities().len(), spent.as_millis());
    if refreshed.is_anew {
        return format!(
            "communities detected anew: {} of {n_entities} entities changed; {n} in {milliseconds} ms",
            refreshed.n_changed
        );
    }
    format!(
        "communities touched {} of {n} in {milliseconds} ms",
        refreshed.n_touched
    )
}

/// What communities are found by: vectors of names, which take more room than what is made of them, are gone.
fn perceived(knowledge: &Knowledge, embedding: &Embedding) -> Result<(Space, Config)> {
    let embedder = embedding.names();
    let entities = knowledge.graph.entities().iter();
    let names: Vec<&str> = entities.map(|entity| entity.name.as_str()).collect();
    let relations = knowledge.schema.relations().iter();
    let spoken: Vec<String> = relations.map(|kind| kind.name.replace('_', " ")).collect();
    let spoken: Vec<&str> = spoken.iter().map(String::as_str).collect();
    let (entities, relations) = (embedder.embed(&names)?, embedder.embed(&spoken)?);
    let semantics = Semantics {
        entities: &entities,
        relations: &relations,
    };
    let config = Config {
        seed: knowledge.settings.seed,
        ..Config::default()
    };
    Ok((perceive(&knowledge.graph, &semantics, &config)?, config))
}

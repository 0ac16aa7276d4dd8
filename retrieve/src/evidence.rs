//! What the routes found, brought into one order, with who found it.

use crate::config::Config;
use crate::route::chunk::Direct;
use crate::route::path::Path;
use banyan_engine::{ChunkId, CommunityId, EntityId, TripleId};
use std::collections::BTreeMap;

/// A passage with the scores that ranked it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Which chunk.
    pub chunk: ChunkId,
    /// Fused score, higher is better; 1 is the best direct match.
    pub score: f32,
    /// Score of the chunk route, 0..=1.
    pub direct: f32,
    /// The best path to it, where one was found.
    pub path: Option<Path>,
}

impl Passage {
    /// Whether the path found it rather than the direct match.
    pub fn is_by_path(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.score > self.direct)
    }
}

/// The evidence for one question; every list is best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Passages, at most `top_k`.
    pub passages: Vec<Passage>,
    /// Entities that the question names.
    pub entities: Vec<(EntityId, f32)>,
    /// Facts about them that share words with the question.
    pub triples: Vec<(TripleId, f32)>,
    /// Communities that share words with the question.
    pub communities: Vec<(CommunityId, f32)>,
}

/// Ranks passages by the larger of direct and path score plus a little of the smaller.
pub(crate) fn fuse(
    entities: Vec<(EntityId, f32)>,
    direct: &Direct,
    mut paths: BTreeMap<ChunkId, Path>,
    triples: Vec<(TripleId, f32)>,
    communities: Vec<(CommunityId, f32)>,
    config: &Config,
) -> Evidence {
    let mut ranked: Vec<(f32, usize)> = direct
        .fused
        .iter()
        .enumerate()
        .map(|(position, direct)| {
            let by_path = paths.get(&ChunkId::at(position)).map_or(0.0, |path| path.score);
            (direct.max(by_path) + config.agreement * direct.min(by_path), position)
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let passages = ranked
        .into_iter()
        .take(config.top_k)
        .map(|(score, position)| Passage {
            chunk: ChunkId::at(position),
            score,
            direct: direct.fused[position],
            path: paths.remove(&ChunkId::at(position)),
        })
        .collect();
    Evidence {
        passages,
        entities,
        triples,
        communities,
    }
}

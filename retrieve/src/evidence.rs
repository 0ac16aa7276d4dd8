//! What the routes found, brought into one order, with who found it.

use crate::config::Config;
use crate::route::Route;
use crate::route::chunk::Direct;
use crate::route::path::Path;
use banyan_engine::{ChunkId, CommunityId, EntityId, Knowledge, TripleId};
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

/// Ranks passages by the larger of direct and path score, plus a little of the smaller, plus what the passage's share in
/// the matching triples and communities earns.
pub(crate) fn fuse(
    knowledge: &Knowledge,
    entities: Vec<(EntityId, f32)>,
    direct: &Direct,
    mut paths: BTreeMap<ChunkId, Path>,
    triples: Vec<(TripleId, f32)>,
    communities: Vec<(CommunityId, f32)>,
    config: &Config,
) -> Evidence {
    let by_triple = by_triple(knowledge, &triples);
    let by_community = by_community(knowledge, &communities);
    let is_direct = config.routes.has(Route::Chunk) || config.routes.has(Route::Entity);
    let mut ranked: Vec<(f32, usize)> = direct
        .fused
        .iter()
        .enumerate()
        .map(|(position, direct)| {
            let direct = if is_direct { *direct } else { 0.0 };
            let chunk = ChunkId::at(position);
            let by_path = paths.get(&chunk).map_or(0.0, |path| path.score);
            let share = |scores: &BTreeMap<ChunkId, f32>| scores.get(&chunk).copied().unwrap_or(0.0);
            let facts = config.triple_weight * share(&by_triple) + config.community_weight * share(&by_community);
            (
                direct.max(by_path) + config.agreement * direct.min(by_path) + facts,
                position,
            )
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

/// For each chunk that states a matching triple the best such score, the best triple's being 1.
fn by_triple(knowledge: &Knowledge, triples: &[(TripleId, f32)]) -> BTreeMap<ChunkId, f32> {
    let top = triples.first().map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let stated = triples.iter().flat_map(|(id, score)| {
        let sources = &knowledge.graph.triple(*id).sources;
        sources.iter().map(move |source| (source.chunk, score / top))
    });
    best_of(stated)
}

/// For each chunk that names a pivotal entity of a matching community the best such score, the best community's being 1.
fn by_community(knowledge: &Knowledge, communities: &[(CommunityId, f32)]) -> BTreeMap<ChunkId, f32> {
    let top = communities
        .first()
        .map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let named = communities.iter().flat_map(|(id, score)| {
        let keywords = knowledge.tree.community(*id).keywords.iter();
        let mentions = keywords.flat_map(|keyword| &knowledge.graph.entity(keyword.entity).mentions);
        mentions.map(move |(source, _)| (source.chunk, score / top))
    });
    best_of(named)
}

fn best_of(scored: impl Iterator<Item = (ChunkId, f32)>) -> BTreeMap<ChunkId, f32> {
    let mut best: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for (chunk, score) in scored {
        let slot = best.entry(chunk).or_default();
        *slot = slot.max(score);
    }
    best
}

//! What the routes found, brought into one order, with who found it.

use crate::config::{Config, Route};
use crate::question::Question;
use crate::route;
use crate::route::chunk::{Direct, Hints};
use crate::route::path::Path;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, CommunityId, EntityId, TripleId};
use std::collections::BTreeMap;

/// A passage with the scores that ranked it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Which chunk.
    pub chunk: ChunkId,
    /// Fused score, higher is better; 1 is the best direct match. One that a step brought has that of the passage
    /// before it.
    pub score: f32,
    /// Score of the chunk route, 0..=1.
    pub direct: f32,
    /// The best path to it, where one was found.
    pub path: Option<Path>,
    /// What each route that found it says, as it counts in the score before fusion.
    pub by_route: Vec<(Route, f32)>,
    /// The step of the question, from 1, that brought it to its place; `None` where the whole question did.
    pub step: Option<usize>,
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
    /// Passages that some route found and that are not among the best.
    pub n_cut: usize,
    /// The best of those, with its score.
    pub first_cut: Option<(ChunkId, f32)>,
}

impl Searcher {
    /// The evidence for a question by all routes, fused. Cost O(chunks) for the direct scores, the rest is bounded by
    /// [`Config`]. An empty knowledge gives empty evidence.
    pub fn search(&self, question: &Question, config: &Config) -> Evidence {
        let routes = config.routes;
        let entities = route::entity::search(self, question);
        let (triples, communities) = rayon::join(
            || {
                let triples = routes
                    .has(Route::Triple)
                    .then(|| route::triple::search(self, question, &entities, config));
                triples.unwrap_or_default()
            },
            || {
                let communities = routes
                    .has(Route::Community)
                    .then(|| route::community::search(self, question));
                communities.unwrap_or_default()
            },
        );
        let hints = Hints {
            entities: &entities,
            triples: route::triple::passages(self, &triples, config),
            communities: route::community::passages(self, &communities),
        };
        let direct = route::chunk::search(self, question, &hints, config);
        let paths = routes
            .has(Route::Path)
            .then(|| route::path::search(self, question, &direct, &hints, config));
        let evidence = Evidence {
            entities: entities.clone(),
            triples,
            communities,
            ..Evidence::default()
        };
        fuse(evidence, &direct, &hints, paths.unwrap_or_default(), config)
    }
}

/// Ranks passages by the larger of direct and path score, plus a little of the smaller. `evidence` holds what the other
/// routes found.
fn fuse(
    evidence: Evidence,
    direct: &Direct,
    hints: &Hints<'_>,
    mut paths: BTreeMap<ChunkId, Path>,
    config: &Config,
) -> Evidence {
    let mut ranked: Vec<(f32, usize)> = direct
        .ranked
        .iter()
        .enumerate()
        .map(|(position, direct)| {
            let by_path = paths.get(&ChunkId::at(position)).map_or(0.0, |path| path.score);
            let chunk = ChunkId::at(position);
            let share = |scores: &BTreeMap<ChunkId, f32>| scores.get(&chunk).copied().unwrap_or(0.0);
            let facts =
                config.triple_weight * share(&hints.triples) + config.community_weight * share(&hints.communities);
            (
                direct.max(by_path) + config.agreement * direct.min(by_path) + facts,
                position,
            )
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    let order = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    let n_cut = ranked.len().saturating_sub(config.top_k);
    let mut first_cut = None;
    if n_cut > 0 {
        let (_, (score, position), _) = ranked.select_nth_unstable_by(config.top_k, order);
        first_cut = Some((ChunkId::at(*position), *score));
        ranked.truncate(config.top_k);
    }
    ranked.sort_by(order);
    let passages = ranked
        .into_iter()
        .map(|(score, position)| Passage {
            chunk: ChunkId::at(position),
            score,
            direct: direct.ranked[position],
            by_route: by_route(position, direct, hints, &paths, config),
            step: None,
            path: paths.remove(&ChunkId::at(position)),
        })
        .collect();
    Evidence {
        passages,
        n_cut,
        first_cut,
        ..evidence
    }
}

/// What each route says of a passage, without those that say nothing.
fn by_route(
    position: usize,
    direct: &Direct,
    hints: &Hints<'_>,
    paths: &BTreeMap<ChunkId, Path>,
    config: &Config,
) -> Vec<(Route, f32)> {
    let chunk = ChunkId::at(position);
    let share = |scores: &BTreeMap<ChunkId, f32>| scores.get(&chunk).copied().unwrap_or(0.0);
    let scores = [
        (Route::Chunk, direct.chunk(position, config)),
        (Route::Entity, config.entity_weight * share(&direct.named)),
        (Route::Triple, config.triple_weight * share(&hints.triples)),
        (Route::Community, share(&hints.communities)),
        (Route::Path, paths.get(&chunk).map_or(0.0, |path| path.score)),
    ];
    let heard = |(route, score): &(Route, f32)| config.routes.has(*route) && *score > 0.0;
    scores.into_iter().filter(heard).collect()
}

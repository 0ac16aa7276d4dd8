//! What the routes found, brought into one order, with who found it.

use crate::config::{Config, Route};
use crate::question::Question;
use crate::rank::{self, Candidate, Ranking, Routed, TRIPLE_WEIGHT};
use crate::route;
use crate::route::chunk::{ENTITY_WEIGHT, Hints};
use crate::route::path::Path;
use crate::route::triple::Likeness;
use crate::searcher::Searcher;
use crate::sentence::Sentence;
use banyan_engine::{ChunkId, CommunityId, EntityId, TripleId};
use std::collections::BTreeMap;

/// A passage with the scores that ranked it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Which chunk.
    pub chunk: ChunkId,
    /// Odds of holding evidence by those of the best, 0..=1 ([`crate::rank`]). One that a step brought has that of the
    /// passage before it.
    pub score: f32,
    /// Score by the routes alone; 1 is the best direct match.
    pub fused: f32,
    /// Score of the chunk route, 0..=1.
    pub direct: f32,
    /// The best path to it, where one was found.
    pub path: Option<Path>,
    /// What each route that found it says, as it counts in [`Self::fused`].
    pub by_route: Vec<(Route, f32)>,
    /// The step of the question, from 1, that brought it to its place; `None` where the whole question did.
    pub step: Option<usize>,
}

/// Least logarithm of a passage's odds. Arbitrary: one in four hundred.
pub(crate) const LEAST_ODDS: f32 = -6.0;

impl Passage {
    /// Logarithm of [`Self::score`], from [`LEAST_ODDS`] to 0.
    pub(crate) fn log_odds(&self) -> f32 {
        self.score.ln().max(LEAST_ODDS)
    }
}

/// The evidence for one question; every list is best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Passages, at most `top_k`.
    pub passages: Vec<Passage>,
    /// Sentences of the passages that were read when they were ranked, with what speaks for each.
    pub sentences: Vec<Sentence>,
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
    /// The evidence for a question by all routes, ranked by what was learned. Cost O(chunks) for the direct scores, the
    /// rest is bounded by [`Config`]. An empty knowledge gives empty evidence.
    pub fn search(&self, question: &Question, config: &Config) -> Evidence {
        let entities = route::entity::search(self, question);
        let (evidence, routed) = self.routed(question, &entities, config);
        let fused = routed.fused();
        let candidates = rank::candidates(self, question, &routed, &fused, config);
        let weights = Ranking::shipped().weights(!routed.direct.dense.is_empty());
        let (ranked, mut sentences) = rank::ranked(self, question, candidates, weights, config);
        let passage = |(chunk, score): &(ChunkId, f32)| Passage {
            chunk: *chunk,
            score: *score,
            fused: fused[chunk.index()],
            direct: routed.direct.ranked(chunk.index()),
            by_route: by_route(*chunk, &routed, config),
            step: None,
            path: routed.paths.path(*chunk),
        };
        let passages: Vec<Passage> = ranked.iter().take(config.top_k).map(passage).collect();
        sentences.retain(|sentence| passages.iter().any(|passage| passage.chunk == sentence.chunk));
        let n_found = fused.iter().filter(|score| **score > 0.0).count();
        Evidence {
            n_cut: n_found.saturating_sub(passages.len()),
            first_cut: ranked.get(config.top_k).copied(),
            passages,
            sentences,
            entities,
            ..evidence
        }
    }

    /// What may be among the passages of [`Self::search`], with what the routes say of it: what weights are fitted to.
    pub fn candidates(&self, question: &Question, config: &Config) -> Vec<Candidate> {
        let entities = route::entity::search(self, question);
        let (_, routed) = self.routed(question, &entities, config);
        rank::candidates(self, question, &routed, &routed.fused(), config)
    }

    /// Asks all routes that are to run; the evidence has no passages yet.
    fn routed<'a>(
        &self,
        question: &Question,
        entities: &'a [(EntityId, f32)],
        config: &Config,
    ) -> (Evidence, Routed<'a>) {
        let routes = config.routes;
        let likeness = Likeness::new(self, question, entities);
        let (triples, communities) = rayon::join(
            || {
                let triples = routes
                    .has(Route::Triple)
                    .then(|| route::triple::search(&likeness, entities));
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
            entities,
            triples: route::triple::passages(self, &triples),
            communities: route::community::passages(self, &communities),
        };
        let direct = route::chunk::search(self, question, &hints, config);
        let paths = routes
            .has(Route::Path)
            .then(|| route::path::search(&likeness, &direct, &hints));
        let routed = Routed {
            direct,
            hints,
            paths: paths.unwrap_or_default(),
        };
        let evidence = Evidence {
            triples,
            communities,
            ..Evidence::default()
        };
        (evidence, routed)
    }
}

/// What each route says of a passage, without those that say nothing.
fn by_route(chunk: ChunkId, routed: &Routed<'_>, config: &Config) -> Vec<(Route, f32)> {
    let Routed { direct, hints, paths } = routed;
    let share = |scores: &BTreeMap<ChunkId, f32>| scores.get(&chunk).copied().unwrap_or(0.0);
    let scores = [
        (Route::Chunk, direct.chunk(chunk.index())),
        (Route::Entity, ENTITY_WEIGHT * share(&direct.named)),
        (Route::Triple, TRIPLE_WEIGHT * share(&hints.triples)),
        (Route::Community, share(&hints.communities)),
        (Route::Path, paths.score(chunk).unwrap_or(0.0)),
    ];
    let heard = |(route, score): &(Route, f32)| config.routes.has(*route) && *score > 0.0;
    scores.into_iter().filter(heard).collect()
}

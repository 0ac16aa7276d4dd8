//! What the routes found, brought into one order, with who found it.

use crate::agent::Thought;
use crate::config::Config;
use crate::route::Route;
use crate::route::chunk::{Direct, Hints};
use crate::route::path::Path;
use banyan_engine::{ChunkId, CommunityId, EntityId, TripleId};
use std::collections::BTreeMap;

/// A passage with the scores that ranked it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Which chunk.
    pub chunk: ChunkId,
    /// Fused score, higher is better; 1 is the best direct match. One that a step brought has that of the passage before it.
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

/// Passages of the whole question that stay before those of its steps. Measured: with 2, 3 and 4 recall@5 of musique100 is
/// .843, .838 and .830 against .804 without the steps, and hotpot100 and 2wiki51 stay within .005; with 2, recall@2 of 2wiki51
/// falls from .784 to .775.
const BEFORE_STEPS: usize = 3;

impl Evidence {
    /// The evidence with the best passage of each step of a question behind the first three of the whole question, the last
    /// step first. The number of passages stays. Measured: a second passage of each step costs recall@10.
    #[must_use]
    pub fn with_steps(mut self, history: &[Thought]) -> Self {
        let n = self.passages.len();
        let mut at = n.min(BEFORE_STEPS);
        for thought in history.iter().rev() {
            let Some(chunk) = thought.sought.first().and_then(|sought| sought.first()) else {
                continue;
            };
            let known = self.passages.iter().position(|passage| passage.chunk == *chunk);
            if known.is_some_and(|known| known < at) {
                continue;
            }
            let mut passage = known.map_or_else(|| Passage::of_step(*chunk), |known| self.passages.remove(known));
            passage.step = Some(thought.step);
            passage.score = at
                .checked_sub(1)
                .map_or(passage.score, |before| self.passages[before].score);
            self.passages.insert(at, passage);
            at += 1;
        }
        self.n_cut += self.passages.len().saturating_sub(n.max(at));
        self.passages.truncate(n.max(at));
        self
    }
}

impl Passage {
    /// One that no route found for the whole question.
    fn of_step(chunk: ChunkId) -> Self {
        Self {
            chunk,
            score: 0.0,
            direct: 0.0,
            path: None,
            by_route: Vec::new(),
            step: None,
        }
    }
}

/// Ranks passages by the larger of direct and path score, plus a little of the smaller. `evidence` holds what the other
/// routes found.
pub(crate) fn fuse(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Expected;

    /// Holds the order of the chunks 0..n of a whole question once the steps have found `sought`, the first step first.
    fn check(n: usize, sought: &[&[usize]], expected: &[usize], n_cut: usize) {
        let passages = (0..n).map(|at| Passage::of_step(ChunkId::at(at))).collect();
        let whole = Evidence {
            passages,
            ..Evidence::default()
        };
        let thought = |(at, chunks): (usize, &&[usize])| Thought {
            step: at + 1,
            asked: String::new(),
            expected: Expected::Any,
            filled: Vec::new(),
            n_passages: 0,
            sought: vec![chunks.iter().map(|chunk| ChunkId::at(*chunk)).collect()],
            beliefs: Vec::new(),
        };
        let history: Vec<Thought> = sought.iter().enumerate().map(thought).collect();
        let found = whole.with_steps(&history);
        let chunks: Vec<usize> = found.passages.iter().map(|passage| passage.chunk.index()).collect();
        assert_eq!((chunks.as_slice(), found.n_cut), (expected, n_cut), "{n} {sought:?}");
    }

    #[test]
    fn the_best_passage_of_each_step_stands_behind_the_first_three_the_last_step_first() {
        check(6, &[&[9, 8], &[7]], &[0, 1, 2, 7, 9, 3], 2);
        // One that is there already moves up or stays.
        check(6, &[&[5], &[1]], &[0, 1, 2, 5, 3, 4], 0);
        check(6, &[&[7], &[7]], &[0, 1, 2, 7, 3, 4], 1);
        check(2, &[&[7]], &[0, 1, 7], 0);
        check(0, &[&[7]], &[7], 0);
        check(3, &[&[]], &[0, 1, 2], 0);
        check(3, &[], &[0, 1, 2], 0);
    }
}

//! Community filtering (Eq. 10, third line): from the top of the tree down to members and their facts.

use crate::question::Question;
use crate::route::{best, best_of};
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, CommunityId};
use std::collections::BTreeMap;

/// Communities to return.
const MAX_COMMUNITIES: usize = 5;

/// The communities whose text matches the question, by BM25, best first, at most five.
pub fn search(searcher: &Searcher, question: &Question) -> Vec<(CommunityId, f32)> {
    let scores = searcher.communities().scores(&question.terms);
    let scored = scores.into_iter().enumerate();
    best(
        scored.map(|(position, score)| (CommunityId::at(position), score)),
        MAX_COMMUNITIES,
    )
}

/// What communities say of passages: those that name a pivotal entity earn its community's score, the best one's being 1.
pub fn passages(searcher: &Searcher, communities: &[(CommunityId, f32)]) -> BTreeMap<ChunkId, f32> {
    let knowledge = searcher.knowledge();
    let top = communities
        .first()
        .map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let named = communities.iter().flat_map(|(id, score)| {
        let keywords = knowledge.tree.community(*id).keywords.iter();
        let chunks = keywords.flat_map(|keyword| &searcher.incidence().of(keyword.entity).chunks);
        chunks.map(move |place| (place.chunk, score / top))
    });
    best_of(named)
}

//! Entity matching: what the question names (Eq. 10, first line, by name instead of by vector).

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::EntityId;

/// The entities that the question names with their rarity as score, best first.
pub fn search(searcher: &Searcher, question: &Question) -> Vec<(EntityId, f32)> {
    let mut found: Vec<_> = searcher
        .named_in(&question.text)
        .into_iter()
        .map(|entity| (entity, searcher.rarity(entity)))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

//! What two things have in common by the facts of the graph: "What do Tidd Bridge and Ansay Pier have in common?".

use super::Found;
use super::alternative::alternatives;
use super::count::stated;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, EntityId, RelationId, Span, TripleId};
use std::collections::{BTreeMap, BTreeSet};

/// A relation, whether the thing is its head, and what is at the other end.
type Tie = (RelationId, bool, EntityId);

/// What the same relation ties to both things that a question joins, as "Mara Voss; Harrow Works", with the sentences that
/// say so. `None` for another question, and where the two share no fact. Cost O(facts about both).
pub(super) fn facts(searcher: &Searcher, question: &str) -> Option<Found> {
    let lower = question.to_lowercase();
    let asks = lower.starts_with("what ") && lower.contains(" in common");
    let things = if asks {
        alternatives(searcher, question)
    } else {
        Vec::new()
    };
    let [first, second] = things.as_slice() else {
        return None;
    };
    let first = ties(searcher, *first.entities.first()?);
    let second = ties(searcher, *second.entities.first()?);
    let knowledge = searcher.knowledge();
    let mut parts: Vec<&str> = Vec::new();
    let mut support: Vec<(ChunkId, Span)> = Vec::new();
    let mut told: BTreeSet<EntityId> = BTreeSet::new();
    for (tie, fact) in &first {
        let Some(other) = second.get(tie).filter(|_| told.insert(tie.2)) else {
            continue;
        };
        parts.push(knowledge.graph.entity(tie.2).name.as_str());
        support.extend([*fact, *other].iter().filter_map(|fact| stated(searcher, *fact)));
    }
    support.dedup();
    (!parts.is_empty()).then(|| Found {
        text: parts.join("; "),
        support,
    })
}

/// The facts about an entity, by what they say of it.
fn ties(searcher: &Searcher, entity: EntityId) -> BTreeMap<Tie, TripleId> {
    let graph = &searcher.knowledge().graph;
    let facts = graph.incident(entity).into_iter().map(|id| (id, graph.triple(id)));
    let tie = |(id, fact): (TripleId, &banyan_engine::Triple)| {
        let is_head = fact.head == entity;
        (
            (fact.relation, is_head, if is_head { fact.tail } else { fact.head }),
            id,
        )
    };
    facts.map(tie).collect()
}

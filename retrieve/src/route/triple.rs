//! Triple matching (Eq. 10, second line): facts whose words the question asks for.

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{EntityId, TripleId};
use std::collections::BTreeSet;

/// Triples to return.
const MAX_TRIPLES: usize = 20;
/// Score of an end that the question names, beside the words of the relation. Arbitrary: as much as two rare words.
const NAMED_END: f32 = 2.0;

/// Triples around the entities that the question names, scored by those ends and by the question's words that their
/// relation and other end share; best first, at most 20. Cost O(incident triples).
pub fn search(searcher: &Searcher, question: &Question, entities: &[(EntityId, f32)]) -> Vec<(TripleId, f32)> {
    let graph = &searcher.knowledge().graph;
    let named: BTreeSet<EntityId> = entities.iter().map(|(entity, _)| *entity).collect();
    let candidates: BTreeSet<TripleId> = named.iter().flat_map(|entity| graph.incident(*entity)).collect();
    let mut scored: Vec<(TripleId, f32)> = candidates
        .into_iter()
        .map(|id| {
            let triple = graph.triple(id);
            let ends: f32 = [triple.head, triple.tail]
                .iter()
                .filter(|end| named.contains(end))
                .map(|end| NAMED_END * searcher.rarity(*end))
                .sum();
            (id, ends + words(searcher, question, id, &named))
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(MAX_TRIPLES);
    scored
}

/// Inverse document frequency of the question's words in relation and unnamed ends, as a share of the question's.
fn words(searcher: &Searcher, question: &Question, id: TripleId, named: &BTreeSet<EntityId>) -> f32 {
    let knowledge = searcher.knowledge();
    let triple = knowledge.graph.triple(id);
    let mut text = knowledge.schema.relation_name(triple.relation).replace('_', " ");
    for phrase in &triple.phrases {
        text.push(' ');
        text.push_str(phrase);
    }
    for end in [triple.head, triple.tail]
        .into_iter()
        .filter(|end| !named.contains(end))
    {
        text.push(' ');
        text.push_str(&knowledge.graph.entity(end).name);
    }
    let held: BTreeSet<String> = term::terms(&text).into_iter().collect();
    let idf = |word: &&String| searcher.passages().idf(word);
    let asked: f32 = question.terms.iter().map(|word| idf(&word)).sum();
    let shared: f32 = question
        .terms
        .iter()
        .filter(|word| held.contains(*word))
        .map(|word| idf(&word))
        .sum();
    if asked > 0.0 { shared / asked } else { 0.0 }
}

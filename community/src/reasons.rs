//! Why the members of a community belong together, for people to read: relations, words and facts in common.

use banyan_engine::index::term;
use banyan_engine::{CommunityId, KnowledgeGraph, KnowledgeTree, RelationId, TripleId};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What speaks for one community.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// Triples between two members.
    pub n_inside: usize,
    /// Triples of which only one end is a member.
    pub n_outside: usize,
    /// Relations of the triples inside with their number, most frequent first.
    pub relations: Vec<(RelationId, usize)>,
    /// Words of the members' names that tell this community from the others, the most telling first: by how many members
    /// have them, times the logarithm of how rare they are among all entities.
    pub words: Vec<String>,
    /// Triples inside, those stated in most places first.
    pub facts: Vec<TripleId>,
}

impl Reasons {
    /// Share of its triples that stay inside, `0..=1`; 0 where it has none.
    pub fn cohesion(&self) -> f32 {
        self.n_inside as f32 / (self.n_inside + self.n_outside).max(1) as f32
    }
}

/// What speaks for each community of `tree` over `graph`, with at most `max_listed` words and facts each.
/// Deterministic; cost O(t log t + total length of the names).
pub fn reasons(graph: &KnowledgeGraph, tree: &KnowledgeTree, max_listed: usize) -> Vec<Reasons> {
    let mut reasons: Vec<Reasons> = tree.communities().iter().map(|_| Reasons::default()).collect();
    let mut relations: Vec<BTreeMap<RelationId, usize>> = vec![BTreeMap::new(); reasons.len()];
    for (position, triple) in graph.triples().iter().enumerate().filter(|(_, one)| !one.is_gone()) {
        let own = |end| tree.community_of(end).map(CommunityId::index);
        match (own(triple.head), own(triple.tail)) {
            (Some(head), Some(tail)) if head == tail => {
                reasons[head].n_inside += 1;
                reasons[head].facts.push(TripleId::at(position));
                *relations[head].entry(triple.relation).or_default() += 1;
            }
            (head, tail) => head.into_iter().chain(tail).for_each(|own| reasons[own].n_outside += 1),
        }
    }
    let frequency = frequency(graph);
    reasons
        .par_iter_mut()
        .zip(relations)
        .enumerate()
        .for_each(|(position, (own, relations))| {
            own.relations = relations.into_iter().collect();
            own.relations.sort_by_key(|(id, n)| (Reverse(*n), *id));
            own.facts.sort_by_key(|id| {
                let fact = graph.triple(*id);
                (Reverse(fact.sources.len()), *id)
            });
            own.facts.truncate(max_listed);
            own.words = words(graph, tree, CommunityId::at(position), &frequency, max_listed);
        });
    reasons
}

/// In how many names each word occurs.
fn frequency(graph: &KnowledgeGraph) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entity in graph.entities() {
        for word in distinct(&entity.name) {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

/// The words of a name in lower case, without stop words; where words have no spaces between them, its terms.
fn distinct(name: &str) -> BTreeSet<String> {
    let words = name.split(|ch: char| !ch.is_alphanumeric());
    let words = words.flat_map(|word| {
        let lower = word.to_lowercase();
        if word.chars().all(|ch| ch.is_alphabetic() && ch.len_utf8() < 3) {
            vec![lower]
        } else {
            term::terms(word)
        }
    });
    words
        .filter(|word| word.chars().count() > 1 && !term::is_stop_word(word))
        .collect()
}

fn words(
    graph: &KnowledgeGraph,
    tree: &KnowledgeTree,
    community: CommunityId,
    frequency: &BTreeMap<String, usize>,
    max_listed: usize,
) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for member in &tree.community(community).members {
        for word in distinct(&graph.entity(*member).name) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let n = graph.entities().len() as f32;
    let weight = |word: &str, count: usize| {
        let all = frequency.get(word).copied().unwrap_or(count).max(1) as f32;
        count as f32 * (n / all).ln().max(0.0)
    };
    let shared = counts.into_iter().filter(|(_, count)| *count > 1);
    let mut words: Vec<(f32, String)> = shared.map(|(word, count)| (weight(&word, count), word)).collect();
    words.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    words.into_iter().take(max_listed).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &[&str]) {
        let found: Vec<String> = distinct(name).into_iter().collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn words_are_shown_as_people_write_them() {
        check("The Harrow Tidal Surveys", &["harrow", "surveys", "tidal"]);
        check("Abbot's Hythe", &["abbot", "hythe"]);
        check("柳溪", &["柳溪"]);
        check("", &[]);
    }
}

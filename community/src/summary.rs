//! Name and description of a community without a model: its best tied members, types and relations.

mod words;

use banyan_engine::index::term;
use banyan_engine::{CommunityId, EntityId, KnowledgeGraph, RelationId, Schema, TypeId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use words::{list, plural, readable};

const MAX_NAMED: usize = 3;
const MAX_LISTED: usize = 2;

/// The name: up to three members, `Moby-Dick, Herman Melville and Pequod`, each the one that is tied to most members that
/// the names before it are not tied to, as far as its ties lie within the community and the more the oftener it is named;
/// of equal ones the first.
///
/// Names without a letter (years, amounts) are left out where there are others, and so is what says the same words again.
/// Cost O(ties · log ties).
pub(crate) fn name(graph: &KnowledgeGraph, members: &[EntityId]) -> String {
    let mut inside = members.to_vec();
    inside.sort_unstable();
    let telling = |id: &EntityId| graph.entity(*id).name.chars().any(char::is_alphabetic);
    let is_told = members.iter().any(telling);
    let n_named = if is_told { MAX_NAMED } else { 1 };
    let open = members.iter().copied().filter(|id| !is_told || telling(id));
    let open: Vec<Candidate> = open.map(|id| Candidate::new(graph, id, &inside)).collect();
    let mut covered: BTreeSet<EntityId> = BTreeSet::new();
    // What is covered grows, so no candidate is ever worth more than it was: only the best so far is looked at again.
    let worth = |at: usize, covered: &BTreeSet<EntityId>| {
        let candidate = &open[at];
        (candidate.worth(covered).to_bits(), Reverse(candidate.id), at)
    };
    let mut bounds: BinaryHeap<_> = (0..open.len()).map(|at| worth(at, &covered)).collect();
    let (mut names, mut told): (Vec<&str>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    while names.len() < n_named {
        let Some((.., at)) = bounds.pop() else { break };
        let (best, now) = (&open[at], worth(at, &covered));
        if bounds.peek().is_some_and(|next| *next > now) {
            bounds.push(now);
            continue;
        }
        let name = graph.entity(best.id).name.trim();
        let words = term::distinct(name);
        let holds = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
        let is_said = told.iter().any(|said| holds(said, &words) || holds(&words, said));
        if !name.is_empty() && !is_said {
            names.push(name);
            told.push(words);
        }
        covered.insert(best.id);
        covered.extend(&best.within);
    }
    list(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// A member that a community may be called by.
struct Candidate {
    id: EntityId,
    /// The members that it is tied to, ascending.
    within: Vec<EntityId>,
    n_ties: usize,
    n_places: usize,
}

impl Candidate {
    /// With `inside`, the members, ascending.
    fn new(graph: &KnowledgeGraph, id: EntityId, inside: &[EntityId]) -> Self {
        let facts = graph.incident(id).map(|triple| graph.triple(triple));
        let ends = facts.map(|triple| if triple.head == id { triple.tail } else { triple.head });
        let ends = ends.chain(graph.associated(id).map(|(other, _)| other));
        let mut within: Vec<EntityId> = ends.filter(|other| *other != id).collect();
        within.sort_unstable();
        within.dedup();
        let n_ties = within.len();
        within.retain(|other| inside.binary_search(other).is_ok());
        within.shrink_to_fit();
        Self {
            id,
            within,
            n_ties,
            n_places: graph.entity(id).mentions.len(),
        }
    }

    /// How many further members it is tied to, times the share of its ties that lie within the community, times the
    /// logarithm of its places.
    fn worth(&self, covered: &BTreeSet<EntityId>) -> f32 {
        let n_new = 1 + self.within.iter().filter(|other| !covered.contains(other)).count();
        let share = (1 + self.within.len()) as f32 / (1 + self.n_ties) as f32;
        n_new as f32 * share * (2.0 + self.n_places as f32).ln()
    }
}

/// The description: ``12 people and works linked by `author` and `performer` ``.
pub(crate) fn description(
    schema: &Schema,
    graph: &KnowledgeGraph,
    members: &[EntityId],
    relations: &Relations,
) -> String {
    let what = kinds(schema, graph, members);
    let quoted = |ids: &[RelationId]| {
        let names = ids.iter().map(|id| format!("`{}`", schema.relation_name(*id)));
        list(&names.collect::<Vec<_>>())
    };
    if !relations.within.is_empty() {
        format!("{what} linked by {}", quoted(&relations.within))
    } else if is_associated(graph, members) {
        format!("{what} named side by side")
    } else if !relations.around.is_empty() {
        let verb = if members.len() == 1 { "has" } else { "have" };
        format!("{what} that {verb} {}", quoted(&relations.around))
    } else if members.len() > 1 {
        format!("{what} without relations")
    } else {
        what
    }
}

/// Whether two members are named side by side.
fn is_associated(graph: &KnowledgeGraph, members: &[EntityId]) -> bool {
    let inside: BTreeSet<EntityId> = members.iter().copied().collect();
    let mut others = members.iter().flat_map(|member| graph.associated(*member));
    others.any(|(other, _)| inside.contains(&other))
}

/// The most frequent relations of a community, most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// Of triples between two members.
    pub(crate) within: Vec<RelationId>,
    /// Of triples that only one end of is a member.
    pub(crate) around: Vec<RelationId>,
}

/// The [`Relations`] of each of `n_communities`. Cost O(t log t).
pub(crate) fn relations(graph: &KnowledgeGraph, membership: &[CommunityId], n_communities: usize) -> Vec<Relations> {
    let mut counts = vec![(BTreeMap::new(), BTreeMap::new()); n_communities];
    for triple in graph.triples() {
        let (head, tail) = (membership[triple.head.index()], membership[triple.tail.index()]);
        if head == tail {
            *counts[head.index()].0.entry(triple.relation).or_insert(0usize) += 1;
        } else {
            *counts[head.index()].1.entry(triple.relation).or_insert(0usize) += 1;
            *counts[tail.index()].1.entry(triple.relation).or_insert(0usize) += 1;
        }
    }
    let frequent = |counts: &BTreeMap<RelationId, usize>| {
        let mut ids: Vec<_> = counts.iter().collect();
        ids.sort_by_key(|(id, count)| (Reverse(**count), **id));
        ids.into_iter().take(MAX_LISTED).map(|(id, _)| *id).collect()
    };
    let lists = counts.iter();
    lists
        .map(|(within, around)| Relations {
            within: frequent(within),
            around: frequent(around),
        })
        .collect()
}

/// How many members of which types: `12 people and works`, `3 people, works and others`, `5 things`.
fn kinds(schema: &Schema, graph: &KnowledgeGraph, members: &[EntityId]) -> String {
    let mut counts: BTreeMap<TypeId, usize> = BTreeMap::new();
    for member in members {
        *counts.entry(graph.entity(*member).entity_type).or_default() += 1;
    }
    let mut kinds: Vec<(TypeId, usize)> = counts.into_iter().collect();
    kinds.sort_by_key(|&(kind, count)| (kind == schema.thing(), Reverse(count), kind));
    let n_listed = kinds
        .iter()
        .take(MAX_LISTED)
        .filter(|kind| kind.0 != schema.thing())
        .count()
        .max(1);
    let mut words: Vec<String> = kinds
        .iter()
        .take(n_listed)
        .map(|&(kind, _)| {
            let word = readable(&schema.entity_type(kind).name);
            if members.len() == 1 { word } else { plural(&word) }
        })
        .collect();
    if kinds.len() > n_listed {
        words.push("others".to_owned());
    }
    format!("{} {}", members.len(), list(&words))
}

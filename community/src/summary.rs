//! Name and description of a community without a model: its pivotal entities, types and relations.

mod words;

use banyan_engine::{CommunityId, EntityId, Keyword, KnowledgeGraph, RelationId, Schema, TypeId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use words::{list, plural, readable};

const MAX_NAMED: usize = 3;
const MAX_LISTED: usize = 2;

/// The name: up to three pivotal entities, those with most triples and associations first,
/// `Moby-Dick, Herman Melville and Pequod`.
///
/// Names without a letter (years, amounts) are left out where there are others, and each name is said once.
pub(crate) fn name(graph: &KnowledgeGraph, keywords: &[Keyword]) -> String {
    let mut known: Vec<EntityId> = keywords.iter().map(|word| word.entity).collect();
    known.sort_by_key(|entity| Reverse(graph.incident(*entity).len() + graph.associated(*entity).count()));
    let all: Vec<&str> = known.iter().map(|entity| graph.entity(*entity).name.trim()).collect();
    let mut names: Vec<&str> = Vec::new();
    let telling = |name: &&str| name.chars().any(char::is_alphabetic);
    for name in all.iter().filter(|name| telling(name)).chain(&all) {
        let is_said = names.iter().any(|said| said.to_lowercase() == name.to_lowercase());
        let is_needed = telling(name) || names.is_empty();
        if !name.is_empty() && !is_said && is_needed && names.len() < MAX_NAMED {
            names.push(name);
        }
    }
    list(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
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

//! The levels above the communities after a change.

use super::Before;
use super::carry::Carried;
use crate::config::Config;
use crate::hierarchy::{Node, describe};
use banyan_engine::{Branch, Community, CommunityId, KnowledgeGraph, Schema};
use std::collections::BTreeMap;

/// What became of the nodes of one level.
pub(super) struct Followed {
    /// For each node before, its position now; `None` for one that vanished.
    pub(super) places: Vec<Option<u32>>,
    /// For each node now, whether it is new or was described again.
    pub(super) is_touched: Vec<bool>,
}

/// The levels above `communities` that follow from those before: nodes stay under their branch, new ones come under the one
/// that they have the strongest ties to, or under one of their own, and branches without children vanish. Texts are made
/// again for branches below which anything was touched; second, which branches these are. Cost O(n + t log t) a level.
pub(super) fn follow(
    schema: &Schema,
    graph: &KnowledgeGraph,
    config: &Config,
    before: &Before<'_>,
    carried: &Carried,
    communities: &[Community],
    below: &Followed,
) -> (Vec<Vec<Branch>>, Vec<Vec<bool>>) {
    let mut followed: Vec<Followed> = Vec::new();
    let mut levels = Vec::new();
    let mut nodes = Node::of(communities);
    for (level, old) in before.tree.branches().iter().enumerate() {
        let below = followed.last().unwrap_or(below);
        let mut children = adopt(old, below);
        settle(graph, config, &nodes, &mut children);
        let is_kept: Vec<bool> = children.iter().map(|list| !list.is_empty()).collect();
        let next = Followed {
            places: places(&is_kept[..old.len()]),
            is_touched: touched(old, below, &children),
        };
        let names = (0..children.len()).filter(|at| is_kept[*at]).map(|at| old.get(at));
        let names: Vec<Option<&Branch>> = names.collect();
        children.retain(|list| !list.is_empty());
        let wanted = describe(schema, graph, config, level, &nodes, children.clone(), |at| {
            next.is_touched[at]
        });
        let pairs = wanted.into_iter().zip(names).zip(children);
        let branches = pairs.filter_map(|((new, old), children)| {
            new.or_else(|| {
                old.map(|old| Branch {
                    name: old.name.clone(),
                    description: old.description.clone(),
                    keywords: carried.keywords(&old.keywords),
                    children,
                })
            })
        });
        let branches: Vec<Branch> = branches.collect();
        nodes = Node::above(&nodes, &branches);
        levels.push(branches);
        followed.push(next);
    }
    (levels, followed.into_iter().map(|level| level.is_touched).collect())
}

/// The children of each branch before that are still there.
fn adopt(old: &[Branch], below: &Followed) -> Vec<Vec<CommunityId>> {
    let left = |branch: &Branch| {
        let places = branch.children.iter().filter_map(|child| below.places[child.index()]);
        places.map(CommunityId).collect()
    };
    old.iter().map(left).collect()
}

/// Puts every node that has no parent yet under the one that most of its ties lead to, or under one of its own.
fn settle(graph: &KnowledgeGraph, config: &Config, nodes: &[Node], children: &mut Vec<Vec<CommunityId>>) {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (branch, list) in children.iter().enumerate() {
        for child in list {
            parents[child.index()] = Some(branch);
        }
    }
    if parents.iter().all(Option::is_some) {
        return;
    }
    let mut own = vec![0; graph.entities().len()];
    for (position, node) in nodes.iter().enumerate() {
        for member in &node.members {
            own[member.index()] = position;
        }
    }
    let mut ties: BTreeMap<(usize, usize), f32> = BTreeMap::new();
    for triple in graph.triples() {
        let weak = config.weak_relations.contains(&triple.relation);
        let weight = if weak { config.weak_weight } else { 1.0 };
        let ends = [own[triple.head.index()], own[triple.tail.index()]];
        for (here, there) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            if let (None, Some(branch)) = (parents[here], parents[there]) {
                *ties.entry((here, branch)).or_default() += weight;
            }
        }
    }
    for (node, _) in parents.iter().enumerate().filter(|(_, parent)| parent.is_none()) {
        let votes = ties.range((node, 0)..(node + 1, 0));
        let best = votes.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.1.cmp(&a.0.1)));
        match best {
            Some((&(_, branch), _)) => children[branch].push(CommunityId::at(node)),
            None => children.push(vec![CommunityId::at(node)]),
        }
    }
    for list in children.iter_mut() {
        list.sort_unstable();
    }
}

/// For each branch now whether it is new, has other children than before, or one that was touched.
fn touched(old: &[Branch], below: &Followed, children: &[Vec<CommunityId>]) -> Vec<bool> {
    let kept = children.iter().enumerate().filter(|(_, list)| !list.is_empty());
    let is_touched = kept.map(|(at, list)| {
        let same = old.get(at).is_some_and(|old| old.children.len() == list.len());
        !same || list.iter().any(|child| below.is_touched[child.index()])
    });
    is_touched.collect()
}

/// Where what is kept comes to stand.
pub(super) fn places(is_kept: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let place = |is_kept: &bool| {
        is_kept.then(|| {
            next += 1;
            next - 1
        })
    };
    is_kept.iter().map(place).collect()
}

//! After a change of the graph: only what changed is placed and described again.

mod carry;
mod place;

use crate::config::Config;
use crate::detect::check;
use crate::error::CommunityError;
use crate::hierarchy::levels;
use crate::lift::{Describe, tree};
use crate::profile::Space;
use crate::summarise::Touched;
use banyan_engine::{Branch, Community, CommunityId, EntityId, KnowledgeGraph, KnowledgeTree, Schema};
use carry::Carried;
use place::place;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What there was before a change; handles of its tree are positions in its own graph.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The schema of the graph.
    pub schema: &'a Schema,
    /// The graph.
    pub graph: &'a KnowledgeGraph,
    /// The tree over it.
    pub tree: &'a KnowledgeTree,
}

/// A tree that follows from the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct Refreshed {
    /// The tree.
    pub tree: KnowledgeTree,
    /// Entities that came, went or changed.
    pub n_changed: usize,
    /// Communities that were described anew, those that vanished included; all where `is_anew`.
    pub n_touched: usize,
    /// Which nodes of the tree these are, and which branches above them were described anew.
    pub touched: Touched,
    /// Whether more had changed than `config.max_refreshed` and communities were detected anew.
    pub is_anew: bool,
}

/// The knowledge tree over `graph`, kept as it was `before` except where something changed.
///
/// Every entity that was there stays in its community, found by its key or by one that now leads to it. A new one joins
/// the community with the largest φ (Eq. 5), as in fusion; new entities that agree with each other more form a community
/// of their own. A community that has lost all members
/// vanishes; the others keep their order. Names, descriptions and keywords are computed again for communities whose
/// members changed, their names, types or attributes, or the triples between them (those around them, where there are
/// none between), and are carried over for all others; which sources state a fact does not matter. Levels above are
/// made anew; a branch over the same untouched nodes keeps its texts. Where the share of entities that changed is
/// greater than `config.max_refreshed`, this is [`tree()`].
///
/// Every entity is in exactly one community; the same for any number of threads. Cost O(n·d + (n + t) log n), and that of
/// one pass of fusion over the new entities.
///
/// # Differs from the paper
/// The paper has no change of a graph. This is one round of its fusion for the new entities alone, so the tree depends on
/// the order of changes; [`KnowledgeTree::n_refreshes`] counts them, and a detection anew forgets them.
///
/// # Errors
/// Those of [`tree()`].
pub fn refresh(
    schema: &Schema,
    graph: &KnowledgeGraph,
    space: &Space,
    before: Before<'_>,
    config: &Config,
) -> Result<Refreshed, CommunityError> {
    check(graph, space, config)?;
    let carried = Carried::new(schema, graph, &before);
    let n_changed = carried.n_changed();
    if n_changed as f32 > config.max_refreshed * graph.entities().len() as f32 {
        let tree = tree(schema, graph, space, config)?;
        return Ok(Refreshed {
            n_touched: tree.communities().len(),
            touched: Touched::all(&tree),
            tree,
            n_changed,
            is_anew: true,
        });
    }
    let n_before = before.tree.communities().len();
    let home = |old: &Option<EntityId>| old.and_then(|old| before.tree.community_of(old)).map(|home| home.0);
    let labels = place(space, config, carried.before.iter().map(home).collect(), n_before);
    let mut touched = touched(&before, &carried);
    let newcomers = labels.iter().zip(&carried.before).filter(|(_, old)| old.is_none());
    touched.extend(newcomers.map(|(label, _)| *label as usize));
    let labels: Vec<CommunityId> = labels.into_iter().map(CommunityId).collect();
    let lists = members(&labels, n_before);
    let kept: Vec<usize> = (0..lists.len()).filter(|label| !lists[*label].is_empty()).collect();
    let describe = Describe::new(schema, graph, space, config, &labels, lists.len());
    let communities = regrow(&describe, before.tree, &carried, lists, &touched);
    let mut branches = levels(schema, graph, space, config, &communities)?;
    let untouched = kept.iter().zip(0..).filter(|(label, _)| !touched.contains(*label));
    let untouched = untouched.map(|(label, now)| (CommunityId::at(*label), CommunityId(now)));
    let touched_branches = follow(before.tree.branches(), &mut branches, untouched.collect());
    let tree = KnowledgeTree::new(communities, graph.entities().len())?.with_branches(branches)?;
    let n_refreshes = before.tree.n_refreshes() + u32::from(n_changed > 0);
    Ok(Refreshed {
        tree: tree.refreshed(n_refreshes),
        n_changed,
        n_touched: touched.len(),
        touched: Touched {
            communities: kept.iter().map(|label| touched.contains(label)).collect(),
            branches: touched_branches,
        },
        is_anew: false,
    })
}

/// Gives the texts of branches before to those over the same nodes now; which branches have texts of their own.
/// `untouched` tells where the nodes of the lowest level stand now that nothing happened to.
fn follow(
    before: &[Vec<Branch>],
    branches: &mut [Vec<Branch>],
    mut untouched: BTreeMap<CommunityId, CommunityId>,
) -> Vec<Vec<bool>> {
    let mut touched = Vec::new();
    for (level, nodes) in branches.iter_mut().enumerate() {
        let mut known: BTreeMap<Vec<CommunityId>, (CommunityId, &Branch)> = BTreeMap::new();
        for (position, old) in before.get(level).into_iter().flatten().enumerate() {
            let children = old.children.iter().map(|child| untouched.get(child).copied());
            if let Some(mut children) = children.collect::<Option<Vec<_>>>() {
                children.sort_unstable();
                known.insert(children, (CommunityId::at(position), old));
            }
        }
        untouched = BTreeMap::new();
        let mut is_touched = Vec::new();
        for (position, node) in nodes.iter_mut().enumerate() {
            let old = known.get(&node.children);
            if let Some((place, old)) = old {
                (node.name, node.description) = (old.name.clone(), old.description.clone());
                untouched.insert(*place, CommunityId::at(position));
            }
            is_touched.push(old.is_none());
        }
        touched.push(is_touched);
    }
    touched
}

/// Communities before that are not as they were: that lost a member or have one that is another, that have another triple
/// between members, or, where there was none, another triple of any member.
fn touched(before: &Before<'_>, carried: &Carried) -> BTreeSet<usize> {
    let home = |old: EntityId| before.tree.community_of(old).map(CommunityId::index);
    let mut has_inside = vec![false; before.tree.communities().len()];
    for triple in before.graph.triples() {
        let (head, tail) = (home(triple.head), home(triple.tail));
        if let (Some(head), Some(tail)) = (head, tail) {
            has_inside[head] |= head == tail;
        }
    }
    let others = carried.before.iter().zip(&carried.is_other);
    let others = others.filter(|(_, is_other)| **is_other).filter_map(|(old, _)| *old);
    let mut touched: BTreeSet<usize> = others.chain(carried.lost.iter().copied()).filter_map(home).collect();
    for (head, tail) in &carried.triples {
        let ends = [head, tail].map(|end| carried.before[end.index()].and_then(home));
        let is_inside = ends[0] == ends[1];
        let changed = ends.into_iter().flatten();
        touched.extend(changed.filter(|home| is_inside || !has_inside[*home]));
    }
    touched
}

/// The communities of these labels in their order: those `touched` and new ones described, the others carried over.
fn regrow(
    describe: &Describe<'_>,
    tree: &KnowledgeTree,
    carried: &Carried,
    lists: Vec<Vec<EntityId>>,
    touched: &BTreeSet<usize>,
) -> Vec<Community> {
    let kept = lists
        .into_par_iter()
        .enumerate()
        .filter(|(_, members)| !members.is_empty());
    let grown = kept.map(|(label, members)| match tree.communities().get(label) {
        Some(old) if !touched.contains(&label) => carry(old, carried, members),
        _ => describe.community(label, members),
    });
    grown.collect()
}

/// The entities of each label, of which there are at least `n`.
fn members(labels: &[CommunityId], n: usize) -> Vec<Vec<EntityId>> {
    let n_labels = labels.iter().map(|label| label.index() + 1).max().unwrap_or(0);
    let mut lists = vec![Vec::new(); n_labels.max(n)];
    for (entity, label) in labels.iter().enumerate() {
        lists[label.index()].push(EntityId::at(entity));
    }
    lists
}

/// A community that nothing happened to, with the handles of now.
fn carry(old: &Community, carried: &Carried, members: Vec<EntityId>) -> Community {
    Community {
        name: old.name.clone(),
        description: old.description.clone(),
        keywords: carried.keywords(&old.keywords),
        members,
    }
}

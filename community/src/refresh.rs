//! After a change of the graph: only what changed is placed and described again.

mod branch;
mod carry;
mod place;

use crate::adjacency::Adjacency;
use crate::config::Config;
use crate::detect::detect;
use crate::error::CommunityError;
use crate::lift::{Describe, lift};
use crate::matrix::Matrix;
use crate::profile::Space;
use crate::represent::project_some;
use crate::semantics::Semantics;
use crate::summarise::Touched;
use banyan_engine::{Community, CommunityId, EntityId, KnowledgeGraph, KnowledgeTree, Schema};
use branch::{Followed, follow, places};
use carry::Carried;
use place::Newcomers;
use rayon::prelude::*;
use std::collections::BTreeSet;

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
/// the community with the largest φ (Eq. 5) among those that it has ties to and the four that are nearest to its name;
/// new entities that agree with each other more form a community of their own. A community that has lost all members
/// vanishes; the others keep their order. Names, descriptions and keywords are computed again for communities whose
/// members changed, their names, types or attributes, or the triples between them (those around them, where there are
/// none between), and are carried over for all others; which sources state a fact does not matter. Where the share of entities that changed is greater than
/// `config.max_refreshed`, this is [`detect()`] and [`lift()`].
///
/// Every entity is in exactly one community; the same for any number of threads. Cost O(n·d + (n + t) log n), with small
/// factors: projections and keywords only for communities that are asked about.
///
/// # Differs from the paper
/// The paper has no change of a graph. This is one round of its fusion for the new entities alone, so the tree depends on
/// the order of changes; [`KnowledgeTree::n_refreshes`] counts them, and a detection anew forgets them.
///
/// # Errors
/// Those of [`detect()`].
pub fn refresh(
    schema: &Schema,
    graph: &KnowledgeGraph,
    semantics: &Semantics,
    before: Before<'_>,
    config: &Config,
) -> Result<Refreshed, CommunityError> {
    config.validate()?;
    semantics.validate(graph)?;
    let carried = Carried::new(schema, graph, &before);
    let n_changed = carried.n_changed();
    if n_changed as f32 > config.max_refreshed * graph.entities().len() as f32 {
        let partition = detect(graph, semantics, config)?;
        let tree = lift(schema, graph, &partition, semantics, config)?;
        return Ok(Refreshed {
            n_touched: tree.communities().len(),
            touched: Touched::all(&tree),
            tree,
            n_changed,
            is_anew: true,
        });
    }
    let mut touched = touched(&before, &carried);
    let (space, labels) = place(graph, semantics, before.tree, config, &carried, &mut touched);
    let labels: Vec<CommunityId> = labels.into_iter().map(CommunityId).collect();
    let lists = members(&labels, before.tree.communities().len());
    let is_kept: Vec<bool> = lists.iter().map(|list| !list.is_empty()).collect();
    let n_before = before.tree.communities().len();
    let is_touched = |label: usize| label >= n_before || touched.contains(&label);
    let followed = Followed {
        places: places(&is_kept[..n_before]),
        is_touched: (0..lists.len())
            .filter(|label| is_kept[*label])
            .map(is_touched)
            .collect(),
    };
    let describe = Describe::new(schema, graph, &space, config, &labels, lists.len());
    let communities = regrow(&describe, before.tree, &carried, lists, &touched);
    let (branches, touched_branches) = follow(schema, graph, config, &before, &carried, &communities, &followed);
    let tree = KnowledgeTree::new(communities, graph.entities().len())?.with_branches(branches)?;
    let n_refreshes = before.tree.n_refreshes() + u32::from(n_changed > 0);
    Ok(Refreshed {
        tree: tree.refreshed(n_refreshes),
        n_changed,
        n_touched: touched.len(),
        touched: Touched {
            communities: followed.is_touched,
            branches: touched_branches,
        },
        is_anew: false,
    })
}

/// Communities before that are not as they were: that lost a member or have one that is another, that have another triple
/// between members, or, where there was none, another triple of any member.
fn touched(before: &Before<'_>, carried: &Carried) -> BTreeSet<usize> {
    let home = |old: EntityId| before.tree.community_of(old).index();
    let mut has_inside = vec![false; before.tree.communities().len()];
    for triple in before.graph.triples() {
        let (head, tail) = (home(triple.head), home(triple.tail));
        has_inside[head] |= head == tail;
    }
    let others = carried.before.iter().zip(&carried.is_other);
    let others = others.filter(|(_, is_other)| **is_other).filter_map(|(old, _)| *old);
    let mut touched: BTreeSet<usize> = others.chain(carried.lost.iter().copied()).map(home).collect();
    for (head, tail) in &carried.triples {
        let ends = [head, tail].map(|end| carried.before[end.index()].map(home));
        let is_inside = ends[0] == ends[1];
        let changed = ends.into_iter().flatten();
        touched.extend(changed.filter(|home| is_inside || !has_inside[*home]));
    }
    touched
}

/// The label of every entity, those before being the positions of communities; and what it was judged by, with rows for
/// the members of `touched`, to which the communities that took new entities in are added.
fn place(
    graph: &KnowledgeGraph,
    semantics: &Semantics,
    tree: &KnowledgeTree,
    config: &Config,
    carried: &Carried,
    touched: &mut BTreeSet<usize>,
) -> (Space, Vec<u32>) {
    let ties = Adjacency::new(graph, config);
    let own = |old: &Option<EntityId>| old.map(|old| tree.community_of(old).0);
    let mut labels: Vec<Option<u32>> = carried.before.iter().map(own).collect();
    let mut lists = vec![Vec::new(); tree.communities().len()];
    for (entity, label) in labels.iter().enumerate() {
        if let Some(label) = label {
            lists[*label as usize].push(entity);
        }
    }
    let newcomers = Newcomers::new(&lists, &ties, semantics.entities, &mut labels);
    let mut labels: Vec<u32> = labels.into_iter().map(Option::unwrap_or_default).collect();
    let mut asked = newcomers.candidates(&ties, &labels);
    asked.extend(touched.iter());
    let members = asked.iter().flat_map(|label| lists[*label].iter().copied());
    let mut wanted: Vec<usize> = members.chain(newcomers.entities().iter().copied()).collect();
    wanted.sort_unstable();
    let rows = if wanted.is_empty() {
        Matrix::default()
    } else {
        project_some(graph, semantics, config, &wanted)
    };
    let start = Matrix::default();
    let space = Space { start, rows, ties };
    if !newcomers.is_empty() {
        newcomers.place(&space, config, &lists, &mut labels);
        touched.extend(newcomers.entities().iter().map(|entity| labels[*entity] as usize));
    }
    (space, labels)
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

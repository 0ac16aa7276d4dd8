//! Levels above many communities: communities as entities, brought together once more.

use crate::adjacency::{Adjacency, SparseRows};
use crate::config::Config;
use crate::error::CommunityError;
use crate::fuse::local_moves::move_entities;
use crate::fuse::state::CommunityState;
use crate::matrix::{Matrix, add};
use crate::partition::Partition;
use crate::profile::Space;
use crate::seed::first_start;
use crate::summary::{Relations, description, name, relations};
use banyan_engine::embed::normalize;
use banyan_engine::{Branch, Community, CommunityId, EntityId, Keyword, KnowledgeGraph, Schema};
use std::cmp::Reverse;

/// What a level consists of, as the level above sees it.
#[derive(Clone, Debug)]
struct Node {
    /// All entities below it.
    members: Vec<EntityId>,
    /// Its pivotal entities, best first.
    keywords: Vec<Keyword>,
}

impl Node {
    /// The nodes of the lowest level.
    fn of(communities: &[Community]) -> Vec<Self> {
        let node = |community: &Community| Self {
            members: community.members.clone(),
            keywords: community.keywords.clone(),
        };
        communities.iter().map(node).collect()
    }

    /// The nodes of a level over these.
    fn above(below: &[Self], branches: &[Branch]) -> Vec<Self> {
        let node = |branch: &Branch| {
            let members = branch.children.iter().flat_map(|child| &below[child.index()].members);
            Self {
                members: members.copied().collect(),
                keywords: branch.keywords.clone(),
            }
        };
        branches.iter().map(node).collect()
    }
}

/// The levels above `communities`, the lowest first, none where there are at most `config.max_top`.
///
/// Each level brings the one below together as detection brings entities together: nodes are represented by the means of
/// their members and by the ties between them, divided by K-means as section 3.2 has it (k by β and η, so that one
/// level is enough for any number of communities with meaning) and moved to the branch with the largest φ (Eq. 5).
/// Levels are added until one has at most `config.max_top` nodes or nothing comes together any more. Cost O(n·p) and
/// that of K-means over the communities.
///
/// # Errors
/// [`CommunityError::Start`] if the clustering library refuses.
pub(crate) fn levels(
    schema: &Schema,
    graph: &KnowledgeGraph,
    space: &Space,
    config: &Config,
    communities: &[Community],
) -> Result<Vec<Vec<Branch>>, CommunityError> {
    let mut levels: Vec<Vec<Branch>> = Vec::new();
    let mut nodes = Node::of(communities);
    if nodes.len() <= config.max_top {
        return Ok(levels);
    }
    let groups = nodes.iter().map(|node| node.members.iter().map(|id| id.index()));
    let mut space = above(space, &groups.map(Iterator::collect).collect::<Vec<_>>());
    while nodes.len() > config.max_top {
        let partition = gather(&space, config)?;
        if partition.len() >= nodes.len() {
            break;
        }
        let lists = partition.communities().iter();
        let children: Vec<Vec<CommunityId>> = lists
            .map(|list| list.iter().map(|id| CommunityId(id.0)).collect())
            .collect();
        let branches = describe(schema, graph, config, levels.len(), &nodes, children);
        let lists = partition.communities().iter();
        let groups = lists.map(|list| list.iter().map(|id| id.index()).collect());
        space = above(&space, &groups.collect::<Vec<_>>());
        nodes = Node::above(&nodes, &branches);
        levels.push(branches);
    }
    Ok(levels)
}

/// Branches of these `children` among the nodes `below`, on the level `level` from 0 above the communities. Cost
/// O(n + t log t).
fn describe(
    schema: &Schema,
    graph: &KnowledgeGraph,
    config: &Config,
    level: usize,
    below: &[Node],
    children: Vec<Vec<CommunityId>>,
) -> Vec<Branch> {
    let mut membership = vec![CommunityId(0); graph.entities().len()];
    for (position, children) in children.iter().enumerate() {
        for member in children.iter().flat_map(|child| &below[child.index()].members) {
            membership[member.index()] = CommunityId::at(position);
        }
    }
    let relations = relations(graph, &membership, children.len());
    let branch = |(children, relations): (Vec<CommunityId>, &Relations)| {
        let nodes: Vec<&Node> = children.iter().map(|child| &below[child.index()]).collect();
        let members: Vec<EntityId> = nodes.iter().flat_map(|node| node.members.iter().copied()).collect();
        let keywords = keywords(&nodes, config);
        let what = description(schema, graph, &members, relations);
        Branch {
            name: name(graph, &members),
            description: format!("{}: {what}", counted(children.len(), level)),
            children,
            keywords,
        }
    };
    children.into_iter().zip(&relations).map(branch).collect()
}

/// The first keywords of the largest nodes, by falling score.
fn keywords(nodes: &[&Node], config: &Config) -> Vec<Keyword> {
    let mut largest: Vec<&&Node> = nodes.iter().collect();
    largest.sort_by_key(|node| Reverse(node.members.len()));
    let mut first: Vec<Keyword> = largest
        .iter()
        .filter_map(|node| node.keywords.first().copied())
        .collect();
    first.truncate(config.n_keywords);
    first.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.entity.cmp(&b.entity)));
    first
}

fn counted(n: usize, level: usize) -> String {
    match (n, level) {
        (1, 0) => "1 community".to_owned(),
        (n, 0) => format!("{n} communities"),
        (1, _) => "1 branch".to_owned(),
        (n, _) => format!("{n} branches"),
    }
}

/// K-means over the nodes, then moves to the branch with the largest φ.
fn gather(space: &Space, config: &Config) -> Result<Partition, CommunityError> {
    let start = Partition::from_labels(&first_start(&space.start, &space.ties, config)?);
    let communities = CommunityState::all(space, config, &start);
    let all: Vec<usize> = (0..start.membership().len()).collect();
    Ok(Partition::from_labels(&move_entities(space, config, communities, &all)))
}

/// The nodes `groups` of `space` as entities of a space of their own.
fn above(space: &Space, groups: &[Vec<usize>]) -> Space {
    let mut labels = vec![0u32; space.ties.degrees.len()];
    for (label, group) in (0u32..).zip(groups) {
        for member in group {
            labels[*member] = label;
        }
    }
    Space {
        start: means(&space.start, groups),
        rows: means(&space.rows, groups),
        ties: space.ties.grouped(&labels, groups.len()),
    }
}

/// Unit means of the rows of each group; zero where they cancel out.
fn means(rows: &Matrix, groups: &[Vec<usize>]) -> Matrix {
    let mut data = Vec::with_capacity(groups.len() * rows.width());
    for group in groups {
        let mut sum = vec![0.0; rows.width()];
        for member in group {
            add(&mut sum, rows.row(*member));
        }
        normalize(&mut sum);
        data.append(&mut sum);
    }
    Matrix::new(rows.width(), data)
}

impl Adjacency {
    /// Adjacency between groups, of which each entity has the label of one, and the mean shares of their relation
    /// types. Cost O(t log t).
    fn grouped(&self, labels: &[u32], n_groups: usize) -> Self {
        let pairs = self.neighbours.by_label(labels);
        let pairs = pairs.map(|(own, (other, weight))| (own, (labels[other as usize], weight)));
        let neighbours = SparseRows::new(n_groups, pairs.filter(|(own, (other, _))| own != other));
        let mut types = SparseRows::new(n_groups, self.types.by_label(labels));
        types.scale_to_shares();
        let degrees: Vec<f32> = (0..n_groups).map(|group| neighbours.total(group)).collect();
        Self {
            volume: degrees.iter().sum(),
            roles: types.first_alike(),
            neighbours,
            types,
            n_types: self.n_types,
            degrees,
        }
    }
}

//! The levels above the communities, as nodes.

use super::{Draft, community_id};
use crate::export::picture::{Edge, Node, NodeKind};
use crate::id::CommunityId;
use crate::tree::{Branch, Level};
use std::cmp::Reverse;
use std::collections::BTreeSet;

impl Draft<'_> {
    /// Branches above communities of chosen entities, the highest level first, each joined to what it is part of.
    pub(super) fn branches(&mut self) {
        let tree = &self.knowledge.tree;
        let mut shown: BTreeSet<CommunityId> = self.chosen.iter().filter_map(|id| tree.community_of(*id)).collect();
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for (at, branches) in tree.branches().iter().enumerate() {
            let mut next = BTreeSet::new();
            for (position, branch) in branches.iter().enumerate() {
                let children: Vec<CommunityId> = branch
                    .children
                    .iter()
                    .copied()
                    .filter(|id| shown.contains(id))
                    .collect();
                if children.is_empty() {
                    continue;
                }
                let id = CommunityId::at(position);
                next.insert(id);
                nodes.push(self.branch(at, id, branch));
                edges.extend(children.into_iter().map(|child| part_of(at, child, id)));
            }
            shown = next;
        }
        nodes.sort_by_key(|node| Reverse(node.level));
        edges.sort_by_key(|edge| Reverse(edge.level));
        self.picture.nodes.append(&mut nodes);
        self.picture.edges.append(&mut edges);
    }

    fn branch(&self, at: usize, id: CommunityId, branch: &Branch) -> Node {
        let graph = &self.knowledge.graph;
        let pivots = branch.keywords.iter().map(|word| graph.entity(word.entity));
        let sources = pivots.filter_map(|entity| entity.mentions.first());
        Node {
            id: branch_id(at, id),
            kind: NodeKind::Branch,
            level: level(at),
            name: branch.name.clone(),
            type_name: NodeKind::Branch.as_str().to_owned(),
            description: branch.description.clone(),
            score: branch.children.len() as f32,
            sources: self.places(sources.map(|(source, _)| source)),
        }
    }
}

fn part_of(at: usize, child: CommunityId, branch: CommunityId) -> Edge {
    let source = if at == 0 {
        community_id(child)
    } else {
        branch_id(at - 1, child)
    };
    let target = branch_id(at, branch);
    Edge {
        id: format!("u{source}-{target}"),
        source,
        target,
        relation: "part_of".to_owned(),
        level: level(at),
        weight: 1.0,
        sources: Vec::new(),
    }
}

/// The level `at` from 0 above the communities, as it is numbered.
fn level(at: usize) -> u8 {
    u8::try_from(Level::Communities as usize + 1 + at).unwrap_or(u8::MAX)
}

fn branch_id(at: usize, id: CommunityId) -> String {
    format!("b{}_{}", level(at), id.index())
}

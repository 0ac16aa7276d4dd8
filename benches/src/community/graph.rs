//! A graph as files state it: named nodes, typed edges, and what is known of the nodes.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) source: u32,
    /// Its type, as a position in [`Graph::relations`].
    pub(super) relation: u32,
    pub(super) target: u32,
}

/// Nodes, edges and gold classes.
///
/// # Invariants
/// 1. `classes` and `features` have one entry for each of `names`.
/// 2. Edges refer to nodes and relations by valid positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) names: Vec<String>,
    /// Names of the types of edges; a graph without types has one, `related_to`.
    pub(super) relations: Vec<String>,
    /// The edges in the order of the file; each weighs 1, parallel ones add up.
    pub(super) edges: Vec<Edge>,
    /// The class of each node, `None` where the file names none.
    pub(super) classes: Vec<Option<u32>>,
    /// The binary features of each node, by their numbers; mostly none.
    pub(super) features: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) class: Option<String>,
    pub(super) features: Vec<u32>,
}

impl Graph {
    /// The graph of these nodes, else of those that the edges name: source, relation, target. Cost O(n log n).
    ///
    /// # Errors
    /// For a node told twice, an edge to no node, and no node at all.
    pub(super) fn new(nodes: Option<Vec<Node>>, edges: &[[String; 3]]) -> Result<Self> {
        let (mut names, mut classes, mut relations) = (Numbers::default(), Numbers::default(), Numbers::default());
        let mut graph = Self::default();
        let is_closed = nodes.is_some();
        for node in nodes.into_iter().flatten() {
            let is_new = names.of(&node.id) as usize == graph.classes.len();
            ensure!(is_new, "the node `{}` is introduced a second time", node.id);
            graph.classes.push(node.class.map(|class| classes.of(&class)));
            graph.features.push(node.features);
        }
        for edge @ [source, relation, target] in edges {
            let mut end = |name: &str| {
                let known = if is_closed {
                    names.positions.get(name).copied()
                } else {
                    Some(names.of(name))
                };
                known.with_context(|| format!("{}: the node `{name}` is not among the nodes", edge.join(" ")))
            };
            graph.edges.push(Edge {
                source: end(source)?,
                relation: relations.of(relation),
                target: end(target)?,
            });
        }
        ensure!(!names.names.is_empty(), "no nodes; expected at least one");
        graph.classes.resize(names.names.len(), None);
        graph.features.resize(names.names.len(), Vec::new());
        graph.names = names.names;
        graph.relations = relations.names;
        Ok(graph)
    }

    pub(super) fn n_classes(&self) -> usize {
        self.classes.iter().flatten().collect::<BTreeSet<_>>().len()
    }
}

/// Positions `0..` for names, in the order in which they are first said.
#[derive(Default)]
struct Numbers {
    positions: BTreeMap<String, u32>,
    names: Vec<String>,
}

impl Numbers {
    /// The position of `name`, a new one for a new name.
    fn of(&mut self, name: &str) -> u32 {
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let position = *self.positions.entry(name.to_owned()).or_insert(next);
        if position == next {
            self.names.push(name.to_owned());
        }
        position
    }
}

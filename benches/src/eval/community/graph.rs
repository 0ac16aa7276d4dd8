//! A graph as files state it: named nodes, typed edges, and what is known of the nodes.

use super::error::GraphError;
use std::collections::BTreeMap;

/// An edge between two nodes, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it starts.
    pub source: u32,
    /// Its type, as a position in [`Graph::relations`].
    pub relation: u32,
    /// Where it ends.
    pub target: u32,
}

/// Nodes, edges and gold classes.
///
/// # Invariants
/// 1. `classes` and `features` have one entry for each of `names`.
/// 2. Edges refer to nodes and relations by valid positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes' names, each another.
    pub names: Vec<String>,
    /// Names of the types of edges; a graph without types has one, `related_to`.
    pub relations: Vec<String>,
    /// The edges in the order of the file; each weighs 1, parallel ones add up.
    pub edges: Vec<Edge>,
    /// The class of each node, `None` where the file names none.
    pub classes: Vec<Option<u32>>,
    /// The binary features of each node, by their numbers; mostly none.
    pub features: Vec<Vec<u32>>,
}

impl Graph {
    /// Number of nodes with a class.
    pub fn n_classified(&self) -> usize {
        self.classes.iter().flatten().count()
    }

    /// Number of different classes.
    pub fn n_classes(&self) -> usize {
        let mut classes: Vec<u32> = self.classes.iter().flatten().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        classes.len()
    }
}

/// Positions `0..` for names, in the order in which they are first said.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    positions: BTreeMap<String, u32>,
    names: Vec<String>,
}

impl Numbers {
    /// The position of `name`, a new one for a new name.
    pub(super) fn of(&mut self, name: &str) -> u32 {
        if let Some(position) = self.positions.get(name) {
            return *position;
        }
        let position = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.positions.insert(name.to_owned(), position);
        self.names.push(name.to_owned());
        position
    }

    /// The position of a `name` that line `line` speaks of and that must be known.
    pub(super) fn known(&self, name: &str, line: usize) -> Result<u32, GraphError> {
        let position = self.positions.get(name).copied();
        position.ok_or_else(|| GraphError::UnknownNode {
            line,
            node: name.to_owned(),
        })
    }

    /// Gives a `name` that line `line` introduces a position of its own.
    pub(super) fn introduce(&mut self, name: &str, line: usize) -> Result<u32, GraphError> {
        if self.positions.contains_key(name) {
            return Err(GraphError::TwiceNode {
                line,
                node: name.to_owned(),
            });
        }
        Ok(self.of(name))
    }

    /// The names by position.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

//! A graph as files state it: named nodes, typed edges, and what is known of the nodes.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};

/// An edge between two nodes, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) source: u32,
    /// Its type, as a position in [`Graph::relations`].
    pub(crate) relation: u32,
    pub(crate) target: u32,
}

/// Nodes, edges and gold classes.
///
/// # Invariants
/// 1. `classes` and `features` have one entry for each of `names`.
/// 2. Edges refer to nodes and relations by valid positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    /// The nodes' names, each another.
    pub(crate) names: Vec<String>,
    /// Names of the types of edges; a graph without types has one, `related_to`.
    pub(crate) relations: Vec<String>,
    /// The edges in the order of the file; each weighs 1, parallel ones add up.
    pub(crate) edges: Vec<Edge>,
    /// The class of each node, `None` where the file names none.
    pub(crate) classes: Vec<Option<u32>>,
    /// The binary features of each node, by their numbers; mostly none.
    pub(crate) features: Vec<Vec<u32>>,
}

impl Graph {
    /// Number of different classes.
    pub(crate) fn n_classes(&self) -> usize {
        self.classes.iter().flatten().collect::<BTreeSet<_>>().len()
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
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let position = *self.positions.entry(name.to_owned()).or_insert(next);
        if position == next {
            self.names.push(name.to_owned());
        }
        position
    }

    /// The position of a `name` that must be known.
    pub(super) fn known(&self, name: &str) -> Result<u32> {
        let position = self.positions.get(name).copied();
        position.with_context(|| format!("the node `{name}` is not among the nodes"))
    }

    /// Gives a new `name` a position.
    pub(super) fn introduce(&mut self, name: &str) -> Result<u32> {
        ensure!(
            !self.positions.contains_key(name),
            "the node `{name}` is introduced a second time"
        );
        Ok(self.of(name))
    }

    /// The names by position.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

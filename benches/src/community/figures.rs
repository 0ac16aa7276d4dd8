//! What a method found, and what it took.

use super::graph::Graph;
use super::metric::{agreement, coverage, modularity};
use serde::Serialize;
use std::collections::BTreeMap;

/// One part of a method, and what it took.
#[derive(Debug, Serialize)]
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) cpu_seconds: f64,
}

/// How many members communities have; of two middle ones the larger counts.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Sizes {
    min: usize,
    median: usize,
    max: usize,
}

/// What a method found, and what it took.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// Normalised mutual information with the classes; absent where the graph has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    nmi: Option<f64>,
    /// Adjusted Rand index with the classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    ari: Option<f64>,
    /// Undirected, parallel edges added up.
    modularity: f64,
    /// Share of nodes in exactly one community.
    coverage: f64,
    communities: usize,
    sizes: Sizes,
    /// CPU time of all threads together; absent for what was not computed here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu_seconds: Option<f64>,
    /// Largest resident memory of the process while the method ran, the graph and its vectors included; absent where the
    /// system cannot tell it apart from what ran before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_mb: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) stages: Vec<Stage>,
}

impl Figures {
    /// The figures of a division of the nodes of `graph`, without what it took.
    ///
    /// `of_nodes` has the communities of each node. A node in none, or in several, counts as a community of its own in
    /// every measure but `coverage`, `communities` and `sizes`: what is dropped is not rewarded.
    pub(super) fn new(graph: &Graph, of_nodes: &[Vec<u32>]) -> Self {
        let mut members: BTreeMap<u32, usize> = BTreeMap::new();
        for community in of_nodes.iter().flatten() {
            *members.entry(*community).or_default() += 1;
        }
        let mut next = members.keys().last().map_or(0, |last| last + 1);
        let mut label = |communities: &Vec<u32>| {
            if let [only] = communities[..] {
                return only;
            }
            next += 1;
            next - 1
        };
        let labels: Vec<u32> = of_nodes.iter().map(&mut label).collect();
        let agreement = agreement(&graph.classes, &labels);
        let mut sizes: Vec<usize> = members.into_values().collect();
        sizes.sort_unstable();
        let size = |at: usize| sizes.get(at).copied().unwrap_or(0);
        Self {
            nmi: agreement.map(|agreement| agreement.nmi),
            ari: agreement.map(|agreement| agreement.ari),
            modularity: modularity(&graph.edges, &labels),
            coverage: coverage(of_nodes),
            communities: sizes.len(),
            sizes: Sizes {
                min: size(0),
                median: size(sizes.len() / 2),
                max: size(sizes.len().saturating_sub(1)),
            },
            cpu_seconds: None,
            peak_mb: None,
            stages: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read_table;
    use super::*;

    #[test]
    fn what_is_dropped_is_not_rewarded() {
        let graph = read_table("a b\nc d\n", Some("a x\nb x\nc y\nd y\n")).unwrap();
        let whole = Figures::new(&graph, &[vec![0], vec![0], vec![1], vec![1]]);
        assert_eq!((whole.nmi, whole.ari, whole.communities), (Some(1.0), Some(1.0), 2));
        assert!((whole.modularity - 0.5).abs() < 1e-12);
        let part = Figures::new(&graph, &[vec![0], vec![0], vec![1], vec![]]);
        assert!(part.nmi < Some(1.0) && part.communities == 2 && (part.coverage - 0.75).abs() < 1e-12);
        assert_eq!((part.sizes.min, part.sizes.median, part.sizes.max), (1, 2, 2));
    }
}

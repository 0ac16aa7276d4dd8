//! The report: methods side by side, a table for people, JSON for programs.

use super::graph::Graph;
use super::metric::{agreement, coverage, modularity};
use banyan::eval::report::Part;
use serde::Serialize;
use std::collections::BTreeMap;

/// One part of a method, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// What was done.
    pub name: String,
    /// CPU time of all threads together.
    pub cpu_seconds: f64,
}

/// How many members communities have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Of the smallest.
    pub min: usize,
    /// Of the middle one; of the two middle ones, the larger.
    pub median: usize,
    /// Of the largest.
    pub max: usize,
}

/// What a method found, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Normalised mutual information with the classes; absent where the graph has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nmi: Option<f64>,
    /// Adjusted Rand index with the classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ari: Option<f64>,
    /// Modularity: undirected, parallel edges added up.
    pub modularity: f64,
    /// Share of nodes in exactly one community.
    pub coverage: f64,
    /// Number of communities.
    pub communities: usize,
    /// Their sizes.
    pub sizes: Sizes,
    /// CPU time of all threads together; absent for what was not computed here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Largest resident memory of the process while the method ran, the graph and its vectors included; absent where the
    /// system cannot tell it apart from what ran before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mb: Option<u64>,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
}

impl Figures {
    /// The figures of a division of the nodes of `graph`, without what it took.
    ///
    /// `of_nodes` has the communities of each node. A node in none, or in several, counts as a community of its own in
    /// every measure but `coverage`, `communities` and `sizes`: what is dropped is not rewarded.
    pub fn new(graph: &Graph, of_nodes: &[Vec<u32>]) -> Self {
        let mut members: BTreeMap<u32, usize> = BTreeMap::new();
        for community in of_nodes.iter().flatten() {
            *members.entry(*community).or_default() += 1;
        }
        let mut next = members.keys().last().map_or(0, |last| last + 1);
        let mut alone = || {
            next += 1;
            next - 1
        };
        let labels = of_nodes.iter().map(|communities| match communities[..] {
            [only] => only,
            _ => alone(),
        });
        let labels: Vec<u32> = labels.collect();
        let agreement = agreement(&graph.classes, &labels);
        Self {
            nmi: agreement.map(|agreement| agreement.nmi),
            ari: agreement.map(|agreement| agreement.ari),
            modularity: modularity(&graph.edges, &labels),
            coverage: coverage(of_nodes),
            communities: members.len(),
            sizes: Sizes::of(members.into_values().collect()),
            cpu_seconds: None,
            peak_mb: None,
            stages: Vec::new(),
        }
    }
}

impl Sizes {
    fn of(mut sizes: Vec<usize>) -> Self {
        sizes.sort_unstable();
        Self {
            min: sizes.first().copied().unwrap_or(0),
            median: sizes.get(sizes.len() / 2).copied().unwrap_or(0),
            max: sizes.last().copied().unwrap_or(0),
        }
    }
}

/// All methods on one graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What was read.
    pub graph: String,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of types of edges.
    pub relations: usize,
    /// Number of gold classes, 0 where none are known.
    pub classes: usize,
    /// Where the semantic side comes from: `embeddings`, `features` or `none`.
    pub meaning: String,
    /// Figures by method.
    pub methods: BTreeMap<String, Figures>,
}

impl Report {
    /// The same as one part of a report, a method beside the other.
    pub fn part(&self) -> Part {
        let mut part = Part {
            set: self.graph.clone(),
            ..Part::default()
        };
        for (name, figures) in &self.methods {
            let counted = [
                ("nmi", figures.nmi),
                ("ari", figures.ari),
                ("modularity", Some(figures.modularity)),
                ("coverage", Some(figures.coverage)),
                ("communities", Some(figures.communities as f64)),
                ("largest", Some(figures.sizes.max as f64)),
                ("cpu seconds", figures.cpu_seconds),
                ("peak MB", figures.peak_mb.map(|mb| mb as f64)),
            ];
            for (metric, value) in counted {
                if let Some(value) = value {
                    part.total(name, metric, self.nodes, value);
                }
            }
            for stage in &figures.stages {
                part.total(
                    name,
                    &format!("{} cpu seconds", stage.name),
                    self.nodes,
                    stage.cpu_seconds,
                );
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::community::table::read_table;

    #[test]
    fn what_is_dropped_is_not_rewarded() {
        let graph = read_table("a b\nc d\n", Some("a x\nb x\nc y\nd y\n")).unwrap();
        let whole = Figures::new(&graph, &[vec![0], vec![0], vec![1], vec![1]]);
        assert_eq!((whole.nmi, whole.ari, whole.communities), (Some(1.0), Some(1.0), 2));
        assert!((whole.modularity - 0.5).abs() < 1e-12);
        let part = Figures::new(&graph, &[vec![0], vec![0], vec![1], vec![]]);
        assert!(part.nmi < Some(1.0) && part.communities == 2 && (part.coverage - 0.75).abs() < 1e-12);
        assert_eq!(
            part.sizes,
            Sizes {
                min: 1,
                median: 2,
                max: 2
            }
        );
    }

    #[test]
    fn graphs_without_classes_have_no_agreement() {
        let graph = read_table("a b\n", None).unwrap();
        let figures = Figures::new(&graph, &[vec![0], vec![0]]);
        let json = serde_json::to_value(&figures).unwrap();
        assert!(json.get("nmi").is_none() && json.get("ari").is_none());
    }
}

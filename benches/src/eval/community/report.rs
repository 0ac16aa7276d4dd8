//! The report: methods side by side, a table for people, JSON for programs.

use super::graph::Graph;
use super::metric::{agreement, coverage, modularity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

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

/// The order of the rows; methods that are not named here follow by name.
const ORDER: [&str; 8] = [
    "banyan",
    "relations_only",
    "meaning_only",
    "types_only",
    "neighbours_only",
    "kmeans",
    "louvain",
    "leiden",
];

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            graph,
            nodes,
            edges,
            relations,
            classes,
            meaning,
            methods,
        } = self;
        writeln!(
            f,
            "{graph}: {nodes} nodes, {edges} edges of {relations} types, {classes} classes, meaning: {meaning}"
        )?;
        let known = ORDER.iter().filter_map(|name| methods.get_key_value(*name));
        let other = methods.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
        writeln!(
            f,
            "{:<14} {:>6} {:>6} {:>10} {:>8} {:>6} {:>15} {:>8} {:>8}",
            "", "NMI", "ARI", "modularity", "coverage", "found", "min/median/max", "cpu s", "peak MB"
        )?;
        for (name, figures) in known.chain(other) {
            row(f, name, figures)?;
        }
        if let Some(banyan) = methods.get("banyan") {
            let stages: Vec<String> = banyan
                .stages
                .iter()
                .map(|stage| format!("{} {:.2}", stage.name, stage.cpu_seconds))
                .collect();
            writeln!(f, "banyan's cpu by stage: {}", stages.join(", "))?;
        }
        write!(
            f,
            "peak MB: of the whole process while the method ran, graph and vectors included"
        )
    }
}

fn row(f: &mut Formatter<'_>, name: &str, figures: &Figures) -> fmt::Result {
    let Sizes { min, median, max } = figures.sizes;
    let share = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
    let peak = figures.peak_mb.map_or_else(|| "–".to_owned(), |mb| mb.to_string());
    let cpu = figures
        .cpu_seconds
        .map_or_else(|| "–".to_owned(), |cpu| format!("{cpu:.2}"));
    writeln!(
        f,
        "{name:<14} {:>6} {:>6} {:>10.3} {:>8.3} {:>6} {:>15} {cpu:>8} {peak:>8}",
        share(figures.nmi),
        share(figures.ari),
        figures.modularity,
        figures.coverage,
        figures.communities,
        format!("{min}/{median}/{max}"),
    )
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

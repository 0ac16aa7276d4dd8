//! A start from structure alone, for entities without meaning: modularity by local moves, level upon level.

use crate::adjacency::SparseRows;
use std::collections::BTreeMap;

/// Passes over all nodes of a level; moves after that gain next to nothing. Arbitrary.
const MAX_PASSES: usize = 16;

/// A label `0..` for each entity by the Louvain method: nodes move to the neighbouring community that raises
/// modularity most, then communities become nodes. In order of ids, ties to the lower label, so no seed is needed.
///
/// Entities without ties keep a label of their own. Cost O(t) per pass.
pub(super) fn communities(neighbours: &SparseRows) -> Vec<u32> {
    let n = neighbours.len();
    let mut labels: Vec<u32> = (0..n).zip(0u32..).map(|(_, label)| label).collect();
    let mut level = Level {
        loops: vec![0.0; n],
        ties: neighbours.clone(),
    };
    loop {
        let (moved, n_labels) = level.relax();
        for label in &mut labels {
            *label = moved[*label as usize];
        }
        if n_labels == level.ties.len() {
            return labels;
        }
        level = level.aggregate(&moved, n_labels);
    }
}

/// A graph whose nodes stand for sets of entities.
struct Level {
    /// Weight of the ties within each node, counted from both ends.
    loops: Vec<f32>,
    ties: SparseRows,
}

impl Level {
    /// Moves nodes while that raises modularity; returns labels `0..n_labels` in order of first use.
    fn relax(&self) -> (Vec<u32>, usize) {
        let n = self.ties.len();
        let degrees: Vec<f64> = (0..n)
            .map(|node| f64::from(self.ties.total(node) + self.loops[node]))
            .collect();
        let total: f64 = degrees.iter().sum();
        let mut labels: Vec<usize> = (0..n).collect();
        let mut volumes = degrees.clone();
        let mut links = vec![0.0f64; n];
        for _ in 0..MAX_PASSES {
            let mut n_moves = 0;
            for node in 0..n {
                let from = labels[node];
                volumes[from] -= degrees[node];
                let to = self.best(node, from, &labels, &mut links, |to| {
                    degrees[node] * volumes[to] / total.max(f64::MIN_POSITIVE)
                });
                volumes[to] += degrees[node];
                labels[node] = to;
                n_moves += usize::from(to != from);
            }
            if n_moves == 0 {
                break;
            }
        }
        renumber(&labels)
    }

    /// The label with the largest gain, `from` unless another is better; `links` is scratch, zero before and after.
    fn best(
        &self,
        node: usize,
        from: usize,
        labels: &[usize],
        links: &mut [f64],
        expected: impl Fn(usize) -> f64,
    ) -> usize {
        /// Gains closer than this are equal: above the rounding of sums of f32 weights.
        const EQUAL: f64 = 1e-9;
        let row = self.ties.row(node);
        for &(other, weight) in row {
            links[labels[other as usize]] += f64::from(weight);
        }
        let mut best = (links[from] - expected(from), from);
        for &(other, _) in row {
            let to = labels[other as usize];
            let gain = links[to] - expected(to);
            if gain > best.0 + EQUAL || (gain > best.0 - EQUAL && best.1 != from && to < best.1) {
                best = (gain, to);
            }
        }
        for &(other, _) in row {
            links[labels[other as usize]] = 0.0;
        }
        best.1
    }

    fn aggregate(&self, labels: &[u32], n_labels: usize) -> Self {
        let mut loops = vec![0.0; n_labels];
        let mut ties = Vec::new();
        for (node, label) in labels.iter().enumerate() {
            loops[*label as usize] += self.loops[node];
            for &(other, weight) in self.ties.row(node) {
                match labels[other as usize] {
                    same if same == *label => loops[*label as usize] += weight,
                    other => ties.push((*label, (other, weight))),
                }
            }
        }
        Self {
            loops,
            ties: SparseRows::new(n_labels, ties.iter().copied()),
        }
    }
}

fn renumber(labels: &[usize]) -> (Vec<u32>, usize) {
    let mut numbers = BTreeMap::new();
    let mut renumbered = Vec::with_capacity(labels.len());
    for label in labels {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        renumbered.push(*numbers.entry(*label).or_insert(next));
    }
    (renumbered, numbers.len())
}

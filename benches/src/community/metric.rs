//! How well a division agrees with classes, and how well it fits the edges.

use super::graph::Edge;
use std::collections::BTreeMap;

/// Agreement of two divisions of the same nodes, whatever their labels are called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Agreement {
    /// Normalised mutual information `2·I(U; V) / (H(U) + H(V))`, normalised by the arithmetic mean as scikit-learn does
    /// by default; in 0..=1, and 1 where both divisions are one group.
    pub(super) nmi: f64,
    /// Adjusted Rand index (Hubert and Arabie 1985): agreement over pairs of nodes less what chance would give, divided
    /// by what is left of 1; 0 in the mean for random labels, 1 for equal divisions.
    pub(super) ari: f64,
}

/// Agreement of `found` with `gold` over the nodes that have a gold class; `None` where none has. Cost O(n log n).
pub(super) fn agreement(gold: &[Option<u32>], found: &[u32]) -> Option<Agreement> {
    let pairs = gold
        .iter()
        .zip(found)
        .filter_map(|(gold, found)| Some(((*gold)?, *found)));
    let pairs: Vec<(u32, u32)> = pairs.collect();
    if pairs.is_empty() {
        return None;
    }
    let cells = counts(pairs.iter().copied());
    let rows = counts(pairs.iter().map(|pair| pair.0));
    let columns = counts(pairs.iter().map(|pair| pair.1));
    let n = pairs.len() as f64;
    Some(Agreement {
        nmi: nmi(&cells, &rows, &columns, n),
        ari: ari(&cells, &rows, &columns, n),
    })
}

fn counts<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, f64> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_insert(0.0) += 1.0;
    }
    counts
}

type Counts<K> = BTreeMap<K, f64>;

fn nmi(cells: &Counts<(u32, u32)>, rows: &Counts<u32>, columns: &Counts<u32>, n: f64) -> f64 {
    let entropy = |counts: &Counts<u32>| -> f64 { counts.values().map(|count| -count / n * (count / n).ln()).sum() };
    let mean = f64::midpoint(entropy(rows), entropy(columns));
    if mean <= 0.0 {
        return 1.0;
    }
    let shared = cells.iter().map(|((row, column), count)| {
        let (row, column) = (rows.get(row).copied(), columns.get(column).copied());
        let independent = row.unwrap_or(n) * column.unwrap_or(n);
        count / n * (n * count / independent).ln()
    });
    (shared.sum::<f64>() / mean).clamp(0.0, 1.0)
}

fn ari(cells: &Counts<(u32, u32)>, rows: &Counts<u32>, columns: &Counts<u32>, n: f64) -> f64 {
    let pairs = |count: f64| count * (count - 1.0) / 2.0;
    let together: f64 = cells.values().map(|count| pairs(*count)).sum();
    let of_rows: f64 = rows.values().map(|count| pairs(*count)).sum();
    let of_columns: f64 = columns.values().map(|count| pairs(*count)).sum();
    let all = pairs(n).max(1.0);
    let chance = of_rows * of_columns / all;
    let most = f64::midpoint(of_rows, of_columns);
    if (most - chance).abs() < f64::EPSILON * most.max(1.0) {
        return 1.0;
    }
    (together - chance) / (most - chance)
}

/// Modularity of a division (Newman and Girvan 2004): `Σ_c (L_c/m − (d_c/2m)²)` with `L_c` the edges within community
/// `c`,
/// `d_c` its degrees and `m` all edges. Direction and type do not count, parallel edges add up, a self-loop is one edge
/// within and two ends. In −0.5..1; 0 without edges.
pub(super) fn modularity(edges: &[Edge], labels: &[u32]) -> f64 {
    let mut communities: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for edge in edges {
        let ends = [edge.source, edge.target].map(|end| labels.get(end as usize).copied());
        for end in ends.into_iter().flatten() {
            communities.entry(end).or_default().1 += 1.0;
        }
        if let ([Some(source), Some(target)], true) = (ends, ends[0] == ends[1]) {
            communities.entry(source.min(target)).or_default().0 += 1.0;
        }
    }
    let m = edges.len().max(1) as f64;
    communities
        .values()
        .map(|(within, degree)| within / m - (degree / (2.0 * m)).powi(2))
        .sum()
}

/// Share of nodes that are in exactly one community, given the communities of each; 1 for no nodes.
pub(super) fn coverage(of_nodes: &[Vec<u32>]) -> f64 {
    let covered = of_nodes.iter().filter(|communities| communities.len() == 1).count();
    if of_nodes.is_empty() {
        return 1.0;
    }
    covered as f64 / of_nodes.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(gold: &[u32], found: &[u32], nmi: f64, ari: f64) {
        let gold: Vec<_> = gold.iter().copied().map(Some).collect();
        let agreement = agreement(&gold, found).unwrap();
        assert!((agreement.nmi - nmi).abs() < 1e-9, "{agreement:?}, expected NMI {nmi}");
        assert!((agreement.ari - ari).abs() < 1e-9, "{agreement:?}, expected ARI {ari}");
    }

    #[test]
    fn names_of_labels_do_not_count() {
        check(&[0, 0, 1, 1, 2], &[7, 7, 3, 3, 9], 1.0, 1.0);
    }

    #[test]
    fn a_division_that_says_nothing_agrees_by_chance() {
        check(&[0, 0, 1, 1], &[0, 1, 0, 1], 0.0, -0.5);
        check(&[0, 0, 1, 1], &[5, 5, 5, 5], 0.0, 0.0);
        check(&[2, 2, 2], &[5, 5, 5], 1.0, 1.0);
        check(&[0], &[3], 1.0, 1.0);
    }

    #[test]
    fn by_hand_one_pure_half_and_one_split_half() {
        // H(U) = ln 2, H(V) = 1.5 ln 2, I = ln 2: NMI = 2/2.5. Pairs: 1 together, rows 2, columns 1, of 6:
        // (1 − 2/6) / (1.5 − 2/6) = 4/7.
        check(&[0, 0, 1, 1], &[0, 0, 1, 2], 0.8, 4.0 / 7.0);
    }

    #[test]
    fn nodes_without_a_class_are_left_out() {
        assert_eq!(agreement(&[None, None], &[0, 1]), None);
        let some = agreement(&[Some(0), None, Some(0)], &[4, 9, 4]).unwrap();
        assert!((some.nmi - 1.0).abs() < 1e-12);
    }

    fn edge(source: u32, target: u32) -> Edge {
        Edge {
            source,
            relation: 0,
            target,
        }
    }

    #[test]
    fn modularity_by_hand() {
        // Two triangles and a bridge: m = 7; 2·(3/7 − (7/14)²).
        let two = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)].map(|(a, b)| edge(a, b));
        assert!((modularity(&two, &[0, 0, 0, 1, 1, 1]) - (6.0 / 7.0 - 0.5)).abs() < 1e-12);
        assert!(modularity(&two, &[0; 6]).abs() < 1e-12);
        // A doubled edge weighs 2, a self-loop has both ends within: 3/4 − (7/8)² − (1/8)².
        let other = [(0, 1), (1, 0), (0, 0), (1, 2)].map(|(a, b)| edge(a, b));
        assert!((modularity(&other, &[0, 0, 1]) - (0.75 - 0.765_625 - 0.015_625)).abs() < 1e-12);
        assert!(modularity(&[], &[0]).abs() < 1e-12);
    }

    #[test]
    fn only_exactly_one_community_covers() {
        assert!((coverage(&[vec![0], vec![], vec![0, 1], vec![2]]) - 0.5).abs() < 1e-12);
        assert!((coverage(&[]) - 1.0).abs() < 1e-12);
    }
}

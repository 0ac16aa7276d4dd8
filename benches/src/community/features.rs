//! From binary features to the semantic side: weighted by rarity, and reduced to the directions that they share.

use banyan_engine::embed::{Vectors, dot, normalize};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// Dimensions of the result. On Cora, K-means likes 16 better and the dual detection 160 and more: few directions make
/// all documents of a field alike and hide the smaller topics within it (NMI .428 with 16, .456 with 160, .459 with
/// 192).
const WIDTH: usize = 192;
/// Step of the state of `SplitMix64` (Steele, Lea and Flood 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Rounds of subspace iteration; the directions that matter have settled by then.
const N_ROUNDS: usize = 8;

/// Vectors `(n, 192)` of nodes from their binary features, by latent semantic analysis (Deerwester et al. 1990).
///
/// A feature weighs `ln(n / nodes that have it)`, and a node's weights have length 1. The matrix of weights is then seen
/// along its first right singular vectors, found by subspace iteration from a start that `seed` draws. Sparse features of
/// one topic hardly overlap, node by node; along these directions they meet. Rows have unit length; a node without
/// features has a row of zeros. Cost O(features · 192) per round.
pub(super) fn project(features: &[Vec<u32>], seed: u64) -> Vectors {
    let weights = weigh(features);
    let n_features = features.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut basis = Vectors::zeros(WIDTH, n_features);
    for feature in 0..n_features {
        for (column, value) in basis.row_mut(feature).iter_mut().enumerate() {
            *value = uniform(seed ^ (feature as u64 * WIDTH as u64 + column as u64));
        }
    }
    for _ in 0..N_ROUNDS {
        let seen = see(&weights, &basis);
        basis = Vectors::zeros(WIDTH, n_features);
        for (node, weights) in weights.iter().enumerate() {
            for &(feature, weight) in weights {
                add(basis.row_mut(feature as usize), seen.row(node), weight);
            }
        }
        orthogonalise(&mut basis);
    }
    let mut vectors = see(&weights, &basis);
    for node in 0..features.len() {
        normalize(vectors.row_mut(node));
    }
    vectors
}

/// The features of each node with their weights.
fn weigh(features: &[Vec<u32>]) -> Vec<Vec<(u32, f32)>> {
    let mut uses: Vec<u32> = features.iter().flatten().copied().collect();
    uses.sort_unstable();
    let n = features.len() as f64;
    let weight = |feature: u32| {
        let n_uses = uses.partition_point(|used| *used <= feature) - uses.partition_point(|used| *used < feature);
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more than f32")]
        let weight = (n / n_uses.max(1) as f64).ln() as f32;
        weight
    };
    let rows = features.iter().map(|features| {
        let weights: Vec<f32> = features.iter().map(|feature| weight(*feature)).collect();
        let length = dot(&weights, &weights).sqrt().max(f32::MIN_POSITIVE);
        let scaled = features
            .iter()
            .zip(weights)
            .map(|(feature, weight)| (*feature, weight / length));
        scaled.collect()
    });
    rows.collect()
}

/// The rows of `weights` along the columns of `basis`.
fn see(weights: &[Vec<(u32, f32)>], basis: &Vectors) -> Vectors {
    let mut seen = Vectors::zeros(basis.dimension(), weights.len());
    for (node, weights) in weights.iter().enumerate() {
        for &(feature, weight) in weights {
            add(seen.row_mut(node), basis.row(feature as usize), weight);
        }
    }
    seen
}

fn add(row: &mut [f32], other: &[f32], factor: f32) {
    for (value, other) in row.iter_mut().zip(other) {
        *value += factor * other;
    }
}

/// Makes the columns orthogonal and of length 1, from the first on (Gram–Schmidt); dependent ones become zeros.
fn orthogonalise(basis: &mut Vectors) {
    let (rows, columns) = (basis.len(), basis.dimension());
    let mut done: Vec<Vec<f32>> = Vec::with_capacity(columns);
    for column in 0..columns {
        let mut values: Vec<f32> = (0..rows).map(|row| basis.row(row)[column]).collect();
        let before = dot(&values, &values);
        for other in &done {
            let along = dot(&values, other);
            add(&mut values, other, -along);
        }
        if dot(&values, &values) <= before * f32::EPSILON {
            values.fill(0.0);
        }
        normalize(&mut values);
        done.push(values);
    }
    for (column, values) in done.iter().enumerate() {
        for (row, value) in values.iter().enumerate() {
            basis.row_mut(row)[column] = *value;
        }
    }
}

/// A number in -1..1, that of place `place` of one sequence.
fn uniform(place: u64) -> f32 {
    // The state of the generator is the place times its step.
    let mut random = SplitMix64::from_seed(place.wrapping_mul(STEP).to_le_bytes());
    (random.next_u64() >> 40) as f32 / 8_388_608.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_one_topic_meet_even_without_a_feature_in_common() {
        // 0 and 2 share nothing, but each shares something with 1; the same for 3, 4, 5.
        let features: Vec<Vec<u32>> = vec![
            vec![0, 1],
            vec![1, 2],
            vec![2, 3],
            vec![10, 11],
            vec![11, 12],
            vec![12, 13],
        ];
        let rows = project(&features, 42);
        for (node, row) in rows.rows().enumerate() {
            assert!((dot(row, row) - 1.0).abs() < 1e-4, "row {node}");
        }
        assert!(dot(rows.row(0), rows.row(4)).abs() < 1e-3);
        assert!(dot(rows.row(0), rows.row(1)) > 0.1);
        assert_eq!(rows, project(&features, 42));
    }

    #[test]
    fn what_everybody_has_says_nothing() {
        let rows = project(&[vec![0], vec![0], vec![0, 1]], 42);
        assert!(rows.row(0).iter().all(|value| *value == 0.0));
    }

    #[test]
    fn no_nodes_and_no_features_give_rows_of_zeros() {
        assert!(project(&[], 42).is_empty());
        assert!(
            project(&[vec![], vec![]], 42)
                .as_slice()
                .iter()
                .all(|value| *value == 0.0)
        );
    }
}

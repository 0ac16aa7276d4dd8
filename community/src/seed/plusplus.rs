//! Starting centres for K-means by k-means++, in O(nkd).

use super::distance::squared;
use ndarray::{Array2, ArrayView2, Axis};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::RngCore;
use rayon::prelude::*;

/// Points per parallel task: enough to outweigh the hand-over, arbitrary.
const POINTS_PER_TASK: usize = 2048;

/// Of `n_init` draws of at most `k` of `points`, the one that leaves the least squared distance to the nearest centre.
///
/// Draws are judged before K-means refines them, so that K-means runs once and not `n_init` times. Fewer than `k` centres
/// come back where the points have fewer distinct places. Cost O(`n_init`·n·k·d).
pub(super) fn best_of(n_init: usize, k: usize, points: ArrayView2<f32>, rng: &mut Xoshiro256Plus) -> Array2<f32> {
    let mut best = draw(k, points, rng);
    for _ in 1..n_init {
        let other = draw(k, points, rng);
        if other.1 < best.1 {
            best = other;
        }
    }
    points.select(Axis(0), &best.0)
}

/// Positions of the centres drawn, and the sum of squared distances left.
fn draw(k: usize, points: ArrayView2<f32>, rng: &mut Xoshiro256Plus) -> (Vec<usize>, f64) {
    let n = points.nrows();
    let mut nearest = vec![f32::INFINITY; n];
    let first = pick(&vec![1.0; n], n as f64, rng);
    let mut centres = vec![first];
    loop {
        let left = update(&mut nearest, points, centres[centres.len() - 1]);
        if centres.len() == k || left <= 0.0 {
            return (centres, left);
        }
        centres.push(pick(&nearest, left, rng));
    }
}

/// Lowers each distance to that of the new centre; returns their sum, taken in order.
fn update(nearest: &mut [f32], points: ArrayView2<f32>, centre: usize) -> f64 {
    let (data, width) = (points.as_slice().unwrap_or(&[]), points.ncols());
    let target = &data[centre * width..(centre + 1) * width];
    let tasks = nearest
        .par_chunks_mut(POINTS_PER_TASK)
        .zip(data.par_chunks(POINTS_PER_TASK * width));
    tasks.for_each(|(nearest, rows)| {
        for (slot, row) in nearest.iter_mut().zip(rows.chunks_exact(width)) {
            *slot = slot.min(squared(row, target));
        }
    });
    nearest.iter().map(|distance| f64::from(*distance)).sum()
}

/// A position drawn in proportion to its weight, never one of weight zero while another weighs more.
fn pick(weights: &[f32], total: f64, rng: &mut Xoshiro256Plus) -> usize {
    /// 2⁻⁵³, so that 53 random bits become a number in 0..1.
    const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit an f64 exactly")]
    let mut rest = (rng.next_u64() >> 11) as f64 * UNIT * total;
    let mut last = 0;
    for (position, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = position;
        rest -= f64::from(*weight);
        if rest < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn two_places_give_two_centres_however_many_are_asked_for() {
        let points = array![[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        let mut rng = Xoshiro256Plus::seed_from_u64(42);
        let centres = best_of(5, 3, points.view(), &mut rng);
        assert_eq!(centres.nrows(), 2);
        assert_ne!(centres.row(0), centres.row(1));
    }
}

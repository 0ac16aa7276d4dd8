//! The vectors of passages as a store keeps them: halves, and of many passages a code of a byte for each component.
//!
//! All halves of a small store are compared with a question. Of a large one all codes are, which are half as many bytes,
//! and then the halves of those that were nearest.

use super::{Vectors, dot};
use crate::best::best;
use crate::paged::Paged;
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Passages up to which there are no codes. Arbitrary: halves of 384 components are 25 MB then.
const EXACT: usize = 1 << 15;
/// Passages that are nearest by their codes and are compared exactly. Arbitrary: more than are ever shown.
const RESCORED: usize = 256;
/// Largest component of a code.
const MAX_CODE: f32 = 127.0;
/// Largest component of a question beside codes: products of 2¹⁴ components cannot overflow.
const MAX_ASKED: f32 = 1023.0;

/// The vector of a passage, `(d)`, in half precision, little-endian; empty where it could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Halves(Vec<u8>);

impl Halves {
    fn of(row: &[f32]) -> Self {
        Self(row.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect())
    }

    /// Whether it has so many components.
    pub(crate) fn has(&self, dimension: usize) -> bool {
        self.0.len() == dimension * size_of::<f16>()
    }

    fn values(&self) -> Vec<f32> {
        let (pairs, _) = self.0.as_chunks();
        let halves: Vec<f16> = pairs.iter().map(|pair| f16::from_le_bytes(*pair)).collect();
        halves.to_f32_vec()
    }

    fn dot(&self, asked: &[f32]) -> f32 {
        dot(&self.values(), asked)
    }
}

/// A vector in steps of a 127th of its largest component, each a signed byte.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Code {
    step: f32,
    steps: Vec<u8>,
}

impl Code {
    fn of(row: &[f32]) -> Self {
        let (step, steps) = steps(row, MAX_CODE);
        let steps = steps
            .iter()
            .map(|x| i8::try_from(*x).unwrap_or_default().cast_unsigned());
        Self {
            step,
            steps: steps.collect(),
        }
    }

    /// Whether it has so many components.
    pub(crate) fn has(&self, dimension: usize) -> bool {
        self.steps.len() == dimension
    }

    /// The inner product with a question in steps, of which one is `step`.
    fn dot(&self, (step, asked): &(f32, Vec<i16>)) -> f32 {
        let both = self.steps.iter().zip(asked);
        let sum: i32 = both.map(|(x, y)| i32::from(x.cast_signed()) * i32::from(*y)).sum();
        sum as f32 * self.step * step
    }
}

/// The size of a step and each component in steps, of which the largest component has `n`.
#[allow(clippy::cast_possible_truncation, reason = "none is larger than `n`")]
fn steps(row: &[f32], n: f32) -> (f32, Vec<i16>) {
    let largest = row.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
    let step = if largest > 0.0 { largest / n } else { 1.0 };
    (
        step,
        row.iter().map(|x| (x / step).round().clamp(-n, n) as i16).collect(),
    )
}

/// The vectors of all passages, `(n, d)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassageVectors {
    pub(crate) dimension: usize,
    pub(crate) halves: Paged<Halves>,
    /// None, or one for each vector.
    pub(crate) codes: Paged<Code>,
}

impl PassageVectors {
    /// With codes for each where there are more than `exact`.
    fn new(dimension: usize, halves: Vec<Halves>, exact: usize) -> Self {
        let codes: Vec<Code> = if halves.len() > exact {
            halves.par_iter().map(|row| Code::of(&row.values())).collect()
        } else {
            Vec::new()
        };
        Self {
            dimension,
            halves: halves.into(),
            codes: codes.into(),
        }
    }

    /// Number of components, at least 1.
    pub fn dimension(&self) -> usize {
        self.dimension.max(1)
    }

    /// Number of passages.
    pub fn len(&self) -> usize {
        self.halves.len()
    }

    /// Whether no passage has a vector.
    pub fn is_empty(&self) -> bool {
        self.halves.is_empty()
    }

    /// Whether each vector has a code; a store that was made before there were codes has none.
    fn is_coded(&self) -> bool {
        !self.codes.is_empty() && self.codes.len() == self.halves.len()
    }

    /// All vectors, one after the other. Cost O(n · d).
    pub fn rows(&self) -> impl Iterator<Item = Vec<f32>> {
        self.halves.all().iter().map(Halves::values)
    }

    /// The inner product of the vector of passage `at` with `asked`, `(d)`; 0 where the vector could not be read.
    pub fn dot(&self, at: usize, asked: &[f32]) -> f32 {
        self.halves.get(at).dot(asked)
    }

    /// The inner products with `asked`, `(d)`, of all vectors, in order: exact up to 32,768 of them; of more the 256
    /// largest are, as far as codes tell which these are, and the others are off by some thousandths. Cost O(n · d), in
    /// parallel.
    pub fn dots(&self, asked: &[f32]) -> Vec<f32> {
        if !self.is_coded() {
            let halves = self.halves.all().par_iter();
            return halves.map(|row| row.dot(asked)).collect();
        }
        let steps = steps(asked, MAX_ASKED);
        let mut dots: Vec<f32> = self.codes.all().par_iter().map(|code| code.dot(&steps)).collect();
        for (at, _) in best(dots.iter().copied().enumerate(), RESCORED) {
            dots[at] = self.dot(at, asked);
        }
        dots
    }

    /// The vectors of some passages.
    #[must_use]
    pub fn of(&self, passages: impl Iterator<Item = usize>) -> Self {
        let halves = passages.map(|at| self.halves.get(at).clone());
        Self::new(self.dimension, halves.collect(), EXACT)
    }

    /// The same vectors with their codes made anew.
    #[must_use]
    pub fn derived(self) -> Self {
        Self::new(self.dimension, self.halves.into_vec(), EXACT)
    }

    /// With `more` behind them, whole rows one after the other. Cost O(more).
    #[must_use]
    pub(crate) fn grown(self, more: &[f32]) -> Self {
        let more = more.chunks_exact(self.dimension());
        let codes: Vec<Code> = if self.is_coded() {
            more.clone().map(Code::of).collect()
        } else {
            Vec::new()
        };
        let halves: Vec<Halves> = more.map(Halves::of).collect();
        Self {
            dimension: self.dimension,
            halves: self.halves.behind(halves),
            codes: self.codes.behind(codes),
        }
    }
}

impl From<Vectors> for PassageVectors {
    fn from(vectors: Vectors) -> Self {
        Self::new(vectors.dimension(), vectors.rows().map(Halves::of).collect(), EXACT)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::embed::normalize;

    const DIMENSION: usize = 64;

    /// Unit vectors around some topics, as texts are, from a generator of numbers that is always the same.
    fn topical(n: usize) -> Vectors {
        let mut state = 1_u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let topics: Vec<Vec<f32>> = (0..50).map(|_| (0..DIMENSION).map(|_| number()).collect()).collect();
        let mut rows = Vec::new();
        for at in 0..n {
            let mut row: Vec<f32> = topics[at % topics.len()].iter().map(|x| x + number()).collect();
            normalize(&mut row);
            rows.extend(row);
        }
        let mut vectors = Vectors::from_data(DIMENSION, rows).unwrap();
        vectors.round_to_f16();
        vectors
    }

    /// The ten passages of the largest inner products.
    fn nearest(dots: &[f32]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..dots.len()).collect();
        order.sort_by(|a, b| dots[*b].total_cmp(&dots[*a]).then(a.cmp(b)));
        order.truncate(10);
        order
    }

    #[test]
    fn the_nearest_of_many_are_found_by_codes() {
        let vectors = topical(20_000);
        let halves: Vec<Halves> = vectors.rows().map(Halves::of).collect();
        let exact = PassageVectors::new(DIMENSION, halves.clone(), usize::MAX);
        let coded = PassageVectors::new(DIMENSION, halves, 0);
        assert_eq!((exact.codes.len(), coded.codes.len()), (0, 20_000));
        let mut n_found = 0;
        for asked in topical(20_040).rows().skip(20_000) {
            let [all, found] = [&exact, &coded].map(|vectors| vectors.dots(asked));
            assert!(
                all.iter()
                    .zip(vectors.rows())
                    .all(|(one, row)| one.to_bits() == dot(row, asked).to_bits())
            );
            let far = all.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(far < 0.01, "{far}");
            let nearest = [&all, &found].map(|dots| nearest(dots));
            n_found += nearest[0].iter().filter(|at| nearest[1].contains(at)).count();
            assert!(
                nearest[1].iter().all(|at| found[*at].to_bits() == all[*at].to_bits()),
                "what is nearest is exact"
            );
        }
        assert!(n_found >= 392, "{n_found} of 400");
    }

    /// Vectors with codes, however few.
    pub(crate) fn coded(vectors: &Vectors) -> PassageVectors {
        PassageVectors::new(vectors.dimension(), vectors.rows().map(Halves::of).collect(), 0)
    }

    #[test]
    fn vectors_that_come_behind_are_compared_like_the_others() {
        let vectors = topical(30);
        let rows: Vec<Halves> = vectors.rows().map(Halves::of).collect();
        for exact in [usize::MAX, 0] {
            let whole = PassageVectors::new(DIMENSION, rows.clone(), exact);
            let base = PassageVectors::new(DIMENSION, rows[..20].to_vec(), exact);
            let grown = base.grown(&vectors.as_slice()[20 * DIMENSION..]);
            assert_eq!(grown, whole);
            assert_eq!(grown.dots(vectors.row(7)), whole.dots(vectors.row(7)));
        }
    }
}

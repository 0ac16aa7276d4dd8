//! One contiguous row-major matrix of vectors.

use super::EmbedError;
use half::f16;

/// A dense matrix `(n, d)` of f32, row-major in one allocation.
///
/// # Invariants
/// 1. `data.len()` is a multiple of `dimension`.
/// 2. `dimension` is at least 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    dimension: usize,
    data: Vec<f32>,
}

impl Default for Vectors {
    fn default() -> Self {
        Self::zeros(0, 0)
    }
}

impl Vectors {
    /// A matrix `(rows, dimension)` of zeros. A dimension of 0 is taken as 1.
    pub fn zeros(dimension: usize, rows: usize) -> Self {
        let dimension = dimension.max(1);
        Self {
            dimension,
            data: vec![0.0; rows.saturating_mul(dimension)],
        }
    }

    /// Takes over a row-major buffer.
    ///
    /// # Errors
    /// [`EmbedError::Dimension`] when the buffer does not hold whole rows.
    pub fn from_data(dimension: usize, data: Vec<f32>) -> Result<Self, EmbedError> {
        let dimension = dimension.max(1);
        match data.len() % dimension {
            0 => Ok(Self { dimension, data }),
            rest => Err(EmbedError::Dimension {
                expected: dimension,
                found: rest,
            }),
        }
    }

    /// Number of columns.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.data.len() / self.dimension
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Row `index`, or an empty slice beyond the last row.
    pub fn row(&self, index: usize) -> &[f32] {
        let start = index.saturating_mul(self.dimension);
        self.data.get(start..start + self.dimension).unwrap_or(&[])
    }

    /// Row `index` for writing, or an empty slice beyond the last row.
    pub fn row_mut(&mut self, index: usize) -> &mut [f32] {
        let start = index.saturating_mul(self.dimension);
        self.data.get_mut(start..start + self.dimension).unwrap_or(&mut [])
    }

    /// All rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.data.chunks_exact(self.dimension)
    }

    /// The whole matrix, row after row.
    pub fn as_slice(&self) -> &[f32] {
        &self.data
    }

    /// Rounds every value to the nearest f16, so that nothing downstream depends on the last bits of a run.
    pub fn round_to_f16(&mut self) {
        for value in &mut self.data {
            *value = f16::from_f32(*value).to_f32();
        }
    }
}

/// Inner product of two vectors, summed in eight lanes in a fixed order, so that the result does not
/// depend on the caller. Columns that only one of them has count as zero. O(d).
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut lanes = [0.0f32; 8];
    let (chunks_a, chunks_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let (rest_a, rest_b) = (chunks_a.remainder(), chunks_b.remainder());
    for (x, y) in chunks_a.zip(chunks_b) {
        for (lane, (x, y)) in lanes.iter_mut().zip(x.iter().zip(y)) {
            *lane += x * y;
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

/// Scales `row` to unit length; a row of zeros stays as it is. O(d).
pub fn normalize(row: &mut [f32]) {
    let length = dot(row, row).sqrt();
    if length > 0.0 && length.is_finite() {
        for value in row {
            *value /= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_another_width_is_refused() {
        let error = Vectors::from_data(3, vec![0.0; 4]).unwrap_err();
        assert!(matches!(error, EmbedError::Dimension { expected: 3, found: 1 }));
    }
}

//! Rows of equal width in one buffer.

/// A row-major matrix `(n, width)` of f32.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    width: usize,
    data: Vec<f32>,
}

impl Matrix {
    /// Takes over a buffer of whole rows.
    pub(crate) fn new(width: usize, data: Vec<f32>) -> Self {
        Self { width, data }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.width.max(1)
    }

    pub(crate) fn row(&self, index: usize) -> &[f32] {
        &self.data[index * self.width..(index + 1) * self.width]
    }

    pub(crate) fn into_data(self) -> Vec<f32> {
        self.data
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.data.chunks_exact(self.width.max(1))
    }

    /// The rows of these indices, in their order.
    pub(crate) fn select(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let data = rows.into_iter().flat_map(|row| self.row(row).iter().copied());
        Self::new(self.width, data.collect())
    }

    /// Whether row `index` holds anything but zeros.
    pub(crate) fn is_known(&self, index: usize) -> bool {
        self.row(index).iter().any(|value| *value != 0.0)
    }
}

pub(crate) fn add(row: &mut [f32], other: &[f32]) {
    add_scaled(row, other, 1.0);
}

pub(crate) fn add_scaled(row: &mut [f32], other: &[f32], factor: f32) {
    for (value, other) in row.iter_mut().zip(other) {
        *value += factor * other;
    }
}

//! Many short lists of numbers in two allocations.

/// Rows of numbers, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Rows {
    values: Vec<u32>,
    /// One past the last value of each row.
    ends: Vec<u32>,
}

impl Rows {
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        self.values.extend(row);
        self.ends.push(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn row(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[at] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The values of all rows.
    pub(crate) fn values(&self) -> &[u32] {
        &self.values
    }
}

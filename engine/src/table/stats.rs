//! What is known of a column as a whole (S-RAG, appendix D).

use super::{Kind, Table, Value};
use serde::Serialize;
use std::collections::BTreeMap;

/// Most different values of a text column that are listed. Arbitrary; a prompt has to hold them.
const MAX_TOP: usize = 20;
/// Below this confidence a cell counts as unsure. Arbitrary: half.
const UNSURE: f32 = 0.5;

/// Statistics of a column.
///
/// # Differs from the paper
/// The paper lists all distinct values of a text column; here the most frequent `MAX_TOP` with their number, since a
/// column of names has as many values as records.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ColumnStats {
    /// The column.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Records that have a value.
    pub n_filled: usize,
    /// Records that have none.
    pub n_empty: usize,
    /// Filled cells whose confidence is below one half, or that something in the same document contradicts.
    pub n_unsure: usize,
    /// Values that are neither empty nor zero nor no.
    pub n_non_zero: usize,
    /// Different values.
    pub n_distinct: usize,
    /// Of numbers: the range and the mean.
    pub numbers: Option<Numbers>,
    /// The most frequent values with how many records have them, most frequent first, then by value.
    pub top: Vec<(String, usize)>,
}

/// The range of a column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Numbers {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

impl ColumnStats {
    /// The statistics of each column of a table, in its order. Cost O(cells · log).
    pub fn of(table: &Table) -> Vec<Self> {
        (0..table.schema.columns.len())
            .map(|position| Self::of_column(table, position))
            .collect()
    }

    fn of_column(table: &Table, position: usize) -> Self {
        let column = &table.schema.columns[position];
        let mut stats = Self {
            name: column.name.clone(),
            kind: column.kind,
            ..Self::default()
        };
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut numbers = Vec::new();
        for cell in table.column(position) {
            if cell.value.is_null() {
                stats.n_empty += 1;
                continue;
            }
            stats.n_filled += 1;
            stats.n_unsure += usize::from(cell.confidence < UNSURE || !cell.others.is_empty());
            let number = cell.value.as_number();
            stats.n_non_zero += usize::from(number != Some(0.0));
            if !matches!(cell.value, Value::Boolean(_)) {
                numbers.extend(number);
            }
            *counts.entry(cell.value.to_string()).or_default() += 1;
        }
        stats.n_distinct = counts.len();
        stats.numbers = Numbers::of(&numbers);
        if stats.numbers.is_none() {
            let mut top: Vec<_> = counts.into_iter().collect();
            top.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            top.truncate(MAX_TOP);
            stats.top = top;
        }
        stats
    }
}

impl Numbers {
    fn of(numbers: &[f64]) -> Option<Self> {
        let min = numbers.iter().copied().min_by(f64::total_cmp)?;
        let max = numbers.iter().copied().max_by(f64::total_cmp)?;
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        Some(Self { min, max, mean })
    }
}

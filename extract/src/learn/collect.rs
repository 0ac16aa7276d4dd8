//! Features collected into rows for fitting.

use crate::statement::sink::{FeatureId, Sink, feature_id, feature_name};
use std::collections::HashMap;

/// The features seen so far, numbered in the order of their appearance.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    places: HashMap<FeatureId, u32>,
    /// Names by number.
    pub(crate) names: Vec<String>,
}

/// Rows of features with the label, weight and offset of each.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Features of all rows, one row after the other.
    pub(crate) features: Vec<u32>,
    /// One past the last feature of each row.
    pub(crate) ends: Vec<usize>,
    pub(crate) labels: Vec<bool>,
    pub(crate) weights: Vec<f64>,
    /// What is known of the row's score beforehand.
    pub(crate) offsets: Vec<f64>,
    /// Where a row comes from: what only one source shows is not learned.
    pub(crate) sources: Vec<u32>,
    /// Which rows compete; those of a group are adjacent.
    pub(crate) groups: Vec<u32>,
}

impl Rows {
    /// The features of a row.
    pub(crate) fn row(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.features[start..self.ends[at]]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Ends the row whose features were put.
    pub(crate) fn finish(&mut self, label: bool, weight: f64, offset: f64, source: u32, group: u32) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.features[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.features.len() {
            if at == start || self.features[at] != self.features[kept - 1] {
                self.features[kept] = self.features[at];
                kept += 1;
            }
        }
        self.features.truncate(kept);
        self.ends.push(kept);
        self.labels.push(label);
        self.weights.push(weight);
        self.offsets.push(offset);
        self.sources.push(source);
        self.groups.push(group);
    }
}

/// Puts features into the row that is being made.
pub(crate) struct Collector<'a> {
    pub(crate) vocabulary: &'a mut Vocabulary,
    pub(crate) rows: &'a mut Rows,
}

impl Sink for Collector<'_> {
    fn put(&mut self, template: &str, values: &[&str]) {
        let names = &mut self.vocabulary.names;
        let place = *self
            .vocabulary
            .places
            .entry(feature_id(template, values))
            .or_insert_with(|| {
                names.push(feature_name(template, values));
                u32::try_from(names.len() - 1).unwrap_or(u32::MAX)
            });
        self.rows.features.push(place);
    }
}

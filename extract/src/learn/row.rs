//! Features collected into rows for fitting.

use crate::statement::NamedWeights;
use crate::statement::weights::{FeatureId, FeatureSink, feature_id};
use std::collections::HashMap;

/// Rows of features with the label, weight and offset of each, and the names of the features.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    places: HashMap<FeatureId, u32>,
    /// Names of features by number, in the order of their appearance.
    pub(crate) names: Vec<String>,
    /// Features of all rows, one row after the other.
    pub(crate) features: Vec<u32>,
    /// One past the last feature of each row.
    ends: Vec<usize>,
    pub(crate) kinds: Vec<Row>,
}

/// What is known of a row beside its features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) label: bool,
    pub(crate) weight: f64,
    /// What is known of the row's score beforehand.
    pub(crate) offset: f64,
    /// Where the row comes from: what only one source shows is not learned.
    pub(crate) source: u32,
    /// Which rows compete, where not 0; those of a group are adjacent.
    pub(crate) group: u32,
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
    pub(crate) fn finish(&mut self, row: Row) {
        let start = self.ends.last().copied().unwrap_or(0);
        let mut features = self.features.split_off(start);
        features.sort_unstable();
        features.dedup();
        self.features.append(&mut features);
        self.ends.push(self.features.len());
        self.kinds.push(row);
    }

    /// The score of a row by some weights.
    pub(crate) fn score(&self, at: usize, weights: &[f64]) -> f64 {
        let features = self.row(at).iter().map(|feature| weights[*feature as usize]);
        self.kinds[at].offset + features.sum::<f64>()
    }

    /// The weights of these features that `from` has; 0 for the others.
    pub(crate) fn start(&self, from: &NamedWeights) -> Vec<f64> {
        self.names
            .iter()
            .map(|name| from.get(name).copied().unwrap_or(0.0).into())
            .collect()
    }

    /// Weights by name, to four decimals; those that hardly differ from 0 are left out.
    pub(crate) fn named(&self, weights: &[f64]) -> NamedWeights {
        let named = self.names.iter().zip(weights).filter(|(_, weight)| weight.abs() > 1e-3);
        named
            .map(|(name, weight)| {
                #[expect(clippy::cast_possible_truncation, reason = "four decimals are enough")]
                let rounded = ((weight * 1e4).round() / 1e4) as f32;
                (name.clone(), rounded)
            })
            .collect()
    }
}

impl FeatureSink for Rows {
    fn put(&mut self, template: &str, values: &[&str]) {
        let names = &mut self.names;
        let place = self.places.entry(feature_id(template, values)).or_insert_with(|| {
            let separator = if values.is_empty() { "" } else { "=" };
            names.push(format!("{template}{separator}{}", values.join("&")));
            u32::try_from(names.len() - 1).unwrap_or(u32::MAX)
        });
        self.features.push(*place);
    }
}

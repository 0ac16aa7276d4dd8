//! Features of linear models, and their weights.

use std::collections::{BTreeMap, HashMap};

/// Weights by the names of their features, as files hold them.
pub type NamedWeights = BTreeMap<String, f32>;

/// The identity of a feature: a hash of its name.
pub(crate) type FeatureId = u64;

/// Takes features, each a template and its values: added up while reading, collected while learning.
pub(crate) trait FeatureSink {
    fn put(&mut self, template: &str, values: &[&str]);
}

/// The hash (FNV-1a, 64 bits) of a feature's name, `template=value&value`.
pub(crate) fn feature_id(template: &str, values: &[&str]) -> FeatureId {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut eat = |byte: u8| hash = eaten(hash, byte);
    template.bytes().for_each(&mut eat);
    for (position, value) in values.iter().enumerate() {
        eat(if position == 0 { b'=' } else { b'&' });
        value.bytes().for_each(&mut eat);
    }
    hash
}

/// The feature that has one more value: `template=value&more`.
pub(crate) fn extended(id: FeatureId, more: &str) -> FeatureId {
    std::iter::once(b'&').chain(more.bytes()).fold(id, eaten)
}

/// One step of FNV-1a.
fn eaten(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Rows of features collected for fitting, and the names of the features.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    places: HashMap<FeatureId, u32>,
    /// Names of features by number, in the order of their appearance.
    pub(crate) names: Vec<String>,
    /// Features of all rows, one row after the other.
    features: Vec<u32>,
    /// One past the last feature of each row.
    ends: Vec<usize>,
}

impl Rows {
    /// The features of a row.
    pub(crate) fn row(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.features[start..self.ends[at]]
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Ends the row whose features were put.
    pub(crate) fn finish(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        let mut features = self.features.split_off(start);
        features.sort_unstable();
        features.dedup();
        self.features.append(&mut features);
        self.ends.push(self.features.len());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_known_by_its_name() {
        assert_eq!(feature_id("a", &["b", "c"]), feature_id("a=b&c", &[]));
        assert_eq!(extended(feature_id("a", &["b"]), "c"), feature_id("a", &["b", "c"]));
        assert_ne!(feature_id("a", &["b"]), feature_id("a", &["c"]));
    }
}

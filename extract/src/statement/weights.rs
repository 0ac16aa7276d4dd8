//! Linear models: a weight for each feature.

use serde::{Deserialize, Serialize};
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
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    template.bytes().for_each(&mut eat);
    for (position, value) in values.iter().enumerate() {
        eat(if position == 0 { b'=' } else { b'&' });
        value.bytes().for_each(&mut eat);
    }
    hash
}

/// Weights ready for adding up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(HashMap<FeatureId, f32>);

impl Weights {
    pub(crate) fn new(named: &NamedWeights) -> Self {
        Self(
            named
                .iter()
                .map(|(name, weight)| (feature_id(name, &[]), *weight))
                .collect(),
        )
    }

    /// The sum of the weights of the features that `put` gives.
    pub(crate) fn sum(&self, put: impl FnOnce(&mut Sum)) -> f32 {
        let mut sum = Sum {
            weights: self,
            sum: 0.0,
        };
        put(&mut sum);
        sum.sum
    }
}

/// Adds up the weights of the features put into it.
pub(crate) struct Sum<'a> {
    weights: &'a Weights,
    sum: f32,
}

impl FeatureSink for Sum<'_> {
    fn put(&mut self, template: &str, values: &[&str]) {
        self.sum += self
            .weights
            .0
            .get(&feature_id(template, values))
            .copied()
            .unwrap_or(0.0);
    }
}

/// What carries over between schemas: weights of the general features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct General {
    /// Weights of a candidate as object.
    pub object: NamedWeights,
    /// Weights of a candidate as subject.
    pub subject: NamedWeights,
}

impl General {
    /// The weights that ship: fitted to the training sentences of eight public ontologies, features of no ontology in
    /// them.
    ///
    /// # Errors
    /// Never for the file that ships; the error keeps callers honest.
    pub fn built_in() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../../../data/reader/general.json"))
    }
}

/// What examples taught.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// General weights, moved towards these examples.
    pub general: General,
    /// Weights of the own features of relations, by label.
    pub relations: BTreeMap<String, NamedWeights>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_known_by_its_name() {
        assert_eq!(feature_id("a", &["b", "c"]), feature_id("a=b&c", &[]));
        assert_ne!(feature_id("a", &["b"]), feature_id("a", &["c"]));
    }
}

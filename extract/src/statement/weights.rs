//! Linear models: a weight for each feature.

use super::sink::{FeatureId, Sink, feature_id};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// Weights by the names of their features, as files hold them.
pub type NamedWeights = BTreeMap<String, f32>;

/// Weights ready for adding up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(HashMap<FeatureId, f32, BuildHasherDefault<Identity>>);

impl Weights {
    pub(crate) fn new(named: &NamedWeights) -> Self {
        Self(
            named
                .iter()
                .map(|(name, weight)| (feature_id(name, &[]), *weight))
                .collect(),
        )
    }

    pub(crate) fn get(&self, id: FeatureId) -> f32 {
        self.0.get(&id).copied().unwrap_or(0.0)
    }
}

/// Adds up the weights of the features put into it.
pub(crate) struct Tally<'a> {
    weights: &'a Weights,
    /// The sum so far.
    pub(crate) sum: f32,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(weights: &'a Weights) -> Self {
        Self { weights, sum: 0.0 }
    }
}

impl Sink for Tally<'_> {
    fn put(&mut self, template: &str, values: &[&str]) {
        self.sum += self.weights.get(feature_id(template, values));
    }
}

/// Feature ids are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// What carries over between schemas: weights of the general features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct General {
    /// Version of the features that the weights belong to.
    pub format: u32,
    /// Weights of a candidate as object.
    pub object: NamedWeights,
    /// Weights of a candidate as subject.
    pub subject: NamedWeights,
    /// Score from which a statement is made.
    pub threshold: f32,
    /// Score from which a second object of the same relation is stated.
    pub further: f32,
    /// Score from which the best statement of a sentence is made where none reaches the threshold.
    pub fallback: f32,
}

impl General {
    /// The weights that ship: fitted to the training sentences of eight public ontologies, features of no ontology in them.
    ///
    /// # Errors
    /// Never for the file that ships; the error keeps callers honest.
    pub fn built_in() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../../../data/reader/general.json"))
    }
}

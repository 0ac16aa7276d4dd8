//! What was learned: a weight for each feature and class.

use super::feature::{Feature, VECTOR};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A linear classifier: class scores are sums of the weights of a text's features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The classes, in the order of every list of weights.
    pub classes: Vec<String>,
    /// What each class has before anything is read.
    pub bias: Vec<f32>,
    /// For each feature, one weight a class. Features that are not listed say nothing.
    pub features: BTreeMap<String, Vec<f32>>,
}

/// Why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It is not the JSON that [`Weights`] has.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A list does not have one number a class.
    #[error("the weights of {feature:?} have {found} numbers; expected {expected}, one a class")]
    Length {
        /// Which feature; `bias` for the bias.
        feature: String,
        /// Classes.
        expected: usize,
        /// Numbers.
        found: usize,
    },
}

/// What a text was judged to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The class.
    pub class: String,
    /// Its probability, 0 to 1.
    pub probability: f64,
    /// What spoke for it most, strongest first.
    pub reasons: Vec<Reason>,
}

/// A feature and how much it speaks for the chosen class against the mean of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Which feature.
    pub feature: String,
    /// Its weight, above zero.
    pub weight: f32,
}

/// Reasons to give.
const MAX_REASONS: usize = 4;

impl Choice {
    /// The class, how sure it is, and what spoke for it, in words.
    pub fn explain(&self) -> String {
        let signs: Vec<&str> = self.reasons.iter().map(|reason| reason.feature.as_str()).collect();
        let because = if signs.is_empty() {
            "its meaning".to_owned()
        } else {
            signs.join(", ")
        };
        format!("{} with probability {:.2}, by {because}", self.class, self.probability)
    }
}

impl Weights {
    /// Whether every list has one number a class.
    ///
    /// # Errors
    /// [`WeightsError::Length`] for the first that has not.
    pub fn check(&self) -> Result<(), WeightsError> {
        let expected = self.classes.len();
        let bias = "bias".to_owned();
        let lists = std::iter::once((&bias, &self.bias)).chain(&self.features);
        for (feature, list) in lists {
            if list.len() != expected {
                return Err(WeightsError::Length {
                    feature: feature.clone(),
                    expected,
                    found: list.len(),
                });
            }
        }
        Ok(())
    }

    /// The most probable class of a text with these features; the first of equals. `None` without classes. Cost
    /// O(features · classes).
    pub fn choose(&self, features: &[Feature]) -> Option<Choice> {
        let mut scores: Vec<f64> = self.bias.iter().map(|bias| f64::from(*bias)).collect();
        let known: Vec<(&Feature, &Vec<f32>)> = features
            .iter()
            .filter_map(|feature| Some((feature, self.features.get(&feature.name)?)))
            .collect();
        for (feature, weights) in &known {
            let parts = scores.iter_mut().zip(*weights);
            parts.for_each(|(score, weight)| *score += f64::from(feature.value * weight));
        }
        let index = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
        let mut reasons: Vec<Reason> = known
            .iter()
            .filter(|(feature, _)| !feature.name.starts_with(VECTOR))
            .map(|(feature, weights)| Reason {
                feature: feature.name.clone(),
                weight: feature.value * (weights[index] - weights.iter().sum::<f32>() / weights.len() as f32),
            })
            .filter(|reason| reason.weight > 0.0)
            .collect();
        reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.feature.cmp(&b.feature)));
        reasons.truncate(MAX_REASONS);
        Some(Choice {
            class: self.classes[index].clone(),
            probability: softmax(&scores)[index],
            reasons,
        })
    }
}

/// Scores as probabilities.
pub(super) fn softmax(scores: &[f64]) -> Vec<f64> {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_another_length_is_named() {
        let weights: Weights =
            serde_json::from_str(r#"{"classes":["a","b"],"bias":[0,0],"features":{"x":[1]}}"#).unwrap();
        let error = weights.check().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the weights of \"x\" have 1 numbers; expected 2, one a class"
        );
    }
}

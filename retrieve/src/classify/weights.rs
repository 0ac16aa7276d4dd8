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
    /// Position of the class.
    #[serde(skip)]
    pub index: usize,
    /// Its name.
    pub class: String,
    /// Probability of each class, in the order of the classes; they sum to 1.
    pub probabilities: Vec<f32>,
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
        let share = self.probabilities.get(self.index).copied().unwrap_or(0.0);
        let signs: Vec<&str> = self.reasons.iter().map(|reason| reason.feature.as_str()).collect();
        let because = if signs.is_empty() {
            "its meaning".to_owned()
        } else {
            signs.join(", ")
        };
        format!("{} with probability {share:.2}, by {because}", self.class)
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
        let mut scores = self.bias.clone();
        let known: Vec<(&Feature, &Vec<f32>)> = features
            .iter()
            .filter_map(|feature| Some((feature, self.features.get(&feature.name)?)))
            .collect();
        for (feature, weights) in &known {
            let parts = scores.iter_mut().zip(*weights);
            parts.for_each(|(score, weight)| *score += feature.value * weight);
        }
        let index = best(&scores)?;
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
            index,
            class: self.classes[index].clone(),
            probabilities: softmax(&scores),
            reasons,
        })
    }
}

/// Position of the largest; the first of equals.
fn best(scores: &[f32]) -> Option<usize> {
    (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))
}

/// Scores as probabilities.
fn softmax(scores: &[f32]) -> Vec<f32> {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Weights {
        let json = r#"{"classes":["a","b"],"bias":[0.1,0.0],"features":{"x":[0.0,1.0],"y":[0.5,0.0]}}"#;
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_class_with_the_largest_sum_is_chosen_and_says_why() {
        let choice = weights().choose(&["x", "y", "unknown"].map(Feature::present)).unwrap();
        assert_eq!(choice.class, "b");
        assert_eq!(
            choice.reasons,
            [Reason {
                feature: "x".into(),
                weight: 0.5
            }]
        );
        assert!((choice.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let little = Feature {
            name: "x".to_owned(),
            value: 0.05,
        };
        assert_eq!(weights().choose(&[little]).unwrap().class, "a");
        assert_eq!(weights().choose(&[]).unwrap().class, "a");
        assert_eq!(Weights::default().choose(&[]), None);
    }

    #[test]
    fn a_list_of_another_length_is_named() {
        let weights: Weights =
            serde_json::from_str(r#"{"classes":["a","b"],"bias":[0,0],"features":{"x":[1]}}"#).unwrap();
        let error = weights.check().unwrap_err();
        let expected = "the weights of \"x\" have 1 numbers; expected 2, one a class";
        assert_eq!(error.to_string(), expected);
    }
}

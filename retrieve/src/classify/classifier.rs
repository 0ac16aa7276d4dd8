//! A classifier with and without vectors.

use super::feature::features;
use super::fit::{Labelled, fit};
use super::weights::{Choice, Weights, WeightsError};
use serde::{Deserialize, Serialize};

/// Strength of the pull to zero, as the number of examples that weigh as much as it (scikit-learn's 1 / C). Measured by
/// cross-validation on the shipped questions: from 1 to 10 accuracy changes by less than two questions in a hundred.
const PULL: f64 = 2.0;
/// Examples that a feature must occur in.
const MIN_SUPPORT: usize = 3;

/// Weights for texts with the vector of one embedder, and for texts without.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classifier {
    /// Whose vectors the second weights know.
    pub embedder: String,
    /// For words alone.
    pub words: Weights,
    /// For words and vector.
    pub words_and_vector: Weights,
}

/// A text with its class and, where there is an embedder, its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The text.
    pub text: String,
    /// Its unit vector.
    pub vector: Option<Vec<f32>>,
    /// What it is.
    pub class: String,
}

impl Classifier {
    /// A classifier as it was written.
    ///
    /// # Errors
    /// [`WeightsError`] for what is no such file.
    pub fn read(json: &str) -> Result<Self, WeightsError> {
        let classifier: Self = serde_json::from_str(json)?;
        classifier.words.check()?;
        classifier.words_and_vector.check()?;
        Ok(classifier)
    }

    /// The classifier as JSON with one feature a line, as [`Classifier::read`] reads it.
    ///
    /// # Errors
    /// None that weights can cause; what writes JSON may fail.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        let part = |weights: &Weights| -> Result<String, serde_json::Error> {
            let line = |(name, list): (&String, &Vec<f32>)| {
                Ok(format!(
                    "      {}: {}",
                    serde_json::to_string(name)?,
                    serde_json::to_string(list)?
                ))
            };
            let lines: Vec<String> = weights
                .features
                .iter()
                .map(line)
                .collect::<Result<_, serde_json::Error>>()?;
            Ok(format!(
                "{{\n    \"classes\": {},\n    \"bias\": {},\n    \"features\": {{\n{}\n    }}\n  }}",
                serde_json::to_string(&weights.classes)?,
                serde_json::to_string(&weights.bias)?,
                lines.join(",\n")
            ))
        };
        Ok(format!(
            "{{\n  \"embedder\": {},\n  \"words\": {},\n  \"words_and_vector\": {}\n}}\n",
            serde_json::to_string(&self.embedder)?,
            part(&self.words)?,
            part(&self.words_and_vector)?
        ))
    }

    /// Weights from examples whose vectors, where there are any, are of `embedder`. Cost: that of [`fit()`], twice.
    pub fn fit(examples: &[Example], embedder: &str) -> Self {
        let l2 = PULL / examples.len().max(1) as f64;
        let weights = |is_dense: bool| {
            let labelled = |example: &Example| Labelled {
                features: features(&example.text, example.vector.as_deref().filter(|_| is_dense)),
                class: example.class.clone(),
            };
            fit(&examples.iter().map(labelled).collect::<Vec<_>>(), l2, MIN_SUPPORT)
        };
        Self {
            embedder: embedder.to_owned(),
            words: weights(false),
            words_and_vector: weights(true),
        }
    }

    /// The class of a text; its vector counts where it is of the embedder that the weights know. `None` without classes.
    pub fn choose(&self, text: &str, vector: Option<(&str, &[f32])>) -> Option<Choice> {
        match vector.filter(|(embedder, _)| *embedder == self.embedder) {
            Some((_, vector)) => self.words_and_vector.choose(&features(text, Some(vector))),
            None => self.words.choose(&features(text, None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_of_another_embedder_does_not_count() {
        let example = |text: &str, x: f32, class: &str| Example {
            text: text.to_owned(),
            vector: Some(vec![x, 0.0]),
            class: class.to_owned(),
        };
        let examples: Vec<Example> = (0..4)
            .flat_map(|_| [example("", 1.0, "a"), example("", -1.0, "b"), example("", -1.0, "b")])
            .collect();
        let classifier = Classifier::fit(&examples, "own");
        let class = |embedder: &str| classifier.choose("", Some((embedder, &[1.0, 0.0]))).unwrap().class;
        assert_eq!(class("own"), "a");
        assert_eq!(class("other"), "b");
        assert_eq!(Classifier::read(&classifier.write().unwrap()).unwrap(), classifier);
    }
}

//! A classifier with and without vectors, and how its weights are found.

use super::feature::{Feature, features};
use super::weights::{Choice, Weights, WeightsError, softmax};
use banyan_engine::logistic::minimise;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
        Ok(serde_json::to_string(self)?.replace("],\"", "],\n\"") + "\n")
    }

    /// Weights from examples whose vectors, where there are any, are of `embedder`: those with the least mean logistic
    /// loss. The same for the same examples. Cost O(steps · features of all examples · classes), twice.
    pub fn fit(examples: &[Example], embedder: &str) -> Self {
        let of = |is_dense: bool| {
            let rows = examples
                .iter()
                .map(|one| features(&one.text, one.vector.as_deref().filter(|_| is_dense)));
            fit(
                &rows.collect::<Vec<_>>(),
                &examples.iter().map(|one| one.class.as_str()).collect::<Vec<_>>(),
            )
        };
        Self {
            embedder: embedder.to_owned(),
            words: of(false),
            words_and_vector: of(true),
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

/// Multinomial logistic regression: the weights that minimise the mean loss plus the pull to zero; classes and features
/// in alphabetical order, features of fewer than [`MIN_SUPPORT`] rows left out. The bias, which no pull holds, is the
/// first feature of every row.
fn fit(rows: &[Vec<Feature>], labels: &[&str]) -> Weights {
    let classes: Vec<&str> = labels.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let mut support: BTreeMap<&str, usize> = BTreeMap::new();
    for feature in rows.iter().flatten() {
        *support.entry(&feature.name).or_default() += 1;
    }
    support.retain(|_, n| *n >= MIN_SUPPORT);
    let names: Vec<&str> = support.into_keys().collect();
    let position = |feature: &Feature| {
        Some((
            1 + names.binary_search(&feature.name.as_str()).ok()?,
            f64::from(feature.value),
        ))
    };
    let sparse = |row: &Vec<Feature>| {
        std::iter::once((0, 1.0))
            .chain(row.iter().filter_map(position))
            .collect()
    };
    let rows: Vec<Vec<(usize, f64)>> = rows.iter().map(sparse).collect();
    let targets: Vec<usize> = labels
        .iter()
        .filter_map(|label| classes.binary_search(label).ok())
        .collect();
    let (k, share) = (classes.len(), 1.0 / rows.len().max(1) as f64);
    let loss = |weights: &[f64], gradient: &mut [f64]| {
        let mut loss = 0.0;
        gradient.fill(0.0);
        for (at, weight) in weights.iter().enumerate().skip(k) {
            loss += 0.5 * PULL * share * weight * weight;
            gradient[at] = PULL * share * weight;
        }
        for (row, target) in rows.iter().zip(&targets) {
            let score = |class: usize| {
                row.iter()
                    .map(|(feature, value)| value * weights[feature * k + class])
                    .sum()
            };
            let shares = softmax(&(0..k).map(score).collect::<Vec<f64>>());
            loss -= share * shares[*target].max(f64::MIN_POSITIVE).ln();
            for (class, probability) in shares.iter().enumerate() {
                let error = probability - if class == *target { 1.0 } else { 0.0 };
                for (feature, value) in row {
                    gradient[feature * k + class] += share * error * value;
                }
            }
        }
        loss
    };
    let found = minimise(vec![0.0; (names.len() + 1) * k], loss);
    let of = |at: usize| {
        found[at * k..(at + 1) * k]
            .iter()
            .map(|weight| rounded(*weight))
            .collect()
    };
    Weights {
        bias: of(0),
        features: names
            .iter()
            .enumerate()
            .map(|(at, name)| ((*name).to_owned(), of(at + 1)))
            .collect(),
        classes: classes.into_iter().map(str::to_owned).collect(),
    }
}

/// Three decimals: what a reader of the file can follow; no choice on the shipped sets depends on more.
#[expect(
    clippy::cast_possible_truncation,
    reason = "weights are small and have three decimals"
)]
fn rounded(weight: f64) -> f32 {
    ((weight * 1000.0).round() / 1000.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(text: &str, x: f32, class: &str) -> Example {
        Example {
            text: text.to_owned(),
            vector: Some(vec![x, 0.0]),
            class: class.to_owned(),
        }
    }

    #[test]
    fn a_vector_of_another_embedder_does_not_count() {
        let examples: Vec<Example> = (0..4)
            .flat_map(|_| [example("", 1.0, "a"), example("", -1.0, "b"), example("", -1.0, "b")])
            .collect();
        let classifier = Classifier::fit(&examples, "own");
        let class = |embedder: &str| classifier.choose("", Some((embedder, &[1.0, 0.0]))).unwrap().class;
        assert_eq!((class("own").as_str(), class("other").as_str()), ("a", "b"));
        assert_eq!(Classifier::read(&classifier.write().unwrap()).unwrap(), classifier);
    }

    #[test]
    fn what_tells_classes_apart_gets_weight_and_explains_the_choice() {
        let examples: Vec<Example> = (0..3)
            .flat_map(|_| [example("what cause", 0.0, "graph"), example("what sum", 0.0, "table")])
            .collect();
        let choice = Classifier::fit(&examples, "none").choose("sum it", None).unwrap();
        assert_eq!(choice.class, "table");
        assert_eq!(choice.reasons[0].feature, "word sum");
        assert!((0.5..1.0).contains(&choice.probability));
        assert_eq!(Classifier::fit(&[], "none").choose("sum", None), None);
    }

    #[test]
    fn one_feature_has_the_weight_at_which_the_gradient_vanishes() {
        let examples: Vec<Example> = (0..6)
            .map(|at| {
                if at < 3 {
                    example("x", 0.0, "a")
                } else {
                    example("", 0.0, "b")
                }
            })
            .collect();
        let Weights { bias, features, .. } = Classifier::fit(&examples, "none").words;
        // The word, the opening and the length always stand together, so the score is the sum of their weights.
        let score = |class: usize| {
            bias[class] + features["word x"][class] + features["opens with x"][class] + features["length"][class] / 20.0
        };
        let p = score(0).exp() / (score(0).exp() + score(1).exp());
        let gradient = 0.5 * (p - 1.0) + 2.0 / 6.0 * features["word x"][0];
        assert!(gradient.abs() < 3e-3, "{gradient}");
    }
}

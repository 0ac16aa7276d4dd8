//! Pairs of annotated documents as rows, and weights fitted to them.

use super::{Sentence, trust};
use crate::feature::{FeatureSink, Rows};
use crate::learned::{Class, Element, RelationModel, SAID};
use banyan_engine::Span;
use banyan_engine::logistic::minimise;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The penalty is smooth below this size. This and the three below are arbitrary.
const SMOOTH: f64 = 1e-2;
/// Weights below this size are left out.
const NEGLIGIBLE: f64 = 0.03;
/// Fewest documents that must show a feature, and fewest pairs that a relation.
const MIN_SUPPORT: usize = 3;
const MIN_SHOWN: usize = 8;

/// A pair of ends that a document shows together, or an entity of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Position of the document, of an entity of the corpus.
    pub document: usize,
    /// Key of the one end, or of the entity.
    pub head: String,
    /// Key of the other end, or the value as written.
    pub tail: String,
    /// Documents and places where both are named, or some where the entity is.
    pub places: Vec<(usize, Span)>,
    /// What the schema's phrases state of the two; of a claim what it claims.
    pub said: Vec<Element>,
    /// Of a claim whether it is stated.
    pub is_trusted: bool,
}

/// Every pair of some documents with its features.
#[derive(Debug, Default)]
pub struct Lessons {
    rows: Rows,
    shown: Vec<Shown>,
}

impl Lessons {
    /// Adds the pairs of a sentence.
    pub(crate) fn add(&mut self, document: usize, sentence: &Sentence) {
        for pair in &sentence.pairs {
            sentence.put(pair, &mut self.rows);
            self.rows.finish();
            let (head, tail) = sentence.ends(pair);
            self.shown.push(Shown {
                document,
                head,
                tail,
                places: [pair.head, pair.tail].map(|end| (document, sentence.end(end))).to_vec(),
                said: sentence.said_of(pair).iter().map(|said| said.element).collect(),
                is_trusted: false,
            });
        }
    }

    /// Adds what a sentence may state, with what speaks for and against each claim.
    pub(crate) fn add_claims(&mut self, document: usize, sentence: &Sentence) {
        for (claim, is_trusted) in sentence.judged() {
            trust::put(&sentence.tree, &claim, &mut self.rows);
            self.rows.finish();
            self.shown.push(Shown {
                document,
                places: [&claim.head, &claim.tail].map(|end| (document, end.span)).to_vec(),
                head: claim.head.entity.as_ref().to_owned(),
                tail: claim.tail.entity.as_ref().to_owned(),
                said: vec![claim.element],
                is_trusted,
            });
        }
    }

    /// Adds an entity of a corpus, with places of it and how it is used.
    pub(crate) fn add_entity<'a>(
        &mut self,
        corpus: usize,
        entity: &str,
        places: Vec<(usize, Span)>,
        features: impl Iterator<Item = &'a str>,
    ) {
        features.for_each(|feature| self.rows.put(feature, &[]));
        self.rows.finish();
        self.shown.push(Shown {
            document: corpus,
            head: entity.to_owned(),
            tail: String::new(),
            places,
            said: Vec::new(),
            is_trusted: true,
        });
    }

    /// Other rows made of the features of some of these: as many of each as `put` finishes.
    pub(crate) fn paired(&self, rows: &[usize], put: impl Fn(&[&str], &mut Rows)) -> Self {
        let mut pairs = Self::default();
        for row in rows {
            let features = self.rows.row(*row).iter();
            let names: Vec<&str> = features
                .map(|feature| self.rows.names[*feature as usize].as_str())
                .collect();
            put(&names, &mut pairs.rows);
            let shown = &self.shown[*row];
            pairs.shown.resize(pairs.rows.len(), shown.clone());
        }
        pairs
    }

    /// The probability of each class of a model for each row. Cost O(features).
    pub fn chances(&self, model: &RelationModel) -> Vec<Vec<f32>> {
        let chances = |at: usize| {
            let mut scores = model.scores();
            for feature in self.rows.row(at) {
                scores.put(&self.rows.names[*feature as usize], &[]);
            }
            scores.chances()
        };
        (0..self.shown.len()).map(chances).collect()
    }

    /// The pairs in order.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// Weights for `classes`, each with the element of the schema that its phrases are of. `gold` gives the
    /// classes of each pair; `None` leaves it out. Classes that hardly a pair has are left out. Weights start at those that
    /// `classes` have, and `penalty` weighs how far they go from there (L1). Cost O(steps · features of all pairs) for each
    /// class, in parallel.
    pub fn fit(
        &self,
        classes: &[(Class, Option<Element>)],
        gold: &[Option<BTreeSet<usize>>],
        penalty: f64,
    ) -> RelationModel {
        let kept: Vec<usize> = (0..self.shown.len()).filter(|at| gold[*at].is_some()).collect();
        let is_free = self.supported(&kept);
        let fitted = classes.par_iter().enumerate().filter_map(|(class, (named, element))| {
            let label = |at: usize| gold[at].as_ref().is_some_and(|classes| classes.contains(&class));
            if kept.iter().filter(|at| label(**at)).count() < MIN_SHOWN {
                return None;
            }
            let is_said = |at: usize| element.is_some_and(|element| self.shown[at].said.contains(&element));
            let problem: Vec<(usize, bool, bool)> = kept.iter().map(|at| (*at, label(*at), is_said(*at))).collect();
            Some(self.class(named, &problem, &is_free, penalty))
        });
        RelationModel::new(fitted.collect())
    }

    /// Which features enough documents show.
    fn supported(&self, kept: &[usize]) -> Vec<bool> {
        let mut seen: Vec<(u32, usize)> = Vec::new();
        for at in kept {
            seen.extend(
                self.rows
                    .row(*at)
                    .iter()
                    .map(|feature| (*feature, self.shown[*at].document)),
            );
        }
        seen.sort_unstable();
        seen.dedup();
        let mut counts = vec![0_usize; self.rows.names.len()];
        for (feature, _) in seen {
            counts[feature as usize] += 1;
        }
        counts.into_iter().map(|n| n >= MIN_SUPPORT).collect()
    }

    /// Logistic regression of one class over rows with their labels and whether the phrases say so.
    fn class(&self, named: &Class, rows: &[(usize, bool, bool)], is_free: &[bool], penalty: f64) -> Class {
        let n = is_free.len();
        let (said, bias) = (n, n + 1);
        let known = |name: &str| named.weights.get(name).map_or(0.0, |weight| f64::from(*weight));
        let mut start: Vec<f64> = self.rows.names.iter().map(|name| known(name)).collect();
        start.extend([known(SAID), f64::from(named.bias)]);
        let weights = minimise(start.clone(), |weights, gradient| {
            gradient.fill(0.0);
            let mut loss = 0.0;
            for (at, label, is_said) in rows {
                let features = self.rows.row(*at);
                let sum: f64 = features.iter().map(|feature| weights[*feature as usize]).sum();
                let score = sum + weights[bias] + if *is_said { weights[said] } else { 0.0 };
                let label = f64::from(u8::from(*label));
                // log(1 + e^z) − y z, without overflow.
                loss += score.max(0.0) + (-score.abs()).exp().ln_1p() - label * score;
                let slope = 1.0 / (1.0 + (-score).exp()) - label;
                for feature in features {
                    gradient[*feature as usize] += slope;
                }
                gradient[bias] += slope;
                gradient[said] += if *is_said { slope } else { 0.0 };
            }
            for at in 0..n {
                if is_free[at] {
                    let change = weights[at] - start[at];
                    let size = change.hypot(SMOOTH);
                    loss += penalty * size;
                    gradient[at] += penalty * change / size;
                } else {
                    gradient[at] = 0.0;
                }
            }
            let change = weights[said] - start[said];
            gradient[said] += change;
            loss + 0.5 * change.powi(2)
        });
        let rounded = |weight: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "three decimals are enough")]
            let weight = ((weight * 1e3).round() / 1e3) as f32;
            weight
        };
        let weighed = self.rows.names.iter().zip(&weights);
        let kept = weighed.filter(|(name, weight)| weight.abs() > NEGLIGIBLE || named.weights.contains_key(*name));
        let mut fitted = named.weights.clone();
        fitted.extend(kept.map(|(name, weight)| (name.clone(), rounded(*weight))));
        fitted.insert(SAID.to_owned(), rounded(weights[said]));
        Class {
            bias: rounded(weights[bias]),
            weights: fitted,
            ..named.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PENALTY: f64 = 2.0;

    /// Pairs of twelve documents with "born" between their ends, and of twelve with "met".
    fn lessons() -> (Lessons, Vec<Option<BTreeSet<usize>>>) {
        let (mut lessons, mut gold) = (Lessons::default(), Vec::new());
        for document in 0..24 {
            let is_born = document % 2 == 0;
            lessons.rows.put("word", &[if is_born { "born" } else { "met" }]);
            lessons.rows.put("once", &[&document.to_string()]);
            lessons.rows.finish();
            lessons.shown.push(Shown {
                document,
                head: "a".to_owned(),
                tail: "b".to_owned(),
                places: Vec::new(),
                said: Vec::new(),
                is_trusted: false,
            });
            gold.push(Some(is_born.then_some(0).into_iter().collect()));
        }
        (lessons, gold)
    }

    fn class(label: &str) -> (Class, Option<Element>) {
        let label = label.to_owned();
        (
            Class {
                label,
                ..Class::default()
            },
            None,
        )
    }

    #[test]
    fn what_only_one_document_shows_is_not_learned_and_what_is_never_shown_has_no_class() {
        let (lessons, gold) = lessons();
        let model = lessons.fit(&[class("born in"), class("met")], &gold, PENALTY);
        let [learned] = model.classes() else {
            panic!("{:?}", model.classes())
        };
        assert_eq!(learned.label, "born in");
        assert!(learned.weights["word=born"] > 0.5, "{learned:?}");
        assert!(
            learned.weights.keys().all(|name| !name.starts_with("once")),
            "{learned:?}"
        );
    }

    #[test]
    fn pairs_that_are_left_out_teach_nothing() {
        let (lessons, mut gold) = lessons();
        for one in gold.iter_mut().take(20) {
            *one = None;
        }
        assert!(lessons.fit(&[class("born in")], &gold, PENALTY).classes().is_empty());
    }
}

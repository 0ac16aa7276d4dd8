//! The linear model of relations: for each that was learned, what speaks for it in the way between two ends.

use crate::feature::{FeatureId, FeatureSink, feature_id};
use crate::label::spelling;
use banyan_engine::schema::snake_case;
use banyan_engine::{AttributeId, RelationId, Schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

pub use crate::feature::NamedWeights;

/// The feature that the schema's phrases state the relation.
pub(crate) const SAID: &str = "said";

/// What a schema has for a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A relation between two entities.
    Relation(RelationId),
    /// A value of an entity.
    Attribute(AttributeId),
}

/// Weights of relations over features of pairs, with a probability as their outcome (logistic regression).
#[derive(Debug, Default)]
pub struct RelationModel {
    classes: Vec<Class>,
    /// For each feature the classes that it speaks for or against, and how much.
    weights: HashMap<FeatureId, Vec<(usize, f32)>>,
}

/// A learned relation: what it is called, and its weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Its name, in lower case with spaces; a relation or attribute of a schema that is called so is meant.
    pub label: String,
    /// Names of other relations and attributes of schemas that it states.
    pub means: BTreeSet<String>,
    /// Weight of a pair of which nothing is known.
    pub bias: f32,
    /// Weights of features by name.
    pub weights: NamedWeights,
}

/// The logits of all classes for one row, while its features are put.
pub(crate) struct Scores<'a> {
    model: &'a RelationModel,
    pub(crate) logits: Vec<f32>,
}

impl Scores<'_> {
    /// Adds what a feature speaks for.
    pub(crate) fn add(&mut self, feature: FeatureId) {
        for (class, weight) in self.model.weights.get(&feature).into_iter().flatten() {
            self.logits[*class] += weight;
        }
    }

    /// The probability of each class.
    pub(crate) fn chances(&self) -> Vec<f32> {
        self.logits.iter().map(|logit| probability(*logit)).collect()
    }
}

impl FeatureSink for Scores<'_> {
    fn put(&mut self, template: &str, values: &[&str]) {
        self.add(feature_id(template, values));
    }
}

impl RelationModel {
    /// A model of these classes.
    pub fn new(classes: Vec<Class>) -> Self {
        let mut weights: HashMap<FeatureId, Vec<(usize, f32)>> = HashMap::new();
        for (at, class) in classes.iter().enumerate() {
            for (name, weight) in &class.weights {
                weights.entry(feature_id(name, &[])).or_default().push((at, *weight));
            }
        }
        Self { classes, weights }
    }

    /// The weights that ship: fitted to the development documents of Re-DocRED.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<RelationModel> =
            LazyLock::new(|| shipped(include_str!("../../data/reader/relations.json")));
        &BUILT_IN
    }

    /// The weights that ship for telling true claims from others: one class.
    pub fn trust() -> &'static Self {
        static TRUST: LazyLock<RelationModel> = LazyLock::new(|| shipped(include_str!("../../data/reader/trust.json")));
        &TRUST
    }

    /// The weights that ship for telling what names and terms are: a class for each type of the built-in schema, one of
    /// what is none of them and one of what is no entity.
    pub fn entities() -> &'static Self {
        static ENTITIES: LazyLock<RelationModel> =
            LazyLock::new(|| shipped(include_str!("../../data/reader/entities.json")));
        &ENTITIES
    }

    /// What was learned.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    pub(crate) fn scores(&self) -> Scores<'_> {
        Scores {
            model: self,
            logits: self.classes.iter().map(|class| class.bias).collect(),
        }
    }

    /// How much it adds to each class that the schema's phrases state the relation.
    pub(crate) fn said(&self) -> Vec<f32> {
        let mut added = vec![0.0; self.classes.len()];
        for (class, weight) in self.weights.get(&feature_id(SAID, &[])).into_iter().flatten() {
            added[*class] = *weight;
        }
        added
    }

    /// For each class the relations and attributes of a schema that it states, else those that are called so. Cost O(classes · elements).
    pub(crate) fn served(&self, schema: &Schema) -> Vec<Vec<Element>> {
        let relations = schema
            .relation_ids()
            .map(|(id, kind)| (Element::Relation(id), &kind.name, &kind.aliases));
        let attributes = schema
            .attribute_ids()
            .map(|(id, kind)| (Element::Attribute(id), &kind.name, &kind.aliases));
        let elements: Vec<_> = relations.chain(attributes).collect();
        let served = |class: &Class| {
            let is_called = |by: &dyn Fn(&str) -> String, name: &str, aliases: &[String]| {
                let label = by(&class.label);
                by(name) == label || aliases.iter().any(|alias| by(alias) == label)
            };
            let elements = |is_meant: &dyn Fn(&str, &[String]) -> bool| -> Vec<Element> {
                let meant = elements.iter().filter(|(_, name, aliases)| is_meant(name, aliases));
                meant.map(|(element, ..)| *element).collect()
            };
            // A name of the same stems may be read the other way round: a producer is not what it produces.
            let meant = elements(&|name, aliases| {
                class.means.contains(name) || is_called(&|label| snake_case(label), name, aliases)
            });
            if meant.is_empty() {
                elements(&|name, aliases| is_called(&spelling, name, aliases))
            } else {
                meant
            }
        };
        self.classes.iter().map(served).collect()
    }
}

/// Weights that ship; tests hold that their files are read whole.
fn shipped(json: &str) -> RelationModel {
    RelationModel::new(serde_json::from_str(json).unwrap_or_default())
}

/// The probability of a logit.
pub(crate) fn probability(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_read_whole_and_serves_the_built_in_schema() {
        let (model, schema) = (RelationModel::built_in(), Schema::general().unwrap());
        let served = model.served(&schema);
        for (label, name) in [
            ("place of birth", "born_in"),
            ("country", "located_in"),
            ("spouse", "spouse"),
        ] {
            let at = model.classes().iter().position(|class| class.label == label).unwrap();
            assert_eq!(
                served[at],
                [Element::Relation(schema.relation_id(name).unwrap())],
                "{label}"
            );
        }
        let at = model
            .classes()
            .iter()
            .position(|class| class.label == "date of birth")
            .unwrap();
        assert_eq!(
            served[at],
            [Element::Attribute(schema.attribute_id("birth_date").unwrap())]
        );
    }

    #[test]
    fn trust_has_one_class() {
        assert_eq!(RelationModel::trust().classes().len(), 1);
    }

    #[test]
    fn a_class_serves_a_schema_by_its_label_an_alias_or_what_it_means() {
        let class = Class {
            label: "place of birth".to_owned(),
            means: ["native_of".to_owned()].into(),
            ..Class::default()
        };
        let schema = r#"{"name": "s", "entity_types": [{"name": "person"}], "relations": [
            {"name": "place_of_birth"}, {"name": "origin", "aliases": ["Place of birth"]}, {"name": "native_of"},
            {"name": "birth"}]}"#;
        let schema = Schema::from_json(schema).unwrap();
        let expected = ["place_of_birth", "origin", "native_of"];
        let expected = expected.map(|name| Element::Relation(schema.relation_id(name).unwrap()));
        assert_eq!(RelationModel::new(vec![class]).served(&schema), [expected]);
    }

    #[test]
    fn features_add_up_to_a_logit() {
        let weights = [("kinds=Person&Place".to_owned(), 2.0), (SAID.to_owned(), 0.5)];
        let model = RelationModel::new(vec![Class {
            bias: -1.0,
            weights: weights.into(),
            ..Class::default()
        }]);
        let mut scores = model.scores();
        scores.put("kinds", &["Person", "Place"]);
        scores.put("kinds", &["Place", "Person"]);
        assert_eq!((scores.logits, model.said()), (vec![1.0], vec![0.5]));
        assert!((probability(0.0) - 0.5).abs() < f32::EPSILON);
    }
}

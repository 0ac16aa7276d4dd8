//! The entity labels of an annotated set as entity types of a schema.

use banyan_engine::schema::{EntityType, THING, ValueKind};
use banyan_engine::{Schema, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Labels that stand for whatever has no label of its own.
const REST: &[&str] = &["misc", "miscellaneous", "other"];
/// Labels of points and stretches of time.
const TIME: &[&str] = &["date", "time"];
const NUMBER: &[&str] = &["cardinal", "num", "number"];
/// Usual abbreviations and other spellings of the built-in types.
const SYNONYMS: &[(&str, &str)] = &[
    ("fac", "structure"),
    ("gpe", "place"),
    ("loc", "place"),
    ("location", "place"),
    ("org", "organisation"),
    ("organization", "organisation"),
    ("per", "person"),
];
/// Where a built-in type belongs whose own name is no label: teams are organisations, buildings stand for their place.
const WIDER: &[(&str, &str)] = &[("structure", "place"), ("team", "organisation")];
/// Shortest noun that counts as the head of a label written in one word ("political*party*"). Arbitrary.
const MIN_HEAD: usize = 4;

/// The labels of a set, and what each stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    types: BTreeMap<String, EntityType>,
    /// Built-in type → label.
    general: BTreeMap<String, String>,
    rest: Option<String>,
    time: Option<String>,
    number: Option<String>,
}

impl Labels {
    /// Reads labels with what the schema `general` knows of nouns: a label that names one of its types, if only by an
    /// abbreviation, is denoted by the nouns of that type; any other label by itself and its head noun. A noun that is
    /// itself a label denotes only that one. Cost O(labels · nouns).
    pub(crate) fn new(names: &BTreeSet<String>, general: &Schema) -> Self {
        let mut labels = Self::default();
        for name in names {
            let plain = name.to_lowercase();
            let is = |list: &[&str]| list.contains(&plain.as_str());
            if is(REST) {
                labels.rest = Some(name.clone());
            } else if is(TIME) {
                labels.time = Some(name.clone());
            } else if is(NUMBER) {
                labels.number = Some(name.clone());
            } else {
                labels.add(name, &plain, general);
            }
        }
        labels.widen(general);
        labels
    }

    fn add(&mut self, name: &str, plain: &str, general: &Schema) {
        let synonym = SYNONYMS.iter().find(|(other, _)| *other == plain);
        let known = synonym.map_or(plain, |(_, known)| known);
        let mut aliases = vec![plain.to_owned()];
        if general.type_id(known).is_some() {
            self.general.insert(known.to_owned(), name.to_owned());
        } else {
            aliases.extend(head(plain, general));
        }
        let kind = EntityType {
            name: name.to_owned(),
            aliases,
            ..EntityType::default()
        };
        self.types.insert(name.to_owned(), kind);
    }

    /// Gives each label the nouns of the built-in types it stands for, but none that is a label or the head of one.
    fn widen(&mut self, general: &Schema) {
        for (narrow, wide) in WIDER {
            if let (false, Some(label)) = (self.general.contains_key(*narrow), self.general.get(*wide).cloned()) {
                self.general.insert((*narrow).to_owned(), label);
            }
        }
        let taken: BTreeSet<String> = self.types.values().flat_map(|kind| kind.aliases.clone()).collect();
        for kind in general.entity_types() {
            let Some(label) = self.general.get(&kind.name).and_then(|label| self.types.get_mut(label)) else {
                continue;
            };
            let nouns = std::iter::once(&kind.name).chain(&kind.aliases);
            label
                .aliases
                .extend(nouns.filter(|noun| !taken.contains(*noun)).cloned());
        }
    }

    /// The types for a schema, in the order of the labels; residual labels and labels of values have none.
    pub(super) fn entity_types(&self) -> impl Iterator<Item = &EntityType> {
        self.types.values()
    }

    /// The label that took over a built-in type.
    pub(super) fn of_general(&self, name: &str) -> Option<&str> {
        self.general.get(name).map(String::as_str)
    }

    /// The label of an entity of this type of `schema`, which was made from these labels: the residual label, if any,
    /// for what has no narrower type.
    pub(super) fn of(&self, schema: &Schema, kind: TypeId) -> Option<&str> {
        let name = schema.entity_type(kind).label();
        let label = self.types.get_key_value(name).map(|(label, _)| label.as_str());
        label.or_else(|| self.rest.as_deref().filter(|_| name == THING))
    }

    /// The label of values of a kind: of dates, or of numbers and quantities.
    pub(super) fn of_value(&self, kind: ValueKind) -> Option<&str> {
        match kind {
            ValueKind::Date => self.time.as_deref(),
            ValueKind::Number | ValueKind::Quantity => self.number.as_deref(),
            ValueKind::Text | ValueKind::Enum => None,
        }
    }
}

/// The longest noun of the built-in schema that a label written in one word ends with.
fn head(plain: &str, general: &Schema) -> Option<String> {
    let nouns = general
        .entity_types()
        .iter()
        .flat_map(|kind| std::iter::once(&kind.name).chain(&kind.aliases));
    let heads = nouns.filter(|noun| noun.len() >= MIN_HEAD && noun.len() < plain.len() && plain.ends_with(*noun));
    heads.max_by_key(|noun| noun.len()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases<'a>(labels: &'a Labels, name: &str) -> Vec<&'a str> {
        labels.types[name].aliases.iter().map(String::as_str).collect()
    }

    #[test]
    fn labels_take_the_nouns_of_the_types_they_name_and_their_head_nouns() {
        let names = ["ORG", "politicalparty", "country", "location", "misc", "TIME"].map(str::to_owned);
        let labels = Labels::new(&BTreeSet::from(names), &Schema::general().unwrap());
        assert_eq!(aliases(&labels, "politicalparty"), ["politicalparty", "party"]);
        assert_eq!(aliases(&labels, "country"), ["country"]);
        let organisation = aliases(&labels, "ORG");
        assert!(organisation.contains(&"university") && organisation.contains(&"orchestra"));
        assert!(!organisation.contains(&"party"), "a party is a label of its own");
        let place = aliases(&labels, "location");
        assert!(place.contains(&"river") && place.contains(&"bridge") && !place.contains(&"country"));
        assert_eq!(labels.of_value(ValueKind::Date), Some("TIME"));
        assert_eq!(labels.of_value(ValueKind::Number), None);
        assert_eq!(labels.of_general("team"), Some("ORG"));
    }

    #[test]
    fn the_residual_label_is_for_what_has_no_type() {
        let labels = Labels::new(&BTreeSet::from(["other".to_owned()]), &Schema::general().unwrap());
        let schema = Schema::from_json(r#"{"name": "s", "relations": [{"name": "near"}]}"#).unwrap();
        assert_eq!(labels.of(&schema, schema.thing()), Some("other"));
        assert_eq!(Labels::default().of(&schema, schema.thing()), None);
    }
}

//! What a schema has already: normal forms, types, and the vectors of names.

use super::ExpandError;
use super::group::Group;
use super::normal::normal;
use banyan_engine::Schema;
use banyan_engine::embed::{Embedder, dot};
use banyan_engine::schema::{ElementKind, THING};
use std::collections::{BTreeMap, BTreeSet};

/// Distance to the nearest element where a schema has none of the kind: as far as unrelated names are.
const FAR: f32 = 1.0;

/// The elements of a schema as candidates are compared with them.
pub(super) struct Known {
    forms: BTreeSet<(ElementKind, String)>,
    types: BTreeSet<String>,
    names: BTreeMap<ElementKind, Vec<(String, Vec<f32>)>>,
}

impl Known {
    /// Learns the names and phrases of `schema`, drops the groups that it has already, and gives the others their
    /// vectors, all names in one call.
    pub(super) fn new(schema: &Schema, groups: &mut Vec<Group>, embedder: &dyn Embedder) -> Result<Self, ExpandError> {
        let elements = schema.elements();
        let mut forms = BTreeSet::new();
        for element in &elements {
            let kind = element.kind();
            let phrases = element.aliases().iter().map(String::as_str).chain([element.name()]);
            forms.extend(phrases.map(|phrase| (kind, normal(kind, phrase))));
        }
        groups.retain(|group| !forms.contains(&(group.kind, group.normal.clone())));
        let named: Vec<(ElementKind, &str)> = elements
            .iter()
            .map(|element| (element.kind(), element.name()))
            .filter(|(_, name)| *name != THING)
            .collect();
        let spoken: Vec<String> = named
            .iter()
            .map(|(_, name)| *name)
            .chain(groups.iter().map(|group| group.name.as_str()))
            .map(|name| name.replace('_', " "))
            .collect();
        let vectors = embedder.embed(&spoken.iter().map(String::as_str).collect::<Vec<_>>())?;
        let mut names: BTreeMap<ElementKind, Vec<(String, Vec<f32>)>> = BTreeMap::new();
        for (&(kind, name), row) in named.iter().zip(vectors.rows()) {
            names.entry(kind).or_default().push((name.to_owned(), row.to_vec()));
        }
        for (group, row) in groups.iter_mut().zip(vectors.rows().skip(named.len())) {
            group.vector = row.to_vec();
        }
        let types = schema.entity_types().iter().map(|kind| kind.name.clone()).collect();
        Ok(Self { forms, types, names })
    }

    /// Adds what was accepted.
    pub(super) fn add<'a>(&mut self, groups: impl Iterator<Item = &'a Group>) {
        for group in groups {
            self.forms.insert((group.kind, group.normal.clone()));
            if group.kind == ElementKind::EntityType {
                self.types.insert(group.name.clone());
            }
            let name = (group.name.clone(), group.vector.clone());
            self.names.entry(group.kind).or_default().push(name);
        }
    }

    /// Whether an element has this normal form.
    pub(super) fn has(&self, group: &Group) -> bool {
        self.forms.contains(&(group.kind, group.normal.clone()))
    }

    /// Whether there is an entity type of this name.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    /// The distance to the nearest element of the kind, and its name; the first of equals.
    pub(super) fn nearest(&self, group: &Group) -> (f32, Option<String>) {
        let names = self.names.get(&group.kind).map_or(&[][..], Vec::as_slice);
        let distances = names
            .iter()
            .map(|(name, vector)| (cosine_distance(&group.vector, vector), name));
        let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or((FAR, None), |(distance, name)| (distance, Some(name.clone())))
    }
}

/// The distance between the names of two groups; of two kinds, as far as can be.
pub(super) fn distance(a: &Group, b: &Group) -> f32 {
    if a.kind == b.kind {
        cosine_distance(&a.vector, &b.vector)
    } else {
        FAR
    }
}

/// Of unit vectors, `0..=2`; a name without a known word is far from all.
fn cosine_distance(a: &[f32], b: &[f32]) -> f32 {
    (1.0 - dot(a, b)).clamp(0.0, 2.0)
}

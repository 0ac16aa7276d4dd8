//! What people decided on facts and entities, as it is looked up while a graph is assembled.

use crate::name;
use crate::resolution::{Correction, Decision, Resolution};
use crate::schema::{Schema, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Corrections by canonical key; of several on one thing the last counts. What a thing was called between is an alias, unless
/// another was given that name since.
#[derive(Debug)]
pub(super) struct Corrections<'a> {
    resolution: &'a Resolution,
    denied: BTreeSet<(&'a str, &'a str, &'a str)>,
    names: BTreeMap<&'a str, Vec<&'a str>>,
    kinds: BTreeMap<&'a str, &'a str>,
    deleted: BTreeSet<&'a str>,
    /// What the key of a name that was given stands for.
    given: BTreeMap<String, &'a str>,
}

impl<'a> Corrections<'a> {
    pub(super) fn new(resolution: &'a Resolution) -> Self {
        let mut found = Self {
            resolution,
            denied: BTreeSet::new(),
            names: BTreeMap::new(),
            kinds: BTreeMap::new(),
            deleted: BTreeSet::new(),
            given: BTreeMap::new(),
        };
        for decision in resolution.decisions() {
            let Decision::Correct { what, .. } = decision else {
                continue;
            };
            match what {
                Correction::Deny { head, relation, tail } => {
                    let (head, tail) = (resolution.canonical(head), resolution.canonical(tail));
                    found.denied.insert((head, relation, tail));
                }
                Correction::Rename { entity, name } => {
                    let entity = resolution.canonical(entity);
                    found.names.entry(entity).or_default().push(name);
                    found.given.insert(name::key(name), entity);
                }
                Correction::Retype { entity, kind } => drop(found.kinds.insert(resolution.canonical(entity), kind)),
                Correction::Delete { entity } => drop(found.deleted.insert(resolution.canonical(entity))),
            }
        }
        found
    }

    /// Whether what a key, joined or not, stands for is to be left out.
    pub(super) fn deletes(&self, key: &str) -> bool {
        !self.deleted.is_empty() && self.deleted.contains(self.meant(self.resolution.canonical(key)))
    }

    /// Whether a fact, its tail a key or a value, does not hold.
    pub(super) fn denies(&self, head: &str, relation: &str, tail: &str) -> bool {
        self.denied.contains(&(self.meant(head), relation, self.meant(tail)))
    }

    /// The key that a key stands for.
    fn meant<'b>(&'b self, key: &'b str) -> &'b str {
        self.given.get(key).copied().unwrap_or(key)
    }

    /// What an entity is called, and what it was called by earlier decisions, the last first.
    pub(super) fn names<'b>(&'b self, key: &'b str) -> impl Iterator<Item = &'a str> + 'b {
        let names = self.names.get(key).into_iter().flatten().rev().copied();
        names.filter(move |name| self.given.get(&name::key(name)).copied() == Some(key))
    }

    /// Of what type an entity is, where the schema has that.
    pub(super) fn kind(&self, key: &str, schema: &Schema) -> Option<TypeId> {
        self.kinds.get(key).and_then(|kind| schema.type_id(kind))
    }
}

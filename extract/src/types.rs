//! The types of all names of a corpus: what somebody stated them to be, else what they are judged to be, and of what was
//! not judged what texts show and names suggest.

use crate::entity::Entities;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::typing;
use banyan_engine::fact::EntityKey;
use banyan_engine::{EntityClaim, Mention, RelationId, Schema, Span, TypeId};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Types {
    /// Stated, judged, or shown by a definition, an apposition or a title's tail: they bound what relations may say.
    shown: BTreeMap<EntityKey, TypeId>,
    /// Stated or judged: only the type that is shown here counts, if any.
    settled: BTreeSet<EntityKey>,
    /// Suggested by a word of the name; anything else overrides them ("Ann *Hall*").
    suggested: BTreeMap<EntityKey, TypeId>,
    /// What most of its places use as a term.
    terms: BTreeSet<EntityKey>,
}

impl Types {
    /// One type for each key: what most statements from outside say that it is; else what it is judged to be; of what
    /// was not judged, and among types that the judge cannot tell, what its own document says, else the majority of what others say, else what its name suggests. Cost
    /// O(claims · log keys).
    pub(crate) fn vote(readings: &[Reading], judged: &Entities, schema: &Schema, phrases: &Phrases) -> Self {
        let stated = stated(readings, schema);
        let mut votes: BTreeMap<&EntityKey, BTreeMap<TypeId, (bool, usize)>> = BTreeMap::new();
        let mut types = Self::default();
        let terms = mostly_terms(readings);
        let claims = readings.iter().flat_map(|reading| {
            let claims = reading.entities.iter();
            // What stands beside a common noun, and what a recogniser takes it for at one place, says nothing of its
            // kind.
            claims.filter(|claim| !terms.contains(&claim.entity) || !reading.is_mention(claim))
        });
        for claim in claims.filter(|claim| !stated.contains_key(&claim.entity)) {
            let is_judged = judged.is_judged(&claim.entity);
            // A type that the judge does not know says more than one that it does.
            let counts = |kind: &TypeId| *kind != schema.thing() && !(is_judged && judged.can_tell(*kind));
            if let Some(kind) = claim.entity_type.filter(counts) {
                let slot = votes.entry(&claim.entity).or_default().entry(kind).or_default();
                slot.0 |= claim.is_subject;
                slot.1 += 1;
            } else if let Some(kind) = typing::of_name(&claim.name, phrases).filter(counts) {
                types.suggested.entry(claim.entity.clone()).or_insert(kind);
            }
        }
        for (key, kinds) in votes {
            types.shown.extend(most(kinds).map(|kind| (Arc::clone(key), kind)));
        }
        let keys = readings.par_iter().flat_map_iter(|reading| &reading.mentions);
        let mut keys: Vec<&EntityKey> = keys.map(|mention| &mention.entity).collect();
        keys.par_sort_unstable();
        keys.dedup();
        for key in keys {
            if judged.is_judged(key) && !stated.contains_key(key) {
                types.settled.insert(key.clone());
                let is_open = types.likely(key).is_none();
                if let Some(kind) = judged.type_of(key).filter(|_| is_open) {
                    types.shown.insert(key.clone(), kind);
                }
            }
        }
        for (key, kind) in stated {
            types.settled.insert(Arc::clone(key));
            types.shown.insert(Arc::clone(key), kind);
        }
        types.terms = terms;
        types
    }

    /// What is known of these keys.
    pub(crate) fn of(&self, keys: &BTreeSet<&EntityKey>) -> Self {
        let known = |all: &BTreeMap<EntityKey, TypeId>| {
            let known = keys.iter().filter_map(|key| all.get_key_value(*key));
            known.map(|(key, kind)| (key.clone(), *kind)).collect()
        };
        let among = |all: &BTreeSet<EntityKey>| keys.iter().filter_map(|key| all.get(*key)).cloned().collect();
        Self {
            shown: known(&self.shown),
            settled: among(&self.settled),
            suggested: known(&self.suggested),
            terms: among(&self.terms),
        }
    }

    /// What a reading claims of names and types, without types that are not what was stated or judged, and what single
    /// places of a term seem to be.
    pub(crate) fn borne_out(&self, reading: &Reading) -> Vec<EntityClaim> {
        let mut claims = reading.entities.clone();
        for claim in &mut claims {
            let is_other = self.settled.contains(&claim.entity) && claim.entity_type != self.shown(&claim.entity);
            if is_other || (self.terms.contains(&claim.entity) && reading.is_mention(claim)) {
                claim.entity_type = None;
            }
        }
        claims
    }

    /// Whether it names a term, here or at most places.
    pub(crate) fn is_term(&self, mention: &Mention) -> bool {
        mention.is_term || self.terms.contains(&mention.entity)
    }

    /// The type that texts show, which a relation must respect.
    pub(crate) fn shown(&self, key: &str) -> Option<TypeId> {
        self.shown.get(key).copied()
    }

    /// The type that is shown, else suggested.
    pub(crate) fn likely(&self, key: &str) -> Option<TypeId> {
        self.shown(key).or_else(|| self.suggested.get(key).copied())
    }

    /// How many ends are likely to have a type that the relation asks for; `None` where a text shows another type.
    pub(crate) fn fit(&self, schema: &Schema, head: &str, relation: RelationId, tail: &str) -> Option<u8> {
        let thing = schema.thing();
        let shown = |key: &str| self.shown(key).unwrap_or(thing);
        let likely = |key: &str| self.likely(key).filter(|kind| *kind != thing);
        if !schema.admits(shown(head), relation, shown(tail)) {
            return None;
        }
        let head_fits = likely(head).is_some_and(|kind| schema.admits(kind, relation, thing));
        let tail_fits = likely(tail).is_some_and(|kind| schema.admits(thing, relation, kind));
        Some(u8::from(head_fits) + u8::from(tail_fits))
    }

    /// Claims on the types of names that were stated or judged, and of those that no text shows a type of what the name suggests,
    /// where the document's own claims say none.
    pub(crate) fn claims(&self, mentions: &[Mention], own: &[EntityClaim]) -> Vec<EntityClaim> {
        let typed = own.iter().filter(|claim| claim.entity_type.is_some());
        let typed: BTreeSet<&EntityKey> = typed.map(|claim| &claim.entity).collect();
        let told = |key: &str| match self.shown(key) {
            Some(kind) => Some(kind).filter(|_| self.settled.contains(key)),
            None => self.suggested.get(key).copied(),
        };
        let suggested: BTreeMap<&EntityKey, TypeId> = mentions
            .iter()
            .filter(|mention| !typed.contains(&mention.entity))
            .filter_map(|mention| Some((&mention.entity, told(&mention.entity)?)))
            .collect();
        let claim = |(entity, kind): (&EntityKey, TypeId)| EntityClaim {
            entity: Arc::clone(entity),
            name: EntityKey::default(),
            entity_type: Some(kind),
            span: Span::new(0, 0),
            is_subject: false,
        };
        suggested.into_iter().map(claim).collect()
    }
}

/// The type that most statements give to a key; of equally many that of the smaller number.
fn stated<'a>(readings: &'a [Reading], schema: &Schema) -> BTreeMap<&'a EntityKey, TypeId> {
    let mut counts: BTreeMap<&EntityKey, BTreeMap<TypeId, usize>> = BTreeMap::new();
    let stated = readings.iter().flat_map(|reading| &reading.stated);
    for (key, kind) in stated.filter(|(_, kind)| *kind != schema.thing()) {
        *counts.entry(key).or_default().entry(*kind).or_default() += 1;
    }
    let stated = counts.into_iter().filter_map(|(key, kinds)| Some((key, most(kinds)?)));
    stated.collect()
}

/// The type of the highest score; of equal ones that of the smaller number.
fn most(kinds: BTreeMap<TypeId, impl Ord + Copy>) -> Option<TypeId> {
    let most = kinds
        .into_iter()
        .max_by_key(|(kind, score)| (*score, std::cmp::Reverse(*kind)));
    most.map(|(kind, _)| kind)
}

/// The keys that most of their places use as terms.
fn mostly_terms(readings: &[Reading]) -> BTreeSet<EntityKey> {
    let mentions = readings.par_iter().flat_map_iter(|reading| &reading.mentions);
    let mut mentions: Vec<(&EntityKey, bool)> = mentions.map(|one| (&one.entity, one.is_term)).collect();
    mentions.par_sort_unstable();
    let same = mentions.chunk_by(|a, b| a.0 == b.0);
    let terms = same.filter(|same| 2 * same.iter().filter(|(_, is_term)| *is_term).count() > same.len());
    terms.map(|same| Arc::clone(same[0].0)).collect()
}

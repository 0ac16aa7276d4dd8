//! The types of all names of a corpus: what somebody stated them to be, else what they are judged to be, and of what was
//! not judged what texts show and names suggest.

use crate::entity::Entities;
use crate::phrase::Phrases;
use crate::reading::Reading;
use crate::typing;
use banyan_engine::fact::EntityKey;
use banyan_engine::{EntityClaim, Mention, RelationId, Schema, Span, TypeId};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known of one name or term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Known {
    /// Stated, judged, or shown by a definition, an apposition or a title's tail: it bounds what relations may say.
    shown: Option<TypeId>,
    /// Stated or judged: only the type that is shown here counts, if any.
    is_settled: bool,
    /// Suggested by a word of the name; anything else overrides it ("Ann *Hall*").
    suggested: Option<TypeId>,
    /// Most of its places use it as a term.
    is_term: bool,
}

/// What is known of all that a corpus names.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllTypes(FxHashMap<EntityKey, Known>);

impl AllTypes {
    /// One type for each key: what most statements from outside say that it is; else what it is judged to be; of what
    /// was not judged, and among types that the judge cannot tell, what its own document says, else the majority of what
    /// others say, else what its name suggests. Cost O(claims).
    pub(crate) fn vote(readings: &[Reading], judged: &Entities, schema: &Schema, phrases: &Phrases) -> Self {
        let stated = stated(readings, schema);
        let mut votes: FxHashMap<&EntityKey, BTreeMap<TypeId, (bool, usize)>> = FxHashMap::default();
        let mut all = mentioned(readings);
        let claims = readings.iter().flat_map(|reading| {
            let claims = reading.entities.iter();
            claims.map(move |claim| (claim, reading))
        });
        for (claim, reading) in claims.filter(|(claim, _)| !stated.contains_key(&claim.entity)) {
            // What stands beside a common noun, and what a recogniser takes it for at one place, says nothing of its
            // kind.
            let is_term = all.get(&claim.entity).is_some_and(|known| known.is_term);
            if is_term && reading.is_mention(claim) {
                continue;
            }
            let is_judged = judged.is_judged(&claim.entity);
            // A type that the judge does not know says more than one that it does.
            let counts = |kind: &TypeId| *kind != schema.thing() && !(is_judged && judged.can_tell(*kind));
            if let Some(kind) = claim.entity_type.filter(counts) {
                let slot = votes.entry(&claim.entity).or_default().entry(kind).or_default();
                slot.0 |= claim.is_subject;
                slot.1 += 1;
            } else if let Some(kind) = typing::of_name(&claim.name, phrases).filter(counts) {
                let known = all.entry(Arc::clone(&claim.entity)).or_default();
                known.suggested = known.suggested.or(Some(kind));
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "one name says nothing of another")]
        for (key, kinds) in votes {
            all.entry(Arc::clone(key)).or_default().shown = most(kinds);
        }
        #[allow(clippy::iter_over_hash_type, reason = "as above")]
        for (key, known) in &mut all {
            if judged.is_judged(key) && !stated.contains_key(key) {
                known.is_settled = true;
                known.shown = known
                    .shown
                    .or(judged.type_of(key).filter(|_| known.suggested.is_none()));
            }
        }
        for (key, kind) in stated {
            let known = all.entry(Arc::clone(key)).or_default();
            (known.is_settled, known.shown) = (true, Some(kind));
        }
        Self(all)
    }

    /// What is known of these keys.
    pub(crate) fn of(&self, keys: &BTreeSet<&EntityKey>) -> Types {
        let known = keys.iter().filter_map(|key| self.0.get_key_value(*key));
        let known = known.filter(|(_, known)| **known != Known::default());
        Types(known.map(|(key, known)| (Arc::clone(key), *known)).collect())
    }
}

/// What is known of what one document names.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Types(BTreeMap<EntityKey, Known>);

impl Types {
    fn known(&self, key: &str) -> Known {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// What a reading claims of names and types, without types that are not what was stated or judged, and what single
    /// places of a term seem to be.
    pub(crate) fn borne_out(&self, reading: &Reading) -> Vec<EntityClaim> {
        let mut claims = reading.entities.clone();
        for claim in &mut claims {
            let known = self.known(&claim.entity);
            let is_other = known.is_settled && claim.entity_type != known.shown;
            if is_other || (known.is_term && reading.is_mention(claim)) {
                claim.entity_type = None;
            }
        }
        claims
    }

    /// Whether it names a term, here or at most places.
    pub(crate) fn is_term(&self, mention: &Mention) -> bool {
        mention.is_term || self.known(&mention.entity).is_term
    }

    /// The type that texts show, which a relation must respect.
    pub(crate) fn shown(&self, key: &str) -> Option<TypeId> {
        self.known(key).shown
    }

    /// The type that is shown, else suggested.
    pub(crate) fn likely(&self, key: &str) -> Option<TypeId> {
        let known = self.known(key);
        known.shown.or(known.suggested)
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
        let told = |key: &str| {
            let known = self.known(key);
            match known.shown {
                Some(kind) => Some(kind).filter(|_| known.is_settled),
                None => known.suggested,
            }
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

/// All that is mentioned, and whether most of its places use it as a term.
fn mentioned(readings: &[Reading]) -> FxHashMap<EntityKey, Known> {
    let mut counts: FxHashMap<&EntityKey, (usize, usize)> = FxHashMap::default();
    for mention in readings.iter().flat_map(|reading| &reading.mentions) {
        let (n, n_terms) = counts.entry(&mention.entity).or_default();
        *n += 1;
        *n_terms += usize::from(mention.is_term);
    }
    let known = counts.into_iter().map(|(key, (n, n_terms))| {
        let known = Known {
            is_term: 2 * n_terms > n,
            ..Known::default()
        };
        (Arc::clone(key), known)
    });
    known.collect()
}

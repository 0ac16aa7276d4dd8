//! Candidates that mean the same, joined, with what they have in common.

use super::normal::normal;
use super::{Candidate, named};
use banyan_engine::schema::{AttributeType, Element, ElementKind, THING, ValueKind, snake_case};
use banyan_engine::{DocumentId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Places kept as evidence of a proposal, one a document. Arbitrary: enough to judge by, small enough to store.
const MAX_EVIDENCE: usize = 16;
/// Least share of the typed evidence that makes a type part of a domain or range. Arbitrary: one slip in ten is noise.
const MIN_SHARE: f32 = 0.1;
/// What ends say for which no candidate knows a type: nothing, for or against.
const UNKNOWN_CONSISTENCY: f32 = 0.5;

/// The types of both ends at one place.
type Ends = (Option<String>, Option<String>);

/// Candidates of one kind and one normal form.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) kind: ElementKind,
    /// The normal form that joins them.
    pub(super) normal: String,
    /// The most frequent spelling in `snake_case`, the first of equals.
    pub(super) name: String,
    /// Places that suggest it, in chunk order, one a document.
    pub(super) evidence: Vec<(DocumentId, Span)>,
    /// The name's vector; empty until names are embedded.
    pub(super) vector: Vec<f32>,
    documents: BTreeSet<DocumentId>,
    ends: BTreeMap<Ends, u32>,
    values: BTreeMap<ValueKind, u32>,
    stated: Element,
    phrases: BTreeSet<String>,
}

/// Joins candidates by kind and normal form, in the order in which each group first appears. Names without a letter or
/// digit are passed over. Cost O(n log n).
pub(super) fn group(candidates: &[Candidate]) -> Vec<Group> {
    let mut places: BTreeMap<(ElementKind, String), usize> = BTreeMap::new();
    let mut spellings: Vec<BTreeMap<String, (u32, usize)>> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for (order, candidate) in candidates.iter().enumerate() {
        let kind = candidate.element.kind();
        let name = snake_case(candidate.element.name());
        if name.is_empty() {
            continue;
        }
        let normal = normal(kind, &name);
        let at = *places.entry((kind, normal.clone())).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group::new(kind, normal));
            spellings.push(BTreeMap::new());
        }
        spellings[at].entry(name).or_insert((0, order)).0 += 1;
        groups[at].add(candidate);
    }
    for (group, spellings) in groups.iter_mut().zip(spellings) {
        let best = spellings
            .into_iter()
            .max_by_key(|(_, (n, order))| (*n, std::cmp::Reverse(*order)));
        group.name = best.map_or_else(String::new, |(name, _)| name);
    }
    groups
}

impl Group {
    fn new(kind: ElementKind, normal: String) -> Self {
        Self {
            kind,
            normal,
            name: String::new(),
            evidence: Vec::new(),
            vector: Vec::new(),
            documents: BTreeSet::new(),
            ends: BTreeMap::new(),
            values: BTreeMap::new(),
            stated: named(kind, String::new()),
            phrases: BTreeSet::new(),
        }
    }

    fn add(&mut self, candidate: &Candidate) {
        if self.documents.insert(candidate.document) && self.evidence.len() < MAX_EVIDENCE {
            self.evidence.push((candidate.document, candidate.span));
        }
        let known = |kind: &Option<String>| {
            kind.as_deref()
                .map(snake_case)
                .filter(|name| name != THING && !name.is_empty())
        };
        let (domain, range): (&[String], &[String]) = match &candidate.element {
            Element::EntityType(_) => (&[], &[]),
            Element::Relation(kind) => (&kind.domain, &kind.range),
            Element::Attribute(kind) => (&kind.domain, &[]),
        };
        let only = |names: &[String]| match names {
            [name] => Some(snake_case(name)),
            _ => None,
        };
        let ends = (
            known(&candidate.head_type).or_else(|| only(domain)),
            known(&candidate.tail_type).or_else(|| only(range)),
        );
        *self.ends.entry(ends).or_default() += 1;
        if let Element::Attribute(kind) = &candidate.element {
            *self
                .values
                .entry(candidate.value_kind.unwrap_or(kind.kind))
                .or_default() += 1;
        }
        self.phrases.extend(candidate.element.aliases().iter().cloned());
        self.widen(&candidate.element);
    }

    /// Takes over what a later candidate states and the first ones did not.
    fn widen(&mut self, other: &Element) {
        let spelled = |names: &[String]| names.iter().map(|name| snake_case(name)).collect::<Vec<_>>();
        match (&mut self.stated, other) {
            (Element::EntityType(known), Element::EntityType(other)) => {
                describe(&mut known.description, &other.description);
                known.parent = known.parent.take().or_else(|| other.parent.as_deref().map(snake_case));
            }
            (Element::Relation(known), Element::Relation(other)) => {
                describe(&mut known.description, &other.description);
                add(&mut known.domain, spelled(&other.domain));
                add(&mut known.range, spelled(&other.range));
            }
            (Element::Attribute(known), Element::Attribute(other)) => {
                describe(&mut known.description, &other.description);
                add(&mut known.domain, spelled(&other.domain));
                add(&mut known.values, other.values.clone());
                known.unit = known.unit.take().or_else(|| other.unit.clone());
            }
            // Groups are of one kind.
            _ => {}
        }
    }

    /// Distinct documents that suggest it.
    pub(super) fn n_documents(&self) -> u32 {
        u32::try_from(self.documents.len()).unwrap_or(u32::MAX)
    }

    /// Share of the evidence that agrees with the dominant types of its ends, and for an attribute with the dominant kind
    /// of its value, `0..=1`. An end whose type is not known agrees with any; where no type at all is known, nothing is
    /// shown: ½. Entity types have no ends of their own: what is known of no entity agrees.
    pub(super) fn consistency(&self) -> f32 {
        let n: u32 = self.ends.values().sum();
        let share = |agreeing: u32| agreeing as f32 / n.max(1) as f32;
        let types = self.dominant().map(|(head, tail)| {
            let agrees = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
            let agreeing = self
                .ends
                .iter()
                .filter(|(ends, _)| agrees(&ends.0, &head) && agrees(&ends.1, &tail));
            share(agreeing.map(|(_, n)| n).sum())
        });
        match self.kind {
            ElementKind::EntityType => types.unwrap_or(1.0),
            ElementKind::Relation => types.unwrap_or(UNKNOWN_CONSISTENCY),
            ElementKind::Attribute => share(self.values.values().copied().max().unwrap_or(0)),
        }
    }

    /// The types of the ends that most of the evidence shows; `None` where it shows none. Pairs that are known on both
    /// sides come before others.
    fn dominant(&self) -> Option<Ends> {
        let n_known = |ends: &Ends| u8::from(ends.0.is_some()) + u8::from(ends.1.is_some());
        let shown = self.ends.iter().filter(|(ends, _)| n_known(ends) > 0);
        let best = shown.max_by_key(|(ends, n)| (**n, n_known(ends), std::cmp::Reverse((*ends).clone())));
        best.map(|(ends, _)| ends.clone())
    }

    /// The element that the group proposes. Types that it refers to without having been stated must be known.
    pub(super) fn element(&self, is_known: impl Fn(&str) -> bool) -> Element {
        let spoken = self.name.replace('_', " ");
        let phrases = self.phrases.iter().filter(|phrase| **phrase != spoken);
        let (said, said_aliases) = (self.name.clone(), phrases.cloned().collect());
        let mut element = self.stated.clone();
        match &mut element {
            Element::EntityType(kind) => {
                let shown = || self.parent().filter(|parent| is_known(parent));
                kind.parent = kind.parent.take().or_else(shown).filter(|parent| *parent != said);
                (kind.name, kind.aliases) = (said, said_aliases);
            }
            Element::Relation(kind) => {
                kind.domain = self.side(&kind.domain, |ends| ends.0.as_ref());
                kind.range = self.side(&kind.range, |ends| ends.1.as_ref());
                (kind.name, kind.aliases) = (said, said_aliases);
            }
            Element::Attribute(kind) => {
                kind.domain = self.side(&kind.domain, |ends| ends.0.as_ref());
                self.value(kind);
                (kind.name, kind.aliases) = (said, said_aliases);
            }
        }
        element
    }

    /// Gives an attribute the kind that most of its values are of, and only the fields that this kind has.
    fn value(&self, kind: &mut AttributeType) {
        let most = self
            .values
            .iter()
            .max_by_key(|(value, n)| (**n, std::cmp::Reverse(**value)));
        let value = most.map_or(kind.kind, |(value, _)| *value);
        if value != ValueKind::Enum {
            kind.values.clear();
        }
        if value != ValueKind::Quantity {
            kind.unit = None;
        }
        // An enum without words would be no schema.
        kind.kind = if value == ValueKind::Enum && kind.values.is_empty() {
            ValueKind::Text
        } else {
            value
        };
    }

    /// What most of the entities that are said to be of the type are besides.
    fn parent(&self) -> Option<String> {
        let n: u32 = self.ends.values().sum();
        let shown = self.ends.iter().filter(|(_, m)| 2 * **m > n);
        shown.into_iter().find_map(|(ends, _)| ends.0.clone())
    }

    /// The types of one side: those stated, else those that enough of the evidence shows, most frequent first; none,
    /// which admits any, where half of the evidence shows no type.
    fn side(&self, stated: &[String], of: impl Fn(&Ends) -> Option<&String>) -> Vec<String> {
        if !stated.is_empty() {
            return stated.to_vec();
        }
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for (ends, n) in &self.ends {
            if let Some(name) = of(ends) {
                *counts.entry(name).or_default() += n;
            }
        }
        let (n, all): (u32, u32) = (counts.values().sum(), self.ends.values().sum());
        if 2 * n < all {
            // Most of the evidence does not say; what the rest says is too little to shut others out.
            return Vec::new();
        }
        let mut types: Vec<(&str, u32)> = counts
            .into_iter()
            .filter(|(_, m)| *m as f32 >= MIN_SHARE * n as f32)
            .collect();
        types.sort_by_key(|(name, m)| (std::cmp::Reverse(*m), *name));
        types.into_iter().map(|(name, _)| name.to_owned()).collect()
    }
}

fn add(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

fn describe(known: &mut String, other: &str) {
    if known.is_empty() {
        other.clone_into(known);
    }
}

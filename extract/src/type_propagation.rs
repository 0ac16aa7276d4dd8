//! Types that names get from their surroundings: items of one list are of one kind, who is called by the last word of a
//! person's name is a person, and what things mostly are "in" is a place. Typed names of Re-DocRED: F1 .564, without .499
//! (`banyan-eval relations`).

use crate::reading::Reading;
use banyan_engine::{Mention, Span, TypeId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Fewest items of a list without "and" or "or": two names beside a comma are often a place and where it lies. Arbitrary.
const MIN_LISTED: usize = 3;
/// What stands before names of places.
const LOCATIVE: &[&str] = &[" in ", " near "];

/// The types of keys that have none yet. Cost O(mentions · log keys).
///
/// `typed` tells what is known; `person` and `place` are the schema's types of persons and places, if it has them. Of
/// several types the majority decides, then the smaller type id.
pub(crate) fn propagated(
    readings: &[Reading],
    typed: impl Fn(&str) -> Option<TypeId>,
    person: Option<TypeId>,
    place: Option<TypeId>,
) -> BTreeMap<String, TypeId> {
    let mut votes: BTreeMap<&str, BTreeMap<TypeId, usize>> = BTreeMap::new();
    for reading in readings {
        let names = named(reading);
        let mut told: Vec<(&str, TypeId)> = Vec::new();
        for group in groups(reading, &names) {
            let kinds: BTreeSet<TypeId> = group.iter().filter_map(|key| typed(key)).collect();
            if let (Some(kind), 1) = (kinds.first(), kinds.len()) {
                told.extend(group.into_iter().map(|key| (key, *kind)));
            }
        }
        if let Some(person) = person {
            let surnames = surnames(&names, &typed, person);
            let called = names.iter().filter(|(_, key)| surnames.contains(key));
            told.extend(called.map(|(_, key)| (*key, person)));
        }
        for (key, kind) in told.into_iter().filter(|(key, _)| typed(key).is_none()) {
            *votes.entry(key).or_default().entry(kind).or_default() += 1;
        }
    }
    if let Some(place) = place {
        let is_open = |key: &&str| !votes.contains_key(key) && typed(key).is_none();
        let located: Vec<&str> = places(readings).filter(is_open).collect();
        votes.extend(located.into_iter().map(|key| (key, BTreeMap::from([(place, 1)]))));
    }
    let best = |kinds: BTreeMap<TypeId, usize>| {
        let best = kinds.into_iter().max_by_key(|(kind, n)| (*n, Reverse(*kind)));
        best.map(|(kind, _)| kind)
    };
    let decided = votes.into_iter();
    decided
        .filter_map(|(key, kinds)| Some((key.to_owned(), best(kinds)?)))
        .collect()
}

/// The last words of the persons that a text names in full.
fn surnames<'a>(
    names: &[(Span, &'a str)],
    typed: &impl Fn(&str) -> Option<TypeId>,
    person: TypeId,
) -> BTreeSet<&'a str> {
    let persons = names.iter().filter(|(_, key)| typed(key) == Some(person));
    persons.filter_map(|(_, key)| Some(key.rsplit_once(' ')?.1)).collect()
}

/// The names in a text, in order and without overlap: where each stands, and what it denotes.
fn named<'a>(reading: &'a Reading) -> Vec<(Span, &'a str)> {
    let mut names: Vec<(Span, &str)> = Vec::new();
    for Mention { span, entity, .. } in reading.mentions.iter().filter(|mention| mention.span.end > 0) {
        if names.last().is_none_or(|(last, _)| last.end <= span.start) {
            names.push((*span, entity));
        }
    }
    names
}

/// The names that stand right after "in" or "near" in at least half of their places.
fn places<'a>(readings: &'a [Reading]) -> impl Iterator<Item = &'a str> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for reading in readings {
        let text = reading.parsed.text();
        for (span, key) in named(reading) {
            let before = text.get(..span.start as usize).unwrap_or("");
            let slot = counts.entry(key).or_default();
            slot.0 += 1;
            slot.1 += usize::from(LOCATIVE.iter().any(|word| before.ends_with(word)));
        }
    }
    let located = counts.into_iter().filter(|(_, (all, located))| 2 * located >= *all);
    located.map(|(key, _)| key)
}

/// The lists of names in a text.
fn groups<'a>(reading: &Reading, names: &[(Span, &'a str)]) -> Vec<Vec<&'a str>> {
    let text = reading.parsed.text();
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let (mut open, mut is_joined): (Vec<&str>, bool) = (Vec::new(), false);
    for (position, (span, key)) in names.iter().copied().enumerate() {
        let before = position.checked_sub(1).map(|before| names[before].0.end);
        let gap = before
            .and_then(|end| text.get(end as usize..span.start as usize))
            .map(str::trim);
        match gap {
            Some(",") => open.push(key),
            Some("and" | "or" | ", and" | ", or" | "&" | "、" | "和" | "与" | "及") => {
                open.push(key);
                is_joined = true;
            }
            _ => {
                close(&mut open, is_joined, &mut groups);
                (open, is_joined) = (vec![key], false);
            }
        }
    }
    close(&mut open, is_joined, &mut groups);
    groups
}

fn close<'a>(open: &mut Vec<&'a str>, is_joined: bool, groups: &mut Vec<Vec<&'a str>>) {
    let group = std::mem::take(open);
    if group.len() >= MIN_LISTED || (is_joined && group.len() > 1) {
        groups.push(group);
    }
}

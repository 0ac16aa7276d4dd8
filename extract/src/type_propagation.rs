//! Types that names get from their surroundings: items of one list are of one kind, a short form is of the kind of its
//! long form, who shares a given name with persons or is called by the last word of a person's name is a person, and what
//! things mostly are "in" is a place.

use crate::reading::Reading;
use banyan_engine::{Mention, Span, TypeId};
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
    let mut votes = Votes {
        typed: &typed,
        by_key: BTreeMap::new(),
    };
    let given = given_names(readings, &typed, person);
    for reading in readings {
        let names = named(reading);
        for group in groups(reading, &names) {
            let kinds: BTreeSet<TypeId> = group.iter().filter_map(|key| typed(key)).collect();
            let kind = kinds.first().filter(|_| kinds.len() == 1);
            for key in group {
                votes.add(key, kind.copied());
            }
        }
        for (long, short) in short_forms(reading, &names) {
            votes.add(short, typed(long));
        }
        let surnames = surnames(&names, &typed, person);
        for (span, key) in &names {
            let first = given_name(span.of(reading.parsed.text()));
            let is_person = first.is_some_and(|first| given.contains(first)) || surnames.contains(key);
            votes.add(key, person.filter(|_| is_person));
        }
    }
    for key in places(readings)
        .filter(|key| !votes.by_key.contains_key(key))
        .collect::<Vec<_>>()
    {
        votes.add(key, place);
    }
    votes.decide()
}

/// Votes on the types of keys without one.
struct Votes<'a, Typed> {
    typed: &'a Typed,
    by_key: BTreeMap<&'a str, BTreeMap<TypeId, usize>>,
}

impl<'a, Typed: Fn(&str) -> Option<TypeId>> Votes<'a, Typed> {
    fn add(&mut self, key: &'a str, kind: Option<TypeId>) {
        if let (Some(kind), None) = (kind, (self.typed)(key)) {
            *self.by_key.entry(key).or_default().entry(kind).or_default() += 1;
        }
    }

    fn decide(self) -> BTreeMap<String, TypeId> {
        let best = |kinds: BTreeMap<TypeId, usize>| {
            let kinds = kinds.into_iter();
            kinds
                .max_by_key(|(kind, n)| (*n, std::cmp::Reverse(*kind)))
                .map(|(kind, _)| kind)
        };
        let decided = self.by_key.into_iter();
        decided
            .filter_map(|(key, kinds)| Some((key.to_owned(), best(kinds)?)))
            .collect()
    }
}

/// The last words of the persons that a text names in full.
fn surnames<'a>(
    names: &[(Span, &'a str)],
    typed: &impl Fn(&str) -> Option<TypeId>,
    person: Option<TypeId>,
) -> BTreeSet<&'a str> {
    let persons = names.iter().filter(|(_, key)| person.is_some() && typed(key) == person);
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

/// Names in capitals right after a longer one in parentheses, whose letters begin words of it: "Island Labour Union (ILU)".
fn short_forms<'a>(reading: &Reading, names: &[(Span, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let text = reading.parsed.text();
    let pairs = names.windows(2).filter(|pair| {
        let (long, short) = (pair[0].0, pair[1].0);
        let gap = text.get(long.end as usize..short.start as usize).unwrap_or("");
        let letters = short.of(text);
        let is_short = letters.chars().filter(|ch| ch.is_uppercase()).count() > 1 && !letters.contains(' ');
        gap.trim() == "(" && is_short && begins_words(letters, long.of(text))
    });
    pairs.map(|pair| (pair[0].1, pair[1].1)).collect()
}

/// Whether the capitals of `letters` begin words of `long`, in order, the first of them the first.
fn begins_words(letters: &str, long: &str) -> bool {
    let mut initials = long
        .split(|ch: char| !ch.is_alphanumeric())
        .filter_map(|word| word.chars().next());
    let mut wanted = letters.chars().filter(|ch| ch.is_uppercase());
    let is_first = wanted.next() == initials.next().and_then(|ch| ch.to_uppercase().next());
    is_first && wanted.all(|letter| initials.any(|initial| initial.to_uppercase().next() == Some(letter)))
}

/// The first words of names that denote persons, where no other kind of name begins so.
fn given_names<'a>(
    readings: &'a [Reading],
    typed: &impl Fn(&str) -> Option<TypeId>,
    person: Option<TypeId>,
) -> BTreeSet<&'a str> {
    let (mut given, mut other) = (BTreeSet::new(), BTreeSet::new());
    for reading in readings {
        for (span, key) in named(reading) {
            let Some(first) = given_name(span.of(reading.parsed.text())) else {
                continue;
            };
            match typed(key) {
                None => false,
                kind if kind == person => given.insert(first),
                Some(_) => other.insert(first),
            };
        }
    }
    given.difference(&other).copied().collect()
}

/// The first word of a name of two to four capitalised words: what a person's name begins with.
fn given_name(name: &str) -> Option<&str> {
    let words: Vec<&str> = name.split(' ').collect();
    let is_personal = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|ch| ch.is_alphabetic() || matches!(ch, '.' | '-' | '\''))
    };
    let fits = (2..=4).contains(&words.len()) && words.iter().all(is_personal) && words[0].chars().count() > 2;
    fits.then(|| words[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_of_a_short_form_begin_the_words_of_the_long_one() {
        assert!(begins_words("ILU", "Island Labour Union"));
        assert!(begins_words("UoW", "University of Wrenna"));
        assert!(!begins_words("LU", "Island Labour Union") && !begins_words("ILX", "Island Labour Union"));
        assert_eq!(
            (given_name("Mara Voss"), given_name("Voss"), given_name("Bay of Tidd")),
            (Some("Mara"), None, None)
        );
    }
}

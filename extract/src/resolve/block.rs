//! Pairs worth judging: keys that share something rare. Never all pairs.

use super::form::{Name, compact};
use super::likeness::{acronyms, surname};
use super::profile::{Profile, Profiles};
use super::statement::Statements;
use crate::word_list::List;
use std::collections::{BTreeSet, HashMap};

/// Fewest letters of a last name that may stand for a person. Arbitrary: shorter ones are syllables.
const MIN_LAST_NAME: usize = 3;
/// Most keys of a block in which pairs are formed; a larger block is evidence of nothing.
const MAX_BLOCK: usize = 64;

/// Pairs of positions, the smaller one first.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Names that may resemble each other, or that a text equates.
    pub(crate) alike: BTreeSet<(usize, usize)>,
    /// A word and the only name of several words that ends with it: `(word, name)`.
    pub(crate) contained: BTreeSet<(usize, usize)>,
}

/// What a block is made by; equal keys make a pair.
type Keyed = (String, usize);

/// All pairs worth judging. Cost O(n log n) in the number of keys, plus the pairs of blocks, whose
/// size is bounded.
pub(crate) fn pairs(profiles: &Profiles, statements: &Statements) -> Pairs {
    let mut pairs = Pairs::default();
    for (x, y) in statements.stated.keys() {
        pairs.alike.insert((*x.min(y), *x.max(y)));
    }
    let alike = &mut pairs.alike;
    // The names proper as one word each: without titles, legal forms, spaces.
    let forms = keyed(profiles, |name| Some(compact(name.bare())));
    pair_equal(forms, |_, _| true, alike);
    let has_initials: Vec<bool> = profiles.iter().map(|(_, profile)| has_initials(profile)).collect();
    let surnames = keyed(profiles, |name| {
        surname(name).map(|(last, first)| format!("{first} {last}"))
    });
    pair_equal(surnames, |a, b| has_initials[a] || has_initials[b], alike);
    let are_persons = |a: usize, b: usize| profiles[a].kind == profiles[b].kind && profiles[a].kind.is_some();
    pair_equal(keyed(profiles, ends), are_persons, alike);
    pair_acronyms(profiles, &mut pairs.alike);
    pair_last_names(profiles, &mut pairs.contained);
    pairs
}

/// Pairs the keys that have an equal block; blocks that are too large are left out.
fn pair_equal(mut keyed: Vec<Keyed>, is_wanted: impl Fn(usize, usize) -> bool, pairs: &mut BTreeSet<(usize, usize)>) {
    keyed.sort_unstable();
    keyed.dedup();
    for block in keyed
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|block| block.len() <= MAX_BLOCK)
    {
        for (at, (_, a)) in block.iter().enumerate() {
            for (_, b) in &block[at + 1..] {
                if a != b && is_wanted(*a, *b) {
                    pairs.insert((*a.min(b), *a.max(b)));
                }
            }
        }
    }
}

/// What each name gives to be blocked by.
fn keyed(profiles: &Profiles, form: impl Fn(&Name) -> Option<String>) -> Vec<Keyed> {
    let of = |(at, profile): (usize, &Profile)| -> Vec<Keyed> {
        let forms = profile.names.iter().filter_map(&form);
        forms.map(|form| (form, at)).collect()
    };
    profiles.iter().flat_map(of).collect()
}

/// The first and last words of a name of several.
fn ends(name: &Name) -> Option<String> {
    match name.bare() {
        [first, .., last] => Some(format!("{} {}", first.text, last.text)),
        _ => None,
    }
}

fn has_initials(profile: &Profile) -> bool {
    use super::form::Kind;
    let mut words = profile.names.iter().flat_map(|name| &name.words);
    words.any(|word| word.kind == Kind::Initials)
}

/// Pairs acronyms with what they may stand for.
fn pair_acronyms(profiles: &Profiles, pairs: &mut BTreeSet<(usize, usize)>) {
    let mut wanted: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, profile) in profiles.iter() {
        for name in profile.names.iter().filter(|name| name.is_acronym) {
            let list = wanted.entry(&name.words[0].text).or_default();
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
    }
    let mut found: Vec<Keyed> = Vec::new();
    for (at, profile) in profiles.iter() {
        let letters = profile.names.iter().flat_map(acronyms);
        found.extend(
            letters
                .filter(|letters| wanted.contains_key(letters.as_str()))
                .map(|letters| (letters, at)),
        );
    }
    found.sort_unstable();
    found.dedup();
    for block in found
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|block| block.len() <= MAX_BLOCK)
    {
        for short in wanted.get(block[0].0.as_str()).into_iter().flatten() {
            let others = block.iter().map(|(_, long)| *long).filter(|long| long != short);
            pairs.extend(others.map(|long| (*short.min(&long), *short.max(&long))));
        }
    }
}

/// Pairs a word with the only key of several words that contains it, where it is the last one.
fn pair_last_names(profiles: &Profiles, pairs: &mut BTreeSet<(usize, usize)>) {
    // How many keys of several words contain a word, and the last one that does.
    let mut carriers: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, profile) in profiles.iter() {
        for word in proper(profile).split(' ').filter(|word| *word != profile.key) {
            let slot = carriers.entry(word).or_insert((0, at));
            if slot.0 == 0 || slot.1 != at {
                *slot = (slot.0 + 1, at);
            }
        }
    }
    for (at, profile) in profiles.iter().filter(|(_, profile)| !profile.key.contains(' ')) {
        let is_name = profile.spelling.starts_with(char::is_uppercase)
            && profile.spelling.contains(char::is_lowercase)
            && profile.key.chars().count() >= MIN_LAST_NAME;
        let Some((1, full)) = carriers.get(profile.key).filter(|_| is_name) else {
            continue;
        };
        let words: Vec<&str> = proper(&profiles[*full]).split(' ').collect();
        let is_plain = words.iter().all(|word| !List::Small.has(word));
        if words.last() == Some(&profile.key) && is_plain {
            pairs.insert((at, *full));
        }
    }
}

/// The key of a name without its disambiguator.
fn proper<'a>(profile: &'a Profile<'a>) -> &'a str {
    profile.bare_titles.first().map_or(profile.key, String::as_str)
}

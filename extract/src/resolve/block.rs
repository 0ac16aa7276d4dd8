//! Pairs worth judging: keys that share something rare. Never all pairs.

use super::form::{Name, compact};
use super::likeness::{acronyms, surname};
use super::profile::{Profile, Profiles};
use super::statement::Statements;
use crate::word_list::List;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Fewest letters of a last name that may stand for a person. Arbitrary: shorter ones are syllables.
const MIN_LAST_NAME: usize = 3;
/// Most keys of a block in which pairs are formed; a larger block is evidence of nothing.
const MAX_BLOCK: usize = 64;

/// Pairs of positions, the smaller one first.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Names that may resemble each other, or that a text equates.
    pub(crate) alike: BTreeSet<(usize, usize)>,
    /// A word and a name of several words that begins or ends with it, `(word, name)`, with the uses of that name, whatever
    /// titles stand before it.
    pub(crate) contained: BTreeMap<(usize, usize), usize>,
    /// How often names carry each word that is a name by itself.
    pub(crate) carried: BTreeMap<usize, Carried>,
}

/// Uses of the names of several words that hold a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    pub(crate) n: usize,
    /// Of those in which more than titles stands beside it.
    pub(crate) n_full: usize,
    /// Whether some are those of women called after somebody, so that others of the name may be of the family.
    pub(crate) is_family: bool,
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
    pair_short_names(profiles, &mut pairs);
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

/// Pairs a word with the keys of several words that it may be short for: those that end with it and, where it is a
/// person's name, those that begin with it.
fn pair_short_names(profiles: &Profiles, pairs: &mut Pairs) {
    let mut carriers: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    // "old Orde" describes Orde and is no other one.
    for (at, profile) in profiles
        .iter()
        .filter(|(_, profile)| !profile.spelling.starts_with(char::is_lowercase))
    {
        for word in proper(profile).split(' ').filter(|word| *word != profile.key) {
            carriers.entry(word).or_default().insert(at);
        }
    }
    for (at, profile) in profiles.iter().filter(|(_, profile)| !profile.key.contains(' ')) {
        let is_name = profile.spelling.starts_with(char::is_uppercase)
            && profile.spelling.contains(char::is_lowercase)
            && profile.key.chars().count() >= MIN_LAST_NAME;
        let Some(list) = carriers
            .get(profile.key)
            .filter(|list| is_name && list.len() <= MAX_BLOCK)
        else {
            continue;
        };
        let mut carried = Carried::default();
        let mut used: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        for full in list {
            *used.entry(bare(&profiles[*full])).or_default() += profiles[*full].n_mentions;
        }
        for full in list {
            let words: Vec<&str> = bare(&profiles[*full]);
            carried.n += profiles[*full].n_mentions;
            carried.is_family |= is_hers(&profiles[*full]);
            carried.n_full += if words.len() > 1 { profiles[*full].n_mentions } else { 0 };
            let is_plain =
                words.len() > 1 && !is_hers(&profiles[*full]) && words.iter().all(|word| !List::Small.has(word));
            let is_last = words.last() == Some(&profile.key);
            let is_first = words.first() == Some(&profile.key) && profile.kind.is_some();
            if is_plain && (is_last || is_first) {
                let n = used.get(&words).copied().unwrap_or_default();
                pairs.contained.insert((at, *full), n);
            }
        }
        pairs.carried.insert(at, carried);
    }
}

/// Whether a name may be that of a woman who is called after somebody else: "Mrs. Jan Orde".
pub(super) fn is_hers(profile: &Profile) -> bool {
    List::WomensTitles.has(proper(profile).split(' ').next().unwrap_or_default())
}

/// The words of a key without its disambiguator and without titles before the name.
fn bare<'a>(profile: &'a Profile<'a>) -> Vec<&'a str> {
    let words: Vec<&str> = proper(profile).split(' ').collect();
    let n_titles = profile.names.iter().map(|name| name.titles().len()).max();
    words[n_titles.unwrap_or(0).min(words.len() - 1)..].to_vec()
}

/// The key of a name without its disambiguator.
fn proper<'a>(profile: &'a Profile<'a>) -> &'a str {
    profile.bare_titles.first().map_or(profile.key, String::as_str)
}

//! What everybody knows: well-known places, peoples with their countries, common given names.

use crate::word_list::{lines, sections};
use banyan_engine::name;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static PLACES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let places = sections(include_str!("../../data/lexicon/places.txt"));
    let named = places.flat_map(|(noun, line)| line.split(';').map(move |place| (name::key(place), noun)));
    named.filter(|(key, _)| !key.is_empty()).collect()
});
static GIVEN_NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/lexicon/given_names.txt"));
    names.flat_map(str::split_whitespace).collect()
});
/// Adjectives of origin, in lower case, to countries: entries `Adjective=Country`, separated by semicolons.
static PEOPLES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let entries = lines(include_str!("../../data/lexicon/peoples.txt")).flat_map(|line| line.split(';'));
    let pairs = entries.filter_map(|entry| entry.trim().split_once('='));
    pairs
        .map(|(adjective, country)| (adjective.to_lowercase(), country))
        .collect()
});

/// The common noun that says what a well-known place is ("country" for "Norway"), by its name in any spelling.
pub fn place(name: &str) -> Option<&'static str> {
    PLACES.get(&name::key(name)).copied()
}

/// The country of an adjective of origin: Norway for "Norwegian".
pub fn country_of(adjective: &str) -> Option<&'static str> {
    PEOPLES.get(&adjective.to_lowercase()).copied()
}

/// Whether a word is a common given name.
pub(crate) fn is_given_name(word: &str) -> bool {
    GIVEN_NAMES.contains(word)
}

//! What everybody knows: well-known places, peoples with their countries and languages, common given names.

use crate::word_list::{lines, sections};
use banyan_engine::name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static PLACES: LazyLock<BTreeMap<String, &'static str>> = LazyLock::new(|| {
    let places = sections(include_str!("../../data/lexicon/places.txt"));
    let named = places.flat_map(|(noun, line)| line.split(';').map(move |place| (name::key(place), noun)));
    named.filter(|(key, _)| !key.is_empty()).collect()
});
static GIVEN_NAMES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/lexicon/given_names.txt"));
    names.flat_map(str::split_whitespace).collect()
});
static PEOPLES: LazyLock<Peoples> = LazyLock::new(Peoples::read);

/// Adjectives of origin and languages.
#[derive(Default)]
struct Peoples {
    /// Adjectives in lower case to countries.
    countries: BTreeMap<String, &'static str>,
    /// In lower case.
    languages: BTreeSet<String>,
}

impl Peoples {
    /// Reads entries of the form `Adjective=Country`, `Language*` and `Adjective*=Country`, separated by semicolons.
    fn read() -> Self {
        let mut peoples = Self::default();
        let entries = lines(include_str!("../../data/lexicon/peoples.txt")).flat_map(|line| line.split(';'));
        for entry in entries.map(str::trim).filter(|entry| !entry.is_empty()) {
            let (adjective, country) = entry.split_once('=').unwrap_or((entry, ""));
            let bare = adjective.trim_end_matches('*').to_lowercase();
            if adjective.ends_with('*') {
                peoples.languages.insert(bare.clone());
            }
            if !country.is_empty() {
                peoples.countries.insert(bare, country);
            }
        }
        peoples
    }
}

/// The common noun that says what a well-known place is ("country" for "Norway"), by its name in any spelling.
pub fn place(name: &str) -> Option<&'static str> {
    PLACES.get(&name::key(name)).copied()
}

/// The country of an adjective of origin: Norway for "Norwegian".
pub fn country_of(adjective: &str) -> Option<&'static str> {
    PEOPLES.countries.get(&adjective.to_lowercase()).copied()
}

/// Whether a word in lower case names a language.
pub(crate) fn is_language(lower: &str) -> bool {
    PEOPLES.languages.contains(lower)
}

/// Whether a word is a common given name.
pub(crate) fn is_given_name(word: &str) -> bool {
    GIVEN_NAMES.contains(word)
}

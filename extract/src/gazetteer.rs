//! What everybody knows: well-known places and common given names.

use crate::statement::lexicon::LEXICON;
use banyan_engine::name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static PLACES: LazyLock<BTreeMap<String, &'static str>> =
    LazyLock::new(|| places(include_str!("../../data/gazetteer/places.txt")));
static GIVEN_NAMES: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| lines(include_str!("../../data/gazetteer/given_names.txt")).collect());

/// The common noun that says what a well-known place is ("country" for "Norway"), by its name in any spelling.
pub fn place(name: &str) -> Option<&'static str> {
    PLACES.get(&name::key(name)).copied()
}

/// The country of an adjective of origin: Norway for "Norwegian".
pub fn country_of(adjective: &str) -> Option<&'static str> {
    LEXICON.country_of(&adjective.to_lowercase())
}

/// Whether a word is a common given name.
pub(crate) fn is_given_name(word: &str) -> bool {
    GIVEN_NAMES.contains(word)
}

/// Names by key, each with the noun in brackets above it.
fn places(text: &'static str) -> BTreeMap<String, &'static str> {
    let mut noun = "";
    let mut places = BTreeMap::new();
    for line in lines(text) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(inner) => noun = inner,
            None => _ = places.insert(name::key(line), noun),
        }
    }
    places
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_given_names_are_known() {
        assert_eq!(place("the United States"), Some("country"));
        assert_eq!(
            (place("Nova Scotia"), place("Zürich")),
            (Some("province"), Some("city"))
        );
        assert_eq!(place("Skelva"), None);
        assert_eq!(
            (country_of("Dutch"), country_of("Skelvan")),
            (Some("Netherlands"), None)
        );
        assert!(is_given_name("Peter") && !is_given_name("Tidd"));
    }
}

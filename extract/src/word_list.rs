//! The closed word lists of the English rules: a text file in `data/lexicon`.

use serde::Deserialize;
use serde::de::value::{self, BorrowedStrDeserializer};
use std::collections::HashMap;
use std::sync::LazyLock;

/// One list. Words are compared exactly; those of the calendar are capitalised, all others are in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum List {
    Calendar,
    Honorifics,
    Addresses,
    WomensTitles,
    Ranks,
    LegalForms,
    Spellings,
    Small,
    Generations,
    EventNouns,
    DefinitionEnds,
    AliasAdverbs,
    EmptyHeads,
    EmptyMeasures,
    Idle,
    IrregularPasts,
    EmptyVerbs,
    /// Adjectives that say how many or which, and not what something is.
    Counting,
    /// Adjectives that point to what the text has in mind, which nobody finds by the words.
    Pointing,
}

type Words = HashMap<&'static str, &'static str>;

static LISTS: LazyLock<HashMap<List, Words>> = LazyLock::new(|| {
    let text = include_str!("../../data/lexicon/english.txt");
    let mut lists: HashMap<List, Words> = HashMap::new();
    for (name, line) in sections(text) {
        let pair = |entry: &'static str| entry.split_once('=').unwrap_or((entry, entry));
        if let Ok(list) = List::deserialize(BorrowedStrDeserializer::<value::Error>::new(name)) {
            let words = lists.entry(list).or_default();
            words.extend(line.split_whitespace().map(pair));
        }
    }
    lists
});

impl List {
    pub(crate) fn has(self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// What the list gives for a word: the word itself where it names nothing else.
    pub(crate) fn get(self, word: &str) -> Option<&'static str> {
        LISTS.get(&self)?.get(word).copied()
    }
}

/// The lines of a lexicon file, each with the name in brackets above it; comments are left out.
pub(crate) fn sections(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut name = "";
    lines(text).filter_map(
        move |line| match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(inner) => {
                name = inner;
                None
            }
            None => Some((name, line)),
        },
    )
}

/// The lines of a lexicon file without comments.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_section_of_the_file_is_a_list_with_words() {
        let names: BTreeSet<&str> = sections(include_str!("../../data/lexicon/english.txt"))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(LISTS.len(), names.len(), "{names:?}");
        assert_eq!(names.len(), List::Pointing as usize + 1);
        assert!(List::EmptyVerbs.has("dubbed"));
        assert_eq!(List::Spellings.get("harbor"), Some("harbour"));
    }
}

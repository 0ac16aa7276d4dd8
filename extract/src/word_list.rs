//! The closed word lists of the English rules: a text file in `data/lexicon`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One list. Words are compared exactly; those of the calendar are capitalised, all others are in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The sections of the file, in the order of [`List`].
const SECTIONS: [&str; 19] = [
    "calendar",
    "honorifics",
    "addresses",
    "womens-titles",
    "ranks",
    "legal-forms",
    "spellings",
    "small",
    "generations",
    "event-nouns",
    "definition-ends",
    "alias-adverbs",
    "empty-heads",
    "empty-measures",
    "idle",
    "irregular-pasts",
    "empty-verbs",
    "counting",
    "pointing",
];

type Words = HashMap<&'static str, &'static str>;

static LISTS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let text = include_str!("../../data/lexicon/english.txt");
    let mut by_name: HashMap<&str, Words> = HashMap::new();
    for (name, line) in sections(text) {
        let pair = |entry: &'static str| entry.split_once('=').unwrap_or((entry, entry));
        by_name
            .entry(name)
            .or_default()
            .extend(line.split_whitespace().map(pair));
    }
    SECTIONS
        .iter()
        .map(|name| by_name.remove(name).unwrap_or_default())
        .collect()
});

impl List {
    pub(crate) fn has(self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// What the list gives for a word: the word itself where it names nothing else.
    pub(crate) fn get(self, word: &str) -> Option<&'static str> {
        LISTS[self as usize].get(word).copied()
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

    #[test]
    fn every_list_has_its_section() {
        for (list, name) in LISTS.iter().zip(SECTIONS) {
            assert!(!list.is_empty(), "{name}");
        }
        assert_eq!(SECTIONS[List::EmptyVerbs as usize], "empty-verbs");
        assert_eq!(List::Spellings.get("harbor"), Some("harbour"));
    }
}

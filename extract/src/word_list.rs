//! The closed word lists of the rules, English and Chinese: text files in `data/lexicon`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One list. Words are compared exactly; those of the calendar are capitalised, all others are in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Calendar,
    Honorifics,
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
    SentenceOpeners,
    NameEndings,
    NoNames,
    Counted,
    AliasMarks,
}

/// The sections of both files, in the order of [`List`].
const SECTIONS: [&str; 20] = [
    "calendar",
    "honorifics",
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
    "sentence-openers",
    "name-endings",
    "no-names",
    "counted",
    "alias-marks",
];

type Words = HashMap<&'static str, &'static str>;

static LISTS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let text = [
        include_str!("../../data/lexicon/english.txt"),
        include_str!("../../data/lexicon/chinese.txt"),
    ];
    let mut by_name: HashMap<&str, Words> = HashMap::new();
    for (name, line) in text.into_iter().flat_map(sections) {
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

    /// The longest word of the list that a text begins with.
    pub(crate) fn longest_prefix(self, text: &str) -> Option<&'static str> {
        let words = LISTS[self as usize].keys().copied();
        words
            .filter(|word| text.starts_with(word))
            .max_by_key(|word| word.len())
    }

    /// Where each word of the list ends in a text; in order, each place once.
    pub(crate) fn ends_in(self, text: &str) -> Vec<usize> {
        let words = LISTS[self as usize].keys();
        let found = words.flat_map(|word| text.match_indices(word).map(|(at, word)| at + word.len()));
        let mut ends: Vec<usize> = found.collect();
        ends.sort_unstable();
        ends.dedup();
        ends
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
        assert_eq!(SECTIONS[List::AliasMarks as usize], "alias-marks");
        assert_eq!(List::Spellings.get("harbor"), Some("harbour"));
        assert_eq!(List::Counted.longest_prefix("平方公里的"), Some("平方公里"));
        assert_eq!(List::AliasMarks.ends_in("又简称为云大"), [9, 12]);
    }
}

//! General English for the reader: families of words, and nouns by the kind of thing they denote. The tables are text
//! files in `data/lexicon`.

use crate::stem::stem;
use crate::word_list::lines;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The tables, read once.
pub(crate) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// Kinds of things, coarser than any schema's types, by their names.
pub(crate) const KINDS: [&str; 11] = [
    "person",
    "place",
    "organisation",
    "work",
    "event",
    "award",
    "date",
    "number",
    "class",
    "language",
    "text",
];

/// A set of kinds, each as its position in [`KINDS`].
pub(crate) type Kinds = BTreeSet<usize>;

static NONE: Kinds = Kinds::new();

/// The position of a kind.
pub(crate) fn kind(name: &str) -> usize {
    KINDS.iter().position(|kind| *kind == name).unwrap_or(KINDS.len())
}

/// The name of the first kind of a set; `any` for none.
pub(crate) fn first_of(kinds: &Kinds) -> &'static str {
    kinds
        .first()
        .and_then(|kind| KINDS.get(*kind))
        .copied()
        .unwrap_or("any")
}

/// Endings that remain after stemming, each with the shortest rest it may leave.
const ENDINGS: &[(&str, usize)] = &[("er", 4), ("or", 4), ("at", 5), ("it", 5)];

/// The root under which the reader compares words: `founder`, `founded` and `foundation` share `found`.
pub(crate) fn root(word: &str) -> String {
    let mut root = stem(word);
    let cut = ENDINGS
        .iter()
        .find(|(end, rest)| root.len() >= end.len() + rest && root.ends_with(end))
        .map_or(0, |(end, _)| end.len());
    root.truncate(root.len() - cut);
    root
}

#[derive(Debug)]
pub(crate) struct Lexicon {
    /// Roots of each family.
    families: Vec<BTreeSet<String>>,
    kinds: BTreeMap<String, Kinds>,
}

impl Lexicon {
    fn read() -> Self {
        let families = lines(include_str!("../../../data/lexicon/families.txt"));
        let mut kinds: BTreeMap<String, Kinds> = BTreeMap::new();
        let rows = lines(include_str!("../../../data/lexicon/kinds.txt"));
        for (name, nouns) in rows.filter_map(|line| line.split_once(':')) {
            for noun in nouns.split_whitespace() {
                kinds.entry(root(noun)).or_default().insert(kind(name));
            }
        }
        Self {
            families: families
                .map(|line| line.split_whitespace().map(root).collect())
                .collect(),
            kinds,
        }
    }

    /// The roots that share a family with `root`, itself apart. Cost O(families).
    pub(crate) fn kin<'a>(&'a self, root: &'a str) -> impl Iterator<Item = &'a String> {
        let of = self.families.iter().filter(move |family| family.contains(root));
        of.flatten().filter(move |other| *other != root)
    }

    /// The kinds of things that a common noun, given by its root, denotes.
    pub(crate) fn kinds_of(&self, root: &str) -> &Kinds {
        self.kinds.get(root).unwrap_or(&NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read_whole() {
        assert!(LEXICON.kin(&root("author")).any(|other| *other == root("written")));
        assert!(LEXICON.kinds_of(&root("singers")).contains(&kind("person")));
        let known = LEXICON.kinds.values().flatten().all(|kind| *kind < KINDS.len());
        assert!(known, "a line of another kind");
    }

    #[test]
    fn derivations_share_their_root() {
        for group in [
            ["founder", "founded", "foundation"],
            ["director", "directed", "direction"],
            ["composer", "composed", "composition"],
            ["leader", "leads", "leading"],
        ] {
            let roots: Vec<_> = group.iter().map(|word| root(word)).collect();
            assert!(roots.iter().all(|other| *other == roots[0]), "{roots:?}");
        }
        assert_eq!(root("river"), "river");
    }
}

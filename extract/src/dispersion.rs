//! How common a word is in general English: in how many corpora of different kinds it is used. What a statement is about
//! is seldom made of words that any text uses ("option", "way", "field").

use crate::stem::stem;
use banyan_engine::index::term;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::LazyLock;

/// Least uses in a million words that count. Arbitrary: rarer ones are often names.
const MIN_USES: usize = 5;
/// Fewest corpora that the table has: what fewer use is their own. Arbitrary.
const MIN_CORPORA: usize = 3;

static CORPORA: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let text = include_str!("../../data/reader/dispersion.txt");
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    let counted = lines.filter_map(|(n, stems)| Some((n.parse().ok()?, stems)));
    let each = counted.flat_map(|(n, stems)| stems.split(' ').map(move |stem| (stem, n)));
    each.collect()
});

/// In how many corpora the rarest word of a phrase is used; 0 for what hardly one uses. Cost O(length).
pub(crate) fn dispersion(phrase: &str) -> u8 {
    let known = |word: &str| CORPORA.get(stem(word).as_str()).copied().unwrap_or(0);
    let least = letters(phrase).map(known).min();
    least.unwrap_or(0)
}

/// The table of some corpora, each as its texts: a line for each number of corpora, with the stems that so many use. Cost
/// O(total length).
pub fn table<'a>(corpora: impl Iterator<Item = Vec<&'a str>>) -> String {
    let mut used: HashMap<String, usize> = HashMap::new();
    for texts in corpora {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut n_words = 0;
        for word in texts.into_iter().flat_map(letters) {
            n_words += 1;
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
        let often = counts.into_iter().filter(|(_, n)| n * 1_000_000 >= MIN_USES * n_words);
        let stems: BTreeSet<String> = often.map(|(word, _)| stem(&word)).collect();
        for stem in stems {
            *used.entry(stem).or_default() += 1;
        }
    }
    let mut by_count: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let is_kept = |stem: &String, n: usize| n >= MIN_CORPORA && !term::is_stop_word(stem);
    for (stem, n) in used.into_iter().filter(|(stem, n)| is_kept(stem, *n)) {
        by_count.entry(n).or_default().push(stem);
    }
    let mut table = String::new();
    for (n, mut stems) in by_count.into_iter().rev() {
        stems.sort_unstable();
        _ = writeln!(table, "{n}: {}", stems.join(" "));
    }
    table
}

/// Runs of ASCII letters.
fn letters(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|ch: char| !ch.is_ascii_alphabetic());
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_word_says_how_common_a_phrase_is() {
        assert!(dispersion("option") > dispersion("brewing option"));
        assert!(dispersion("way") > dispersion("brewhouse"));
        assert_eq!(dispersion("Skelva way"), 0);
    }

    #[test]
    fn a_table_counts_the_corpora_that_use_a_word() {
        let corpora = [
            vec!["ships sail", "a lamp"],
            vec!["The ship."],
            vec!["one ship, two lamps"],
        ];
        assert_eq!(table(corpora.into_iter()), "3: ship\n");
    }
}

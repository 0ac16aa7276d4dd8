//! Other words for words of a text.

use super::tag;
use banyan_engine::index::term::is_ideograph;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Word → what a paraphrase says for it, ours: general words of stories and encyclopaedias.
static PAIRS: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("synonyms.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
});
/// Longest word that is looked up in Chinese, in characters.
const MAX_HAN: usize = 4;

/// What a paraphrase says for a word, if there is something.
pub(super) fn of(word: &str) -> Option<&'static str> {
    PAIRS.get(word.to_lowercase().as_str()).copied()
}

/// A text with other words for those that have some; tags stay. In Chinese the longest word goes first. Cost O(length).
pub(super) fn paraphrase(text: &str) -> String {
    let mut new = String::new();
    let mut at = 0;
    for tag in tag::find(text) {
        reword(&text[at..tag.start], &mut new);
        new.push_str(&text[tag.clone()]);
        at = tag.end;
    }
    reword(&text[at..], &mut new);
    new
}

fn reword(text: &str, new: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_ideograph(first) {
            han(rest)
        } else {
            rest.find(|ch: char| ch.is_alphabetic() != first.is_alphabetic())
                .unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(end);
        new.push_str(of(word).unwrap_or(word));
        rest = after;
    }
}

/// The length of the longest word with a synonym that a text begins with, else of one character.
fn han(text: &str) -> usize {
    let ends = text.char_indices().map(|(at, ch)| at + ch.len_utf8()).take(MAX_HAN);
    let ends: Vec<usize> = ends.collect();
    let known = ends.iter().rev().find(|end| PAIRS.contains_key(&text[..**end]));
    known.or(ends.first()).copied().unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(paraphrase(text), expected);
    }

    #[test]
    fn words_give_way_to_others_and_tags_stay() {
        check("sailed the Ship to [PERSON#3]", "put to sea the vessel to [PERSON#3]");
        check("来到山寨见[PERSON#1]", "抵达营寨见[PERSON#1]");
        check("", "");
        check("zzz, 12 -- é", "zzz, 12 -- é");
    }

    #[test]
    fn no_word_stands_for_itself_or_twice() {
        let lines: Vec<&str> = include_str!("synonyms.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect();
        assert_eq!(lines.len(), PAIRS.len());
        for (word, other) in PAIRS.iter() {
            assert!(other.split(' ').all(|part| part != *word), "{word} {other}");
        }
    }
}

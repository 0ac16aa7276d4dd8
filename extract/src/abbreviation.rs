//! Abbreviations where a text defines them: "multipath congestion control (MCC)" (after Schwartz and Hearst, 2003).

use crate::analysis::Analysis;
use crate::word::Word;
use banyan_engine::Span;
use banyan_engine::index::term;

/// Letters of an abbreviation. Arbitrary: one letter marks an item, more are a word.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=8;

/// What a text calls something in full, and for short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Abbreviation {
    pub(crate) long: Span,
    pub(crate) short: Span,
}

impl Abbreviation {
    /// Whether it abbreviates a name rather than a term.
    pub(crate) fn is_of_name(self, text: &str) -> bool {
        let mut words = self.long.of(text).split(|ch: char| !ch.is_alphanumeric());
        words.any(|word| word.starts_with(char::is_uppercase))
    }
}

/// The abbreviations that a document defines, in text order: letters in brackets with which the words before them begin.
/// Cost O(words).
pub(crate) fn abbreviations(parsed: &Analysis) -> Vec<Abbreviation> {
    let text = parsed.text();
    let mut found = Vec::new();
    for (_, words) in &parsed.sentences {
        for (at, word) in words.iter().enumerate().skip(1) {
            let gap = &text[words[at - 1].span.end as usize..word.span.start as usize];
            let is_closed = text[word.span.end as usize..].starts_with(')');
            if gap.trim() == "(" && is_closed && is_short(word.of(text)) {
                let letters: Vec<char> = word.of(text).to_lowercase().chars().collect();
                found.extend(first(text, &words[..at], &letters).map(|first| Abbreviation {
                    long: words[first].span.to(words[at - 1].span),
                    short: word.span,
                }));
            }
        }
    }
    found
}

fn is_short(word: &str) -> bool {
    let n_capitals = word.chars().filter(|ch| ch.is_uppercase()).count();
    LETTERS.contains(&word.chars().count()) && 2 * n_capitals > word.len() && word.chars().all(char::is_alphanumeric)
}

/// Where the words begin that end at the last of `words` and begin with these letters, small words left out.
fn first(text: &str, words: &[Word], letters: &[char]) -> Option<usize> {
    let (mut at, mut left) = (words.len(), letters);
    while let Some((letter, others)) = left.split_last() {
        at = at.checked_sub(1)?;
        let word = words[at].of(text).to_lowercase();
        let gap = words
            .get(at + 1)
            .map_or(" ", |next| &text[words[at].span.end as usize..next.span.start as usize]);
        if !gap.trim().is_empty() && gap.trim() != "&" {
            return None;
        }
        if word.starts_with(*letter) {
            left = others;
        } else if at + 1 == words.len() || !term::is_stop_word(&word) {
            return None;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_engine::{Document, Origin};

    fn check(text: &str, expected: &[(&str, &str)]) {
        let document = Document::new("T", text, Origin::default());
        let found = abbreviations(&Analysis::surface(&document));
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.long.of(text), one.short.of(text)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn letters_in_brackets_abbreviate_the_words_that_begin_with_them() {
        check(
            "The Harrow Board of Mines and Quarries (HBMQ) met.",
            &[("Harrow Board of Mines and Quarries", "HBMQ")],
        );
        check(
            "It uses multipath congestion control (MCC).",
            &[("multipath congestion control", "MCC")],
        );
        check("A report (PDF) and the mines of Skelva (HB) follow.", &[]);
        check("Mines, and quarries (MQ) or Reed (R).", &[]);
    }
}

//! A text as tokens: words with the points and apostrophes that belong to them, numbers, and marks.

use super::lexicon::root;
use crate::sentence;
use banyan_engine::Span;
use banyan_engine::index::term;
use regex::Regex;
use std::sync::LazyLock;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, with hyphens and apostrophes between them.
    Word,
    /// Begins with a digit: `1901`, `1,439.0`, `11th`.
    Number,
    /// The possessive ending.
    Possessive,
    /// A single mark.
    Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) span: Span,
    /// In lower case, without the point of an abbreviation.
    pub(crate) lower: String,
    /// Its root; a mark itself.
    pub(crate) root: String,
    pub(crate) kind: Kind,
    /// Begins with a capital letter.
    pub(crate) is_capital: bool,
    /// Belongs to a closed class: articles, prepositions, pronouns, auxiliaries.
    pub(crate) is_function: bool,
    pub(crate) sentence: usize,
    /// First word of its sentence.
    pub(crate) is_initial: bool,
}

impl Token {
    pub(crate) fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }

    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.lower == mark
    }

    /// Whether it is a word with a meaning of its own: no number, no mark, of no closed class.
    pub(crate) fn is_content(&self) -> bool {
        self.kind == Kind::Word && !self.is_function
    }
}

/// Initials and abbreviations with their points, numbers, words, ideographs, any mark; `None` is impossible for a pattern
/// that compiles once, which a test holds.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let letter = r"[\w--[\u{3400}-\u{9fff}]]";
    Regex::new(&format!(
        r"(?:[A-Z]\.)+|\b(?:Dr|Mr|Mrs|Ms|St|Jr|Sr|Prof|Rev|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Mt|Co|Corp|Inc|Ltd|Bros)\.|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+\.\d+|{letter}+(?:[-‑'’]{letter}+)*|\S"
    ))
    .ok()
});

/// The tokens of a text in order. Cost O(length).
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (position, sentence) in sentence::split(text).into_iter().enumerate() {
        let from = tokens.len();
        let found = PATTERN.iter().flat_map(|pattern| pattern.find_iter(sentence.of(text)));
        for found in found {
            let (start, end) = (
                sentence.start as usize + found.start(),
                sentence.start as usize + found.end(),
            );
            let bare = found
                .as_str()
                .strip_suffix("'s")
                .or_else(|| found.as_str().strip_suffix("’s"));
            let cut = bare
                .filter(|bare| !bare.is_empty())
                .map_or(end, |bare| start + bare.len());
            tokens.push(token(text, Span::new(start, cut), position));
            if cut < end {
                let owner = token(text, Span::new(cut, end), position);
                tokens.push(Token {
                    kind: Kind::Possessive,
                    root: owner.lower.clone(),
                    ..owner
                });
            }
        }
        if let Some(first) = tokens[from..].iter_mut().find(|token| token.is_word()) {
            first.is_initial = true;
        }
    }
    tokens
}

fn token(text: &str, span: Span, sentence: usize) -> Token {
    let surface = span.of(text);
    let kind = match surface.chars().next() {
        Some(first) if first.is_ascii_digit() => Kind::Number,
        Some(first) if first.is_alphanumeric() => Kind::Word,
        _ => Kind::Mark,
    };
    let lower = surface.trim_end_matches('.').to_lowercase();
    let lower = if lower.is_empty() { surface.to_owned() } else { lower };
    // Contractions with a word of a closed class belong to it, too ("isn't").
    let stem = lower.split(['\'', '’']).next().unwrap_or(&lower);
    let is_function = term::is_stop_word(stem) || matches!(stem, "upon" | "via" | "per" | "among" | "till" | "both");
    Token {
        span,
        root: if kind == Kind::Mark {
            lower.clone()
        } else {
            root(&lower)
        },
        is_capital: surface.starts_with(char::is_uppercase),
        is_function: kind == Kind::Word && is_function,
        lower,
        kind,
        sentence,
        is_initial: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = tokens(text).iter().map(|token| token.span.of(text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_keep_what_belongs_to_them() {
        check(
            "Dr. B.M. Reed's dance-pop (1,439.5), U.S. Inc. isn't O'Neill.",
            &[
                "Dr.",
                "B.M.",
                "Reed",
                "'s",
                "dance-pop",
                "(",
                "1,439.5",
                ")",
                ",",
                "U.S.",
                "Inc.",
                "isn't",
                "O'Neill",
                ".",
            ],
        );
        check("1,2 1901–1904", &["1", ",", "2", "1901", "–", "1904"]);
    }

    #[test]
    fn the_first_word_of_each_sentence_is_initial() {
        let tokens = tokens("\"Rise\" fell. It rose.");
        let initial = tokens.into_iter().filter(|token| token.is_initial);
        let initial: Vec<_> = initial.map(|token| (token.lower, token.sentence)).collect();
        assert_eq!(initial, [("rise".to_owned(), 0), ("it".to_owned(), 1)]);
    }
}

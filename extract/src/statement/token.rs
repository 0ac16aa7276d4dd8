//! Texts to tokens: words with the points and apostrophes that belong to them, numbers, and marks.

use super::root::root;
use crate::sentence;
use banyan_engine::Span;
use banyan_engine::index::term;

/// Abbreviations that keep their point; sorted.
const ABBREVIATIONS: &[&str] = &[
    "Apr", "Aug", "Bros", "Capt", "Co", "Col", "Corp", "Dec", "Dr", "Feb", "Gen", "Gov", "Hon", "Inc", "Jan", "Jr",
    "Jul", "Jun", "Lt", "Ltd", "Maj", "Mar", "Mr", "Mrs", "Ms", "Mt", "Nov", "Oct", "Prof", "Rep", "Rev", "Sen", "Sep",
    "Sept", "Sgt", "Sr", "St",
];

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

/// A token of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Where it stands.
    pub(crate) span: Span,
    /// In lower case, without the point of an abbreviation.
    pub(crate) lower: String,
    /// Its root; empty for marks.
    pub(crate) root: String,
    pub(crate) kind: Kind,
    /// Begins with a capital letter.
    pub(crate) is_capital: bool,
    /// Belongs to a closed class.
    pub(crate) is_function: bool,
    /// Position of its sentence.
    pub(crate) sentence: usize,
    /// First word of its sentence.
    pub(crate) is_initial: bool,
}

impl Token {
    /// Whether it is a word or number.
    pub(crate) fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }

    /// Whether it is this mark.
    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.lower == mark
    }

    /// Whether it is a word with a meaning of its own: no number, no mark, of no closed class.
    pub(crate) fn is_content(&self) -> bool {
        self.kind == Kind::Word && !self.is_function
    }
}

/// The tokens of a text in order. Cost O(length).
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (position, span) in sentence::split(text).into_iter().enumerate() {
        let from = tokens.len();
        cut(text, span, position, &mut tokens);
        if let Some(first) = tokens[from..].iter_mut().find(|token| token.is_word()) {
            first.is_initial = true;
        }
    }
    tokens
}

/// Cuts one sentence.
fn cut(text: &str, sentence: Span, position: usize, tokens: &mut Vec<Token>) {
    let end = sentence.end as usize;
    let mut at = sentence.start as usize;
    while let Some(ch) = text[at..end].chars().next() {
        if ch.is_whitespace() {
            at += ch.len_utf8();
            continue;
        }
        let (length, kind) = measure(&text[at..end]);
        tokens.push(token(text, Span::new(at, at + length), kind, position));
        at += length;
    }
}

/// The length in bytes and the kind of the token that `rest` begins with.
fn measure(rest: &str) -> (usize, Kind) {
    let Some(first) = rest.chars().next() else {
        return (0, Kind::Mark);
    };
    for ending in ["'s", "’s"] {
        if let Some(after) = rest.strip_prefix(ending)
            && !after.starts_with(char::is_alphanumeric)
        {
            return (ending.len(), Kind::Possessive);
        }
    }
    if !first.is_alphanumeric() {
        return (first.len_utf8(), Kind::Mark);
    }
    if term::is_ideograph(first) {
        return (first.len_utf8(), Kind::Word);
    }
    let is_number = first.is_ascii_digit();
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if ch.is_alphanumeric() && !term::is_ideograph(ch) || crate::word::is_mark(ch) {
            end = at + ch.len_utf8();
        } else if !joins(rest, at, ch, next) {
            break;
        }
    }
    let word = &rest[..end];
    let takes_point =
        rest[end..].starts_with('.') && (is_initialism(word) || ABBREVIATIONS.binary_search(&word).is_ok());
    let kind = if is_number { Kind::Number } else { Kind::Word };
    (end + usize::from(takes_point), kind)
}

/// Whether the mark `ch` at `at` continues the token that `rest` begins with.
fn joins(rest: &str, at: usize, ch: char, next: Option<char>) -> bool {
    let before = rest[..at].chars().next_back();
    let is_digit = |ch: Option<char>| ch.is_some_and(|ch| ch.is_ascii_digit());
    let is_letter = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
    match ch {
        '-' | '‑' | '–' => is_letter(next) && !(ch == '–' && is_digit(before)),
        ',' => is_digit(before) && is_digit(next) && rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count() == 3,
        '.' => (is_digit(before) && is_digit(next)) || (is_letter(next) && is_initialism(&rest[..at])),
        '\'' | '’' => {
            let tail = &rest[at + ch.len_utf8()..];
            let is_possessive = tail.starts_with('s') && !tail[1..].starts_with(char::is_alphanumeric);
            is_letter(next) && !is_possessive
        }
        _ => false,
    }
}

/// Whether a word is a capital letter, or capital letters between points: `J`, `U.S`.
fn is_initialism(word: &str) -> bool {
    word.split('.').all(|part| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
    })
}

fn token(text: &str, span: Span, kind: Kind, sentence: usize) -> Token {
    let surface = span.of(text);
    let lower = surface.trim_end_matches('.').to_lowercase();
    let lower = if lower.is_empty() { surface.to_owned() } else { lower };
    let is_word = matches!(kind, Kind::Word | Kind::Number);
    Token {
        span,
        root: if is_word { root(&lower) } else { String::new() },
        is_capital: surface.starts_with(char::is_uppercase),
        is_function: kind == Kind::Word && is_function(&lower),
        lower,
        kind,
        sentence,
        is_initial: false,
    }
}

/// Whether a lower-case word belongs to a closed class; contractions with such a word do, too ("isn't").
fn is_function(lower: &str) -> bool {
    let stem = lower.split(['\'', '’']).next().unwrap_or(lower);
    term::is_stop_word(stem)
        || matches!(
            lower,
            "upon" | "via" | "per" | "amid" | "among" | "alongside" | "till" | "both"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = tokens(text).iter().map(|token| token.span.of(text)).collect();
        assert_eq!(found, expected);
        assert!(ABBREVIATIONS.is_sorted());
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
        let text = "\"Rise\" fell. It rose.";
        let initial: Vec<_> = tokens(text)
            .into_iter()
            .filter(|token| token.is_initial)
            .map(|token| (token.lower, token.sentence))
            .collect();
        assert_eq!(initial, [("rise".to_owned(), 0), ("it".to_owned(), 1)]);
    }
}

//! Words as names are compared by: in any letter case, without accents, each ideograph by itself.

use super::tag;
use banyan_engine::index::term::is_ideograph;
use banyan_engine::name;

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// It begins with a capital.
    Upper,
    /// It begins with a small letter.
    Lower,
    /// It begins with something that has no case.
    None,
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// What it is compared by; may be empty, and then equals nothing.
    pub(super) key: String,
    /// How it is written.
    pub(super) case: Case,
    /// Whether it is an ideograph, which needs no space around it.
    pub(super) is_ideograph: bool,
}

/// The words of `text` in order, without those within tags. Cost O(length).
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for tag in tag::find(text) {
        words(text, at, tag.start, &mut tokens);
        at = tag.end;
    }
    words(text, at, text.len(), &mut tokens);
    tokens
}

fn words(text: &str, start: usize, end: usize, tokens: &mut Vec<Token>) {
    let mut open: Option<usize> = None;
    for (at, ch) in text[start..end].char_indices() {
        let at = at + start;
        let is_inner = ch.is_alphanumeric() || (open.is_some() && is_mark(ch));
        if is_ideograph(ch) || !is_inner {
            finish(text, &mut open, at, tokens);
        }
        if is_ideograph(ch) {
            finish(text, &mut Some(at), at + ch.len_utf8(), tokens);
        } else if is_inner {
            open = open.or(Some(at));
        }
    }
    finish(text, &mut open, end, tokens);
}

fn finish(text: &str, open: &mut Option<usize>, end: usize, tokens: &mut Vec<Token>) {
    let Some(start) = open.take() else { return };
    let word = &text[start..end];
    let first = word.chars().next().unwrap_or(' ');
    let case = match first {
        ch if ch.is_uppercase() => Case::Upper,
        ch if ch.is_lowercase() => Case::Lower,
        _ => Case::None,
    };
    let key = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        name::key(word)
    };
    tokens.push(Token {
        start,
        end,
        key,
        case,
        is_ideograph: is_ideograph(first),
    });
}

/// Whether a character is a combining mark, which belongs to the letter before it.
pub(super) fn is_mark(ch: char) -> bool {
    matches!(ch, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
}

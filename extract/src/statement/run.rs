//! How runs of words are cut into names.

use super::token::{Kind, Token};
use crate::recognise::is_connector;
use std::ops::Range;

/// Marks that may stand inside a name.
const MARKS: &[&str] = &["&", "'", "’", ",", "/", ":", "-", "–", "!", "?", ".", "(", ")"];

pub(super) fn capitalised(lower: &str) -> String {
    let mut chars = lower.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// The stretches of a range between the tokens that cut it.
pub(super) fn pieces(tokens: &[Token], range: Range<usize>, cuts: impl Fn(&Token) -> bool) -> Vec<Range<usize>> {
    let is_cut = |at: &usize| *at == range.end || cuts(&tokens[*at]);
    let mut pieces = Vec::new();
    let mut start = range.start;
    for at in (range.start..=range.end).filter(is_cut) {
        pieces.push(start..at);
        start = at + 1;
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

pub(super) fn is_joint(token: &Token) -> bool {
    match token.kind {
        Kind::Word => {
            let lower = token.lower.as_str();
            is_connector(lower) || matches!(lower, "a" | "an" | "bin" | "from" | "ibn" | "or" | "with")
        }
        Kind::Number | Kind::Possessive => true,
        Kind::Mark => MARKS.contains(&token.lower.as_str()),
    }
}

/// Whether a small word holds the parts of a name together, as those of other languages do ("Vasco *da* Gama").
pub(super) fn is_close_joint(token: &Token) -> bool {
    token.kind == Kind::Word && !token.is_function && is_joint(token)
}

/// Whether a token is no part of a name at its edge.
pub(super) fn is_trimmed(token: &Token) -> bool {
    !token.is_word()
        || (!token.is_capital && token.kind == Kind::Word)
        || (token.is_initial && token.is_function && token.lower != "the")
}

pub(super) fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0_i32;
    for token in tokens {
        depth += i32::from(token.is_mark("(")) - i32::from(token.is_mark(")"));
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

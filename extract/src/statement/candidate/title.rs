//! Titles that their place shows: between quotation marks, or at the beginning of a sentence.

use super::{Finder, Source};
use crate::statement::token::Token;

/// Longest title in tokens. Arbitrary.
const MAX_TOKENS: usize = 16;
/// Verbs that end the opening of a sentence; sorted.
const VERBS: &[&str] = &[
    "are", "became", "contains", "features", "had", "has", "includes", "is", "received", "stars", "tells", "was",
    "were", "won",
];

pub(super) fn find(finder: &mut Finder) {
    quoted(finder);
    let tokens = finder.tokens;
    let starts = (0..tokens.len()).filter(|at| tokens[*at].is_initial);
    for start in starts.collect::<Vec<_>>() {
        opening(finder, start);
    }
}

/// Adds what stands between each pair of quotation marks.
fn quoted(finder: &mut Finder) {
    let tokens = finder.tokens;
    let mut open: Option<usize> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.lower.as_str() {
            "“" | "«" | "《" => open = Some(at),
            "\"" | "”" | "»" | "》" | "„" => match open.take() {
                Some(start) if at - start - 1 <= MAX_TOKENS && start + 1 < at => add_quoted(finder, start + 1, at),
                Some(_) if token.lower != "\"" => {}
                _ => open = Some(at),
            },
            _ => {}
        }
    }
}

/// Adds a quotation, without a comma or full stop at its end.
fn add_quoted(finder: &mut Finder, first: usize, mut end: usize) {
    finder.add(first, end, Source::Quoted);
    while end > first + 1 && [",", "."].iter().any(|mark| finder.tokens[end - 1].is_mark(mark)) {
        end -= 1;
        finder.add(first, end, Source::Quoted);
    }
}

/// Adds the beginnings of a sentence up to its first bracket, comma, colon and verb.
fn opening(finder: &mut Finder, start: usize) {
    let tokens = finder.tokens;
    let first = &tokens[start];
    if !first.is_capital && !first.lower.starts_with(|ch: char| ch.is_ascii_digit()) {
        return;
    }
    let mut had_mark = false;
    for at in start + 1..tokens.len().min(start + MAX_TOKENS) {
        let token = &tokens[at];
        if token.sentence != first.sentence {
            break;
        }
        let is_verb = VERBS.binary_search(&token.lower.as_str()).is_ok() && !token.is_capital;
        let is_mark = ["(", ",", ":", "-", "–", "[", "\"", "”", "'"]
            .iter()
            .any(|mark| token.is_mark(mark));
        if is_verb || (is_mark && !had_mark) {
            let end = trimmed(tokens, start, at);
            if !is_title(&tokens[start..end]) {
                break;
            }
            finder.add(start, end, Source::Opening);
            if first.lower == "the" && end > start + 1 {
                finder.add(start + 1, end, Source::Opening);
            }
        }
        had_mark |= is_mark;
        if is_verb {
            break;
        }
    }
}

/// Whether the words are written as titles are: no closed-class word leads but an article, and some word beside the first
/// has a capital where there is more than one.
fn is_title(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return false };
    let is_article = matches!(
        first.lower.as_str(),
        "the" | "a" | "an" | "my" | "our" | "i" | "you" | "all" | "who" | "how" | "what" | "when" | "where" | "why"
    );
    let n_capital = tokens[1..]
        .iter()
        .filter(|token| token.is_capital && !token.is_function)
        .count();
    let n_lower = tokens[1..]
        .iter()
        .filter(|token| token.is_content() && !token.is_capital)
        .count();
    if first.is_function && !is_article {
        return n_capital > 1 && n_lower == 0;
    }
    (!is_article || n_capital > 0) && n_lower <= n_capital + 1
}

/// The end without quotation marks and commas.
fn trimmed(tokens: &[Token], start: usize, mut end: usize) -> usize {
    while end > start + 1 && ["\"", "”", ",", ")"].iter().any(|mark| tokens[end - 1].is_mark(mark)) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_sorted_for_binary_search() {
        assert!(VERBS.is_sorted());
    }
}

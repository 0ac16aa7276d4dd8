//! Runs of lower-case words: genres, professions, products, offices.

use super::{Finder, Source};
use crate::statement::token::{Kind, Token};

/// Longest phrase in tokens. Arbitrary.
const MAX_TOKENS: usize = 3;
/// Longest run of which phrases are made; longer ones are no noun phrases.
const MAX_RUN: usize = 8;

pub(super) fn find(finder: &mut Finder, taken: &[bool]) {
    let tokens = finder.tokens;
    let mut at = 0;
    while at < tokens.len() {
        if !is_part(&tokens[at], taken[at]) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < tokens.len() && is_part(&tokens[end], taken[end]) && tokens[end].sentence == tokens[at].sentence {
            end += 1;
        }
        phrases(finder, at, end.min(at + MAX_RUN));
        office(finder, at, end);
        at = end;
    }
}

/// Whether a token may be part of a phrase: a word that is neither capitalised nor of a closed class nor an adverb.
fn is_part(token: &Token, is_taken: bool) -> bool {
    token.kind == Kind::Word && !token.is_capital && !token.is_function && !is_taken && !token.lower.ends_with("ly")
}

/// Adds the beginnings and ends of a run.
fn phrases(finder: &mut Finder, start: usize, stop: usize) {
    for first in start..stop {
        for end in first + 1..=stop.min(first + MAX_TOKENS) {
            if first == start || end == stop {
                finder.add(first, end, Source::Phrase);
            }
        }
    }
    // A capitalised adjective may belong to it: "American football".
    if start > 0 && finder.tokens[start - 1].is_capital && finder.tokens[start - 1].is_word() && stop - start <= 2 {
        finder.add(start - 1, stop, Source::Phrase);
        finder.add(start - 1, start + 1, Source::Phrase);
    }
}

/// Adds "president of Burundi": the end of a run with "of" and the name after it.
fn office(finder: &mut Finder, start: usize, stop: usize) {
    let tokens = finder.tokens;
    if tokens.get(stop).is_none_or(|token| token.lower != "of") {
        return;
    }
    let skip = usize::from(tokens.get(stop + 1).is_some_and(|token| token.lower == "the"));
    let name = stop + 1 + skip;
    let mut end = name;
    while tokens.get(end).is_some_and(|token| token.is_word() && token.is_capital) {
        end += 1;
    }
    if end > name {
        for first in start.max(stop.saturating_sub(MAX_TOKENS))..stop {
            finder.add(first, end, Source::Office);
        }
    }
}

//! Forms that no name has: titles alone, calls, and pieces cut across the words of Chinese.

use super::form::{Forms, Occurrence};
use super::token::Token;
use banyan_extract::word::is_in_dictionary;
use std::collections::BTreeSet;

/// Occurrences below which nothing is judged. Arbitrary.
const MIN_USES: usize = 3;

/// How the texts use a form.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    n: usize,
    /// It opens a sentence, and a mark follows.
    called: usize,
    /// Its first character and the one before it are a word, or its last and the one after it.
    cut: usize,
}

/// Positions of the forms that are no names: single words that at least every second time open a sentence with a comma or an exclamation
/// mark behind them ("Oh", "Halloa"), and Chinese ones whose ends belong to words beyond them at least every second time
/// (马来 of 上马|来). Cost O(total length).
pub(super) fn junk(texts: &[&str], read: &[Vec<Token>], index: &Forms) -> BTreeSet<usize> {
    let mut uses = vec![Uses::default(); index.len()];
    for (text, tokens) in texts.iter().zip(read) {
        for found in index.occurrences(text, tokens) {
            let slot = &mut uses[found.form];
            slot.n += 1;
            slot.called += usize::from(is_called(text, found));
            slot.cut += usize::from(tokens[found.first].is_ideograph && is_cut(tokens, found));
        }
    }
    let is_junk = |uses: &Uses| uses.n >= MIN_USES && (2 * uses.called >= uses.n || 2 * uses.cut >= uses.n);
    uses.iter()
        .enumerate()
        .filter(|(_, uses)| is_junk(uses))
        .map(|(form, _)| form)
        .collect()
}

fn is_called(text: &str, found: Occurrence) -> bool {
    let before = text[..found.start]
        .trim_end_matches([' ', '\n', '\r', '_'])
        .chars()
        .next_back();
    let opens = before.is_none_or(|ch| matches!(ch, '.' | '!' | '?' | '"' | '“' | '‘' | '—' | '-' | '(' | ':' | ';'));
    found.last == found.first + 1 && opens && text[found.end..].starts_with(['!', ','])
}

fn is_cut(tokens: &[Token], found: Occurrence) -> bool {
    let is_word = |low: Option<usize>| {
        let pair = low.and_then(|low| Some((tokens.get(low)?, tokens.get(low + 1)?)));
        pair.is_some_and(|(a, b)| {
            a.end == b.start && a.is_ideograph && b.is_ideograph && is_in_dictionary(&format!("{}{}", a.key, b.key))
        })
    };
    is_word(found.first.checked_sub(1)) || is_word(Some(found.last - 1))
}

//! The things that a question sets against each other: "…, Tidd Bridge or Ansay Pier?", "both Mara Voss and Jon Eld".

use crate::searcher::Searcher;
use banyan_engine::EntityId;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alternative {
    pub(super) text: String,
    /// What the corpus knows by this name, what it has documents about first; empty for an unknown name.
    pub(super) entities: Vec<EntityId>,
}

/// Longest name of an alternative, in words. Arbitrary.
const MAX_WORDS: usize = 20;
const INNER: [&str; 6] = ["of", "the", "and", "in", "a", "to"];

/// The things on both sides of the last "or", else of an "and" that joins two names; empty where there is none.
pub(super) fn alternatives(searcher: &Searcher, question: &str) -> Vec<Alternative> {
    let text = question.trim().trim_end_matches(['?', '.', ' ']);
    for conjunction in [" or ", " and ", " & "] {
        let places = text.rmatch_indices(conjunction);
        let pairs = places.filter_map(|(at, _)| {
            let left = side(searcher, &text[..at], true)?;
            let right = side(searcher, &text[at + conjunction.len()..], false)?;
            Some([left, right])
        });
        let n_unknown = |pair: &[Alternative; 2]| pair.iter().filter(|one| one.entities.is_empty()).count();
        let best = pairs.min_by_key(n_unknown);
        if let Some(pair) = best.filter(|pair| conjunction == " or " || n_unknown(pair) == 0) {
            return pair.into();
        }
    }
    Vec::new()
}

/// The longest name that the corpus knows at one end of a text, else the run of capitalised words there.
fn side(searcher: &Searcher, text: &str, is_end: bool) -> Option<Alternative> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let n = words.len();
    let part = |length: usize| {
        let run = if is_end { &words[n - length..] } else { &words[..length] };
        let joined = run.join(" ");
        let is_mark = |ch: char| matches!(ch, '"' | '“' | '”' | ',' | ':' | ';' | ' ' | '?');
        joined.trim_matches(is_mark).to_owned()
    };
    for length in (1..=n.min(MAX_WORDS)).rev() {
        let name = part(length);
        let entities = known(searcher, &name);
        if !entities.is_empty() && name.contains(|ch: char| ch.is_uppercase() || ch.is_ascii_digit()) {
            return Some(Alternative { text: name, entities });
        }
    }
    let is_part = |word: &&str| {
        let bare = word.trim_start_matches(['"', '“', '(', '\'']);
        INNER.contains(word) || bare.starts_with(|ch: char| ch.is_uppercase() || ch.is_ascii_digit())
    };
    let length = if is_end {
        let run = words.iter().rev().take(MAX_WORDS).take_while(|word| is_part(word));
        run.enumerate()
            .take_while(|(at, word)| *at == 0 || !word.ends_with([',', ':', ';']))
            .count()
    } else {
        words.iter().take(MAX_WORDS).take_while(|word| is_part(word)).count()
    };
    let name = (length > 0).then(|| part(length))?;
    name.contains(char::is_uppercase).then(|| Alternative {
        text: name,
        entities: Vec::new(),
    })
}

/// The entities of a name, those with documents first.
fn known(searcher: &Searcher, text: &str) -> Vec<EntityId> {
    let mut found = searcher.named(text).to_vec();
    found.sort_by_key(|entity| (searcher.incidence().subject_chunks(*entity).is_empty(), *entity));
    found
}

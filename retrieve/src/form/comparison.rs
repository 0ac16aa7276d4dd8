//! What a question sets against each other, and on which scale: "Which opened first, Tidd Bridge or Ansay Pier?", "both
//! Mara Voss and Jon Eld".

use crate::question::{expected, is_among};
use crate::searcher::Searcher;
use banyan_engine::EntityId;

const SMALLEST: &str = "earlier earliest first older oldest elder eldest";
const LARGEST: &str = "later latest newer newest last recently recent younger youngest";
const MORE: &str = "bigger biggest deeper farther further greater heavier higher highest larger largest longer \
    longest more most taller tallest wider";
const LESS: &str = "fewer less lighter lower nearer shallower shorter smaller smallest";

/// What is set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Birth,
    Death,
    Life,
    Start,
    Number,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alternative {
    pub(crate) text: String,
    /// What the corpus knows by this name, what it has documents about first; empty for an unknown name.
    pub(crate) entities: Vec<EntityId>,
}

/// Longest name of an alternative, in words. Arbitrary.
const MAX_WORDS: usize = 20;
const INNER: [&str; 6] = ["of", "the", "and", "in", "a", "to"];

/// The things on both sides of the last "or", else of an "and" that joins two names; empty where there is none.
pub(crate) fn alternatives(searcher: &Searcher, question: &str) -> Vec<Alternative> {
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

/// Whether a question asks for one of two things: it says "or", or names a scale and what lies between.
pub(crate) fn is_choice(question: &str) -> bool {
    let lower = question.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    let asks = ["which", "who", "what", "whose", "between", "where", "out"]
        .iter()
        .any(|word| lower.contains(word));
    asks && !expected::is_auxiliary(first)
        && (lower.contains(" or ")
            || (scale(question).is_some() && (lower.contains("between ") || lower.contains("out of "))))
}

/// What to compare by, and whether the smallest value wins.
pub(crate) fn scale(question: &str) -> Option<(Scale, bool)> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|ch: char| !ch.is_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &str| words.iter().any(|word| is_among(list, word));
    let is_life = has("lived live life") && has("longer longest shorter");
    if is_life {
        return Some((Scale::Life, has("shorter")));
    }
    let kind = if has("died death die") {
        Scale::Death
    } else if has("born older oldest younger youngest elder eldest birth") {
        Scale::Birth
    } else {
        Scale::Start
    };
    match () {
        () if has(SMALLEST) => Some((kind, true)),
        () if has(LARGEST) => Some((kind, false)),
        () if has(MORE) => Some((Scale::Number, false)),
        () if has(LESS) => Some((Scale::Number, true)),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_needs_alternatives() {
        assert!(is_choice("Which opened first, Tidd Bridge or Ansay Pier?"));
        assert!(!is_choice("Which opened first?"));
        assert!(!is_choice("Is it Tidd or Ansay?"));
        assert_eq!(scale("Who is older?"), Some((Scale::Birth, true)));
        assert_eq!(scale("Who lived longer?"), Some((Scale::Life, false)));
        assert_eq!(scale("Which film came out later?"), Some((Scale::Start, false)));
        assert_eq!(scale("Which river is longer?"), Some((Scale::Number, false)));
        assert_eq!(scale("Which is it?"), None);
    }
}

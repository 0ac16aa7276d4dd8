//! Phrases and labels by the stems of their words.

use crate::stem::stem;
use banyan_engine::schema::snake_case;

/// Words of phrases that the tree leaves out.
const IDLE: &[&str] = &[
    "a", "an", "are", "be", "been", "being", "had", "has", "have", "her", "his", "is", "its", "the", "their", "was",
    "were",
];

/// A label as all its spellings have it: the stems of its words, "birth place" for "place of birth".
pub(crate) fn spelling(label: &str) -> String {
    let spoken = snake_case(label).replace('_', " ");
    match spoken.split_once(" of ") {
        Some((what, whose)) => stems(whose.split(' ').chain(what.split(' '))),
        None => stems(spoken.split(' ')),
    }
}

/// The stems of the telling words of a phrase.
pub(crate) fn stems<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let lower = words.map(str::to_lowercase);
    let telling = lower.filter(|word| !is_idle(word));
    telling.map(|word| stem(&word)).collect::<Vec<_>>().join(" ")
}

/// Whether a word, in lower case, is an article, an auxiliary or a possessive pronoun.
pub(crate) fn is_idle(word: &str) -> bool {
    IDLE.binary_search(&word).is_ok()
}

//! Names that an anonymised corpus lets slip: a tag that the text itself explains.

use banyan_engine::index::term::is_ideograph;
use banyan_extract::tag::{self, Tag};
use banyan_retrieve::searcher::Searcher;
use std::collections::BTreeMap;

/// Words between a tag and what it is called. Chosen by hand.
const CALLED: &[&str] = &[
    ", called ",
    " called ",
    ", named ",
    " named ",
    ", known as ",
    " alias ",
    "，名唤",
    "名唤",
    "，又名",
    "又名",
    "，本名",
    "本名",
];
/// Longest Chinese name in characters.
const MAX_HAN: usize = 4;
/// Longest name in words. Arbitrary.
const MAX_WORDS: usize = 4;

/// The names of those tags that the corpus explains right behind them: "[PERSON#3], called Ann". What is itself a tag names
/// nothing. Aliases that resolution joins to a tag do not count: of those in an anonymised novel none was right.
/// Cost O(total length).
pub(super) fn slipped(searcher: &Searcher, tags: &[Tag]) -> BTreeMap<Tag, String> {
    let named = tags
        .iter()
        .filter_map(|tag| Some((tag.clone(), explained(searcher, tag)?)));
    named.collect()
}

fn explained(searcher: &Searcher, tag: &Tag) -> Option<String> {
    let written = tag.to_string();
    searcher.knowledge().documents.iter().find_map(|document| {
        let mut places = document.text.match_indices(&written);
        places.find_map(|(at, _)| called(&document.text[at + written.len()..]))
    })
}

/// The name that a text begins with, after a word that says that it is one.
fn called(text: &str) -> Option<String> {
    let rest = CALLED.iter().find_map(|cue| text.strip_prefix(cue))?;
    if !tag::find(rest.get(..rest.find(']').map_or(0, |at| at + 1)).unwrap_or("")).is_empty() && rest.starts_with('[') {
        return None;
    }
    if rest.starts_with(is_ideograph) {
        let name: String = rest.chars().take_while(|ch| is_ideograph(*ch)).collect();
        return (2..=MAX_HAN).contains(&name.chars().count()).then_some(name);
    }
    let words = rest
        .split(' ')
        .map(|word| word.trim_end_matches(|ch: char| !ch.is_alphanumeric()));
    let capitals: Vec<&str> = words
        .take(MAX_WORDS)
        .take_while(|word| word.starts_with(char::is_uppercase))
        .collect();
    (!capitals.is_empty()).then(|| capitals.join(" "))
}

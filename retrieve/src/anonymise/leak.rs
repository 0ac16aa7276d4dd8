//! The check that no listed name is left, independent of how names are replaced.

use super::dictionary::Entry;
use super::tag;
use super::token::is_mark;
use aho_corasick::AhoCorasick;
use banyan_engine::index::term::is_ideograph;

/// Listed names and aliases that `text` still has, sorted, each once: in any case of ASCII letters; as words, in Chinese
/// anywhere. What stands within a tag does not count. Cost O(length + matches).
///
/// # Errors
/// An error of the library where there are more names than one automaton holds.
pub fn leaks(text: &str, entries: &[Entry]) -> Result<Vec<String>, aho_corasick::BuildError> {
    let names: Vec<&String> = entries
        .iter()
        .flat_map(|entry| std::iter::once(&entry.name).chain(&entry.aliases))
        .collect();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&names)?;
    let tags = tag::find(text);
    let is_tagged = |at: usize| {
        let before = tags.partition_point(|tag| tag.end <= at);
        tags.get(before).is_some_and(|tag| tag.start <= at)
    };
    let found = automaton.find_overlapping_iter(text);
    let mut left: Vec<String> = found
        .filter(|found| is_word(text, found.start(), found.end()) && !is_tagged(found.start()))
        .map(|found| names[found.pattern().as_usize()].clone())
        .collect();
    left.sort();
    left.dedup();
    Ok(left)
}

/// Whether no letter or digit goes on at either end, accents apart; ideographs need no space.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let goes_on = |outside: Option<char>, inside: Option<char>| {
        let is_inner = |ch: char| ch.is_alphanumeric() && !is_ideograph(ch);
        outside.is_some_and(is_inner) && inside.is_some_and(is_inner)
    };
    let name = &text[start..end];
    let is_letter = |ch: &char| !is_mark(*ch);
    !goes_on(text[..start].chars().rev().find(is_letter), name.chars().next())
        && !goes_on(text[end..].chars().find(is_letter), name.chars().next_back())
}

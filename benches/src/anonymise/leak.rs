//! The check that no listed name is left, independent of how names are replaced.

use super::dictionary::Entry;
use super::tag;
use super::token::is_mark;
use aho_corasick::{AhoCorasick, BuildError};
use banyan_engine::index::term::is_ideograph;

/// All listed names in one automaton.
pub struct Listed<'a> {
    names: Vec<&'a str>,
    automaton: AhoCorasick,
}

impl<'a> Listed<'a> {
    /// The names and aliases of these entries. Cost O(their length).
    ///
    /// # Errors
    /// An error of the library where there are more names than one automaton holds.
    pub fn new(entries: &'a [Entry]) -> Result<Self, BuildError> {
        let names = entries
            .iter()
            .flat_map(|entry| std::iter::once(&entry.name).chain(&entry.aliases));
        let names: Vec<&str> = names.map(String::as_str).collect();
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&names)?;
        Ok(Self { names, automaton })
    }

    /// Those that `text` still has, sorted, each once: in any case of ASCII letters; as words, in Chinese anywhere. What
    /// stands within a tag does not count. Cost O(length + matches).
    pub fn left_in(&self, text: &str) -> Vec<String> {
        let tags = tag::find(text);
        let is_tagged = |at: usize| {
            let before = tags.partition_point(|tag| tag.end <= at);
            tags.get(before).is_some_and(|tag| tag.start <= at)
        };
        let found = self.automaton.find_overlapping_iter(text);
        let mut left: Vec<String> = found
            .filter(|found| is_word(text, found.start(), found.end()) && !is_tagged(found.start()))
            .map(|found| self.names[found.pattern().as_usize()].to_owned())
            .collect();
        left.sort();
        left.dedup();
        left
    }
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

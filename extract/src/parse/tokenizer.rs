//! Text to words, by the patterns and special cases of the package.

use super::error::ParseError;
use super::load;
use super::shape::is_space_character;
use super::special::Specials;
use fancy_regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// The package's file of this module.
pub(super) const FILE: &str = "tokenizer";

/// Bytes at an edge of a word within which a prefix or suffix ends, unless it is a run of dots. Arbitrary, several times
/// the longest listed one.
const EDGE: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Number of the norm, where a special case says one.
    pub(super) norm: Option<u64>,
}

#[derive(Deserialize)]
struct File {
    prefix_search: String,
    suffix_search: String,
    infix_finditer: String,
    token_match: Option<String>,
    url_match: String,
    exceptions: BTreeMap<String, Vec<Listed>>,
}

/// A listed word: its attributes by the library's numbers for them.
pub(super) type Listed = BTreeMap<u64, String>;

/// The patterns and special cases by which a text is cut.
#[derive(Debug)]
pub(super) struct Tokenizer {
    prefixes: Regex,
    suffixes: Regex,
    infixes: Regex,
    /// Web addresses and the like, which stay one word.
    addresses: Regex,
    specials: Specials,
}

impl Tokenizer {
    /// Reads the package's file `tokenizer`.
    ///
    /// # Errors
    /// Where it is no msgpack, lacks a part, or a pattern cannot be compiled.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let file: File = load::read(FILE, bytes)?;
        if let Some(pattern) = file.token_match {
            return Err(ParseError::new(FILE, "no pattern token_match", pattern));
        }
        let pattern = |text: &str| {
            // Patterns know all of Unicode here, flag or not.
            Regex::new(text.trim_start_matches("(?u)"))
                .map_err(|source| ParseError::new(FILE, format!("a pattern, found {text}"), source))
        };
        Ok(Self {
            prefixes: pattern(&file.prefix_search)?,
            suffixes: pattern(&file.suffix_search)?,
            infixes: pattern(&file.infix_finditer)?,
            addresses: pattern(&file.url_match)?,
            specials: Specials::new(&file.exceptions)?,
        })
    }

    /// The words of a text in order; white space other than single blanks between words makes words of its own.
    ///
    /// Cost O(length).
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let in_space = rest.starts_with(is_space_character);
            let length = rest.find(|character| is_space_character(character) != in_space);
            let end = start + length.unwrap_or(rest.len());
            // The blank behind a word belongs to it.
            let n_blanks = usize::from(start > 0 && rest.starts_with(' '));
            if start + n_blanks < end {
                self.cut_chunk(text, start + n_blanks..end, &mut words);
            }
            start = end;
        }
        words
    }

    /// Cuts a run without white space, or of nothing else.
    fn cut_chunk(&self, text: &str, chunk: Range<usize>, words: &mut Vec<Word>) {
        let (mut prefixes, mut suffixes) = (Vec::new(), Vec::new());
        let is_special = |from, to| from < to && self.specials.has(&text[from..to]);
        // No pattern of the package cuts between plain letters, which most words are.
        let is_plain = text[chunk.clone()].bytes().all(|byte| byte.is_ascii_alphabetic());
        let (mut from, mut to) = (chunk.start, chunk.end);
        while !is_plain && from < to && !is_special(from, to) {
            let inner = from + self.prefix(&text[from..to]);
            if inner > from && is_special(inner, to) {
                prefixes.push(word(from, inner));
                from = inner;
                break;
            }
            let outer = to - self.suffix(&text[inner..to]);
            if outer < to && is_special(from, outer) {
                suffixes.push(word(outer, to));
                to = outer;
                break;
            }
            if inner == from && outer == to {
                break;
            }
            if inner > from {
                prefixes.push(word(from, inner));
            }
            if outer < to {
                suffixes.push(word(outer, to));
            }
            (from, to) = (inner, outer);
        }
        words.append(&mut prefixes);
        if from < to && !self.specials.push(&text[from..to], from, words) {
            if is_plain {
                words.push(word(from, to));
            } else {
                self.cut_core(text, from, to, words);
            }
        }
        words.extend(suffixes.into_iter().rev());
    }

    /// What is left between prefixes and suffixes: an address, or words with infixes between them.
    fn cut_core(&self, text: &str, from: usize, to: usize, words: &mut Vec<Word>) {
        let core = &text[from..to];
        let is_address = core.contains('.') && find(&self.addresses, core, 0).is_some();
        let (mut start, mut at) = (0, 0);
        while let Some(infix) = find(&self.infixes, core, at).filter(|_| !is_address) {
            at = infix.end;
            if infix.start == 0 {
                continue;
            }
            if infix.start > start {
                words.push(word(from + start, from + infix.start));
            }
            words.push(word(from + infix.start, from + infix.end));
            start = infix.end;
        }
        if from + start < to {
            words.push(word(from + start, to));
        }
    }

    /// Length of the prefix of `text`; 0 if it has none.
    fn prefix(&self, text: &str) -> usize {
        let near = text.floor_char_boundary(EDGE);
        let length = |text: &str| find(&self.prefixes, text, 0).map_or(0, |found| found.end);
        match length(&text[..near]) {
            all if all == near => length(text),
            some => some,
        }
    }

    /// Length of the longest suffix of `text`; 0 if it has none.
    fn suffix(&self, text: &str) -> usize {
        let near = text.ceil_char_boundary(text.len().saturating_sub(EDGE));
        let length = |text: &str| find(&self.suffixes, text, 0).map_or(0, |found| text.len() - found.start);
        match length(&text[near..]) {
            all if all == text.len() - near => length(text),
            some => some,
        }
    }
}

fn word(start: usize, end: usize) -> Word {
    let norm = None;
    Word { start, end, norm }
}

/// The first match of a pattern from `at` on that takes a character. A search that backtracks a million times finds
/// nothing; only a run of thousands of characters without white space brings that about, and it then stays one word.
fn find(pattern: &Regex, text: &str, at: usize) -> Option<Range<usize>> {
    let found = pattern.find_from_pos(text, at).ok().flatten()?;
    Some(found.range()).filter(|range| !range.is_empty())
}

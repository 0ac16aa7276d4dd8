//! Special cases of the tokenizer: texts whose words are listed, not found by rules.

use super::error::ParseError;
use super::symbol;
use super::tokenizer::{FILE, Listed, Word};
use std::collections::{BTreeMap, HashMap};

/// The keys of a listed word's text and norm in the tokenizer's file.
const ORTH: u64 = 65;
const NORM: u64 = 67;

/// One word of a special case.
#[derive(Debug)]
struct Part {
    length: usize,
    /// Number of the norm, where the case says one.
    norm: Option<u64>,
}

/// All special cases.
///
/// # Differs from the library
/// A case is found between prefixes and suffixes only. The library also joins what the patterns for the inside of words
/// have cut, where that is a case.
#[derive(Debug, Default)]
pub(super) struct Specials {
    cases: HashMap<String, Vec<Part>>,
    /// Bytes of the longest text: a quick answer for long ones.
    longest: usize,
}

impl Specials {
    /// Reads the tokenizer's `exceptions`: texts to lists of words.
    ///
    /// # Errors
    /// Where an entry is no list of words that make up the text.
    pub(super) fn new(exceptions: &BTreeMap<String, Vec<Listed>>) -> Result<Self, ParseError> {
        let mut specials = Self::default();
        for (text, words) in exceptions {
            let joined: String = words
                .iter()
                .filter_map(|word| word.get(&ORTH))
                .map(String::as_str)
                .collect();
            if joined != *text {
                return Err(ParseError::new(FILE, format!("words of {text}"), joined));
            }
            let part = |word: &Listed| Part {
                length: word.get(&ORTH).map_or(0, String::len),
                norm: word.get(&NORM).map(|norm| symbol::number(norm)),
            };
            specials.longest = specials.longest.max(text.len());
            specials.cases.insert(text.clone(), words.iter().map(part).collect());
        }
        Ok(specials)
    }

    pub(super) fn has(&self, text: &str) -> bool {
        text.len() <= self.longest && self.cases.contains_key(text)
    }

    /// Adds the words of the special case `text`, which stands at byte `start`, to `words`. Whether it is one.
    pub(super) fn push(&self, text: &str, start: usize, words: &mut Vec<Word>) -> bool {
        let Some(parts) = self.cases.get(text) else {
            return false;
        };
        let mut start = start;
        for part in parts {
            let end = start + part.length;
            words.push(Word {
                start,
                end,
                norm: part.norm,
            });
            start = end;
        }
        true
    }
}

//! Special cases of the tokenizer: texts whose words are listed, not found by rules.

use super::error::ParseError;
use super::msgpack::Value;
use super::symbol;
use super::tokenizer::{FILE, Word};
use std::collections::{BTreeMap, HashMap};

/// The keys of a listed word's text and norm in the tokenizer's file.
const ORTH: u64 = 65;
const NORM: u64 = 67;

/// One word of a special case.
#[derive(Debug)]
struct Part {
    /// Length in bytes.
    length: usize,
    /// Number of the norm, where the case says one.
    norm: Option<u64>,
}

/// All special cases.
#[derive(Debug, Default)]
pub(super) struct Specials {
    /// The words of each text.
    cases: HashMap<String, Vec<Part>>,
    /// Bytes of the longest text: a quick answer for long ones.
    longest: usize,
    /// Texts that the rules would cut: by the first word the other words they would be cut into.
    sequences: HashMap<String, Vec<Vec<String>>>,
}

impl Specials {
    /// Reads the value `exceptions` of the tokenizer's file: texts to lists of words.
    ///
    /// # Errors
    /// Where an entry is no list of words that make up the text.
    pub(super) fn read(exceptions: &Value) -> Result<Self, ParseError> {
        let error = |found: &Value| ParseError::content(FILE, "texts to lists of words", format!("{found:?}"));
        let mut specials = Self::default();
        for (text, words) in exceptions.as_map().ok_or_else(|| error(exceptions))? {
            let (text, words) = text.as_str().zip(words.as_array()).ok_or_else(|| error(text))?;
            let parts: Option<Vec<_>> = words.iter().map(part).collect();
            let parts = parts.ok_or_else(|| ParseError::content(FILE, "a list of words", text))?;
            let joined: String = parts.iter().map(|(word, _)| *word).collect();
            if joined != text {
                return Err(ParseError::content(FILE, format!("words of {text}"), joined));
            }
            let parts = parts.into_iter().map(|(_, part)| part).collect();
            specials.longest = specials.longest.max(text.len());
            specials.cases.insert(text.to_owned(), parts);
        }
        Ok(specials)
    }

    /// Adds a text that the rules cut into these words, so that it is found among the words of a document.
    pub(super) fn add_sequence(&mut self, mut words: Vec<String>) {
        if !words.is_empty() {
            let first = words.remove(0);
            self.sequences.entry(first).or_default().push(words);
        }
    }

    /// Whether the text is a special case.
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

    /// Puts special cases that the rules have cut together again. Cost O(words).
    ///
    /// Of overlapping ones the longest is taken, then the first; words with white space between them are no case, but
    /// keep others from being taken, as in the library.
    pub(super) fn rejoin(&self, text: &str, words: Vec<Word>) -> Vec<Word> {
        let taken = self.sequences_in(text, &words);
        if taken.is_empty() {
            return words;
        }
        let mut rejoined = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            let end = taken.get(&at).copied().unwrap_or(at + 1);
            let (from, to) = (words[at].start, words[end - 1].end);
            if !taken.contains_key(&at) || !self.push(&text[from..to], from, &mut rejoined) {
                rejoined.extend_from_slice(&words[at..end]);
            }
            at = end;
        }
        rejoined
    }

    /// Start to end, in words, of the sequences that are found and taken.
    fn sequences_in(&self, text: &str, words: &[Word]) -> BTreeMap<usize, usize> {
        let of = |word: &Word| &text[word.start..word.end];
        let mut found = Vec::new();
        for (start, word) in words.iter().enumerate() {
            for rest in self.sequences.get(of(word)).into_iter().flatten() {
                let end = start + 1 + rest.len();
                if words
                    .get(start + 1..end)
                    .is_some_and(|next| next.iter().map(of).eq(rest.iter().map(String::as_str)))
                {
                    found.push((start, end));
                }
            }
        }
        found.sort_unstable_by_key(|(start, end)| (std::cmp::Reverse(end - start), *start));
        let mut is_seen = vec![false; words.len()];
        let mut taken = BTreeMap::new();
        for (start, end) in found {
            if !is_seen[start] && !is_seen[end - 1] {
                taken.insert(start, end);
            }
            is_seen[start..end].fill(true);
        }
        taken
    }
}

/// A listed word: its text and what is kept of it.
fn part(word: &Value) -> Option<(&str, Part)> {
    let pairs = word.as_map()?;
    let of = |key: u64| {
        let found = pairs.iter().find(|(name, _)| name.as_u64() == Some(key));
        found.and_then(|(_, value)| value.as_str())
    };
    let text = of(ORTH)?;
    let part = Part {
        length: text.len(),
        norm: of(NORM).map(symbol::number),
    };
    Some((text, part))
}

//! Text to words.

use super::charset::CharSet;
use super::error::ParseError;
use super::msgpack::Value;
use super::pattern;
use super::rule::Rules;
use super::shape::is_space_character;
use super::special::Specials;
use super::url;

/// The package's file of this module.
pub(super) const FILE: &str = "tokenizer";

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Number of the norm, where a special case says one.
    pub(super) norm: Option<u64>,
}

/// The rules and special cases by which a text is cut.
#[derive(Debug)]
pub(super) struct Tokenizer {
    prefixes: Rules,
    suffixes: Rules,
    infixes: Rules,
    /// The letters of a top-level domain.
    top_level: CharSet,
    specials: Specials,
}

/// A run of characters without white space (or of nothing else), with the byte offset of each and of the end.
struct Chunk<'a> {
    text: &'a str,
    characters: &'a [char],
    offsets: &'a [usize],
}

impl Chunk<'_> {
    fn of(&self, from: usize, to: usize) -> &str {
        &self.text[self.offsets[from]..self.offsets[to]]
    }

    fn word(&self, (from, to): (usize, usize)) -> Word {
        Word {
            start: self.offsets[from],
            end: self.offsets[to],
            norm: None,
        }
    }
}

impl Tokenizer {
    /// Reads the package's file `tokenizer`.
    ///
    /// # Errors
    /// Where it is no msgpack, lacks a part, or a pattern has a form that is not translated.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let file = Value::read(FILE, bytes)?;
        let text = |key: &str| {
            let text = file.get(key).and_then(Value::text);
            text.ok_or_else(|| ParseError::content(FILE, format!("a pattern {key}"), "none"))
        };
        if file.get("token_match").is_some_and(|pattern| *pattern != Value::Nil) {
            return Err(ParseError::content(FILE, "no pattern token_match", "one"));
        }
        let exceptions = file.get("exceptions");
        let exceptions = exceptions.ok_or_else(|| ParseError::content(FILE, "special cases", "none"))?;
        let mut tokenizer = Self {
            prefixes: pattern::read(text("prefix_search")?)?,
            suffixes: pattern::read(text("suffix_search")?)?,
            infixes: pattern::read(text("infix_finditer")?)?,
            top_level: top_level(text("url_match")?)?,
            specials: Specials::read(exceptions)?,
        };
        for (case, _) in exceptions.pairs().unwrap_or_default() {
            tokenizer.add_sequence(case.text().unwrap_or_default());
        }
        Ok(tokenizer)
    }

    /// The words of a text in order; white space other than single blanks between words makes words of its own.
    ///
    /// Cost O(length).
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        self.specials.rejoin(text, self.cut(text, true))
    }

    /// Remembers a special case that the rules would cut.
    fn add_sequence(&mut self, case: &str) {
        let characters: Vec<char> = case.chars().collect();
        let is_cut = self.prefixes.prefix(&characters) > 0
            || self.suffixes.suffix(&characters) > 0
            || !self.infixes.all(&characters).is_empty()
            || case.contains(' ');
        if is_cut {
            let words = self.cut(case, false);
            let words = words.iter().map(|word| case[word.start..word.end].to_owned()).collect();
            self.specials.add_sequence(words);
        }
    }

    /// The words by the rules, with special cases or without.
    fn cut(&self, text: &str, with_specials: bool) -> Vec<Word> {
        let mut words = Vec::new();
        let (mut characters, mut offsets) = (Vec::new(), Vec::new());
        let mut flush = |characters: &mut Vec<char>, offsets: &mut Vec<usize>, end: usize| {
            offsets.push(end);
            let chunk = Chunk {
                text,
                characters,
                offsets,
            };
            if !chunk.characters.is_empty() {
                self.cut_chunk(&chunk, with_specials, &mut words);
            }
            characters.clear();
            offsets.clear();
        };
        let mut in_space = text.chars().next().is_some_and(is_space_character);
        for (at, character) in text.char_indices() {
            let is_space = is_space_character(character);
            if is_space != in_space {
                flush(&mut characters, &mut offsets, at);
                in_space = is_space;
                if character == ' ' {
                    continue;
                }
            }
            characters.push(character);
            offsets.push(at);
        }
        flush(&mut characters, &mut offsets, text.len());
        words
    }

    fn cut_chunk(&self, chunk: &Chunk<'_>, with_specials: bool, words: &mut Vec<Word>) {
        let (mut prefixes, mut suffixes) = (Vec::new(), Vec::new());
        let is_special = |from, to| with_specials && from < to && self.specials.has(chunk.of(from, to));
        let (mut from, mut to) = (0, chunk.characters.len());
        while from < to && !is_special(from, to) {
            let prefix = self.prefixes.prefix(&chunk.characters[from..to]);
            let inner = from + prefix;
            if prefix > 0 && is_special(inner, to) {
                prefixes.push((from, inner));
                from = inner;
                break;
            }
            let suffix = self.suffixes.suffix(&chunk.characters[inner..to]);
            let outer = to - suffix;
            if suffix > 0 && is_special(from, outer) {
                suffixes.push((outer, to));
                to = outer;
                break;
            }
            if prefix == 0 && suffix == 0 {
                break;
            }
            if prefix > 0 {
                prefixes.push((from, inner));
            }
            if suffix > 0 {
                suffixes.push((outer, to));
            }
            (from, to) = (inner, outer);
        }
        words.extend(prefixes.into_iter().map(|range| chunk.word(range)));
        if from < to && !(with_specials && self.specials.push(chunk.of(from, to), chunk.offsets[from], words)) {
            self.cut_core(chunk, from, to, words);
        }
        words.extend(suffixes.into_iter().rev().map(|range| chunk.word(range)));
    }

    /// What is left between prefixes and suffixes: an address, or words with infixes between them.
    fn cut_core(&self, chunk: &Chunk<'_>, from: usize, to: usize, words: &mut Vec<Word>) {
        let core = &chunk.characters[from..to];
        let mut start = 0;
        if !url::matches(core, &self.top_level) {
            for (infix, end) in self.infixes.all(core).into_iter().filter(|(infix, _)| *infix > 0) {
                if infix > start {
                    words.push(chunk.word((from + start, from + infix)));
                }
                words.push(chunk.word((from + infix, from + end)));
                start = end;
            }
        }
        if from + start < to {
            words.push(chunk.word((from + start, to)));
        }
    }
}

/// The class of a top-level domain's letters in the package's pattern of addresses.
fn top_level(pattern: &str) -> Result<CharSet, ParseError> {
    const BEFORE: &str = r"\.)+(?:";
    const BEHIND: &str = "{2,63}))";
    let class = pattern.split_once(BEFORE).and_then(|(_, rest)| rest.split_once(BEHIND));
    let (class, _) = class.ok_or_else(|| ParseError::content(FILE, "a top-level domain in url_match", "none"))?;
    pattern::class(class)
}

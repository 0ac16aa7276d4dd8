//! Forms of names, all in one index, and where a text has them.

use super::token::{Case, Token};
use banyan_engine::index::term;
use std::collections::{BTreeMap, HashMap};

/// Longest gap between two words of one name, in bytes, unless it is white space ("J. R. Reed", "Rose-Bud"). Arbitrary.
const MAX_GAP: usize = 4;
/// Marks between the parts of a foreign name in Chinese.
const DOTS: &[&str] = &["·", "•", "・", "‧"];
/// Shortest word that may be a plural, with its ending. Arbitrary.
pub(super) const MIN_PLURAL: usize = 4;

/// A name as a sequence of words.
pub(super) type Form = Vec<String>;

/// A place where a text has a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// First word, by position.
    pub(super) first: usize,
    /// One past the last word.
    pub(super) last: usize,
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte of the name, without the ending of a plural.
    pub(super) end: usize,
    /// Which form.
    pub(super) form: usize,
}

/// Forms by their first word.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    forms: Vec<Form>,
    /// First word → forms, the longest first.
    starts: HashMap<String, Vec<usize>>,
}

impl Forms {
    /// An index of these forms, which are numbered as they stand; an empty one never occurs. Cost O(n log n).
    pub(super) fn new(forms: Vec<Form>) -> Self {
        let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, form) in forms.iter().enumerate() {
            if let Some(word) = form.first() {
                by_word.entry(word).or_default().push(number);
            }
        }
        let longest_first = |(word, mut numbers): (&str, Vec<usize>)| {
            numbers.sort_by_key(|number| (std::cmp::Reverse(forms[*number].len()), *number));
            (word.to_owned(), numbers)
        };
        let starts = by_word.into_iter().map(longest_first).collect();
        Self { forms, starts }
    }

    /// The form with this number.
    pub(super) fn get(&self, number: usize) -> &Form {
        &self.forms[number]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// Leftmost-longest occurrences among the words of `text`, in order. Cost O(words · forms with the same first word).
    pub(super) fn occurrences(&self, text: &str, tokens: &[Token]) -> Vec<Occurrence> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let hit = self.at(text, tokens, at);
            found.extend(hit);
            at = hit.map_or(at + 1, |hit| hit.last);
        }
        found
    }

    fn at(&self, text: &str, tokens: &[Token], first: usize) -> Option<Occurrence> {
        let token = &tokens[first];
        let whole = self.starting(&token.key).iter();
        // A plural may be the only word of a name.
        let singular = singular(token).map_or(&[][..], |key| self.starting(key)).iter();
        whole.chain(singular).find_map(|number| {
            let last = first + self.forms[*number].len();
            let span = tokens.get(first..last)?;
            let end = self.matches(text, span, *number)?;
            Some(Occurrence {
                first,
                last,
                start: token.start,
                end,
                form: *number,
            })
        })
    }

    fn starting(&self, key: &str) -> &[usize] {
        self.starts.get(key).map_or(&[], Vec::as_slice)
    }

    /// Where the name ends, if these words are the form.
    fn matches(&self, text: &str, span: &[Token], number: usize) -> Option<usize> {
        let form = &self.forms[number];
        let (last_word, inner) = form.split_last()?;
        let (last, before) = span.split_last()?;
        let are_equal = before.iter().zip(inner).all(|(token, word)| token.key == *word);
        let is_near = span.windows(2).all(|pair| is_gap(text, &pair[0], &pair[1]));
        if !are_equal || !is_near {
            return None;
        }
        if last.key == *last_word {
            return Some(last.end);
        }
        (singular(last) == Some(last_word.as_str())).then(|| last.end - 1)
    }
}

/// What a capitalised word is without the ending of a plural.
fn singular(token: &Token) -> Option<&str> {
    let is_plural = token.case == Case::Upper && token.key.is_ascii() && token.key.len() >= MIN_PLURAL;
    let is_ascii = token.end - token.start == token.key.len();
    token.key.strip_suffix('s').filter(|_| is_plural && is_ascii)
}

/// Whether two words may belong to one name: white space or a few marks between them, and no empty line.
fn is_gap(text: &str, before: &Token, after: &Token) -> bool {
    let gap = &text[before.end..after.start];
    if before.is_ideograph && after.is_ideograph {
        return gap.is_empty() || DOTS.contains(&gap);
    }
    if gap.chars().all(char::is_whitespace) {
        return gap.matches('\n').count() < 2;
    }
    gap.len() <= MAX_GAP && !gap.contains(['[', ']'])
}

/// The form of a name: its words, without an article before them and marks around them.
pub(super) fn form(tokens: &[Token]) -> Form {
    let words: Form = tokens.iter().map(|token| token.key.clone()).collect();
    let is_article = |word: &String| matches!(word.as_str(), "the" | "a" | "an");
    let bare = usize::from(words.len() > 1 && words.first().is_some_and(is_article));
    words[bare..].to_vec()
}

/// Whether a form can be a name at all: it has two letters or more and is not made of function words and numbers.
pub(super) fn can_be_name(form: &[String]) -> bool {
    let n_chars: usize = form.iter().map(|word| word.chars().count()).sum();
    let is_content = |word: &String| !term::is_stop_word(word) && !word.bytes().all(|byte| byte.is_ascii_digit());
    let has_word = form.iter().any(|word| {
        let is_letter = word.chars().count() > 1 || word.starts_with(term::is_ideograph);
        is_letter && is_content(word)
    });
    n_chars > 1 && has_word && form.iter().all(|word| !word.is_empty())
}

//! A sentence as the reader is given it: a pronoun that opens it replaced by what the document is about.

use crate::facts::Context;
use crate::reading::Reading;
use crate::word::Word;
use banyan_engine::{Span, name};

/// Pronouns that open a sentence about the document's subject, and those that say what belongs to it; sorted.
const PRONOUNS: &[&str] = &["he", "it", "she", "they"];
const POSSESSIVES: &[&str] = &["her", "his", "its", "their"];

/// A sentence with its subject named.
pub(super) struct Utterance {
    /// What is read.
    pub(super) text: String,
    /// Where the sentence starts in the document.
    start: u32,
    /// Bytes of the name that was put in, and of all that was put in; 0 where nothing was.
    n_name: u32,
    n_put: u32,
    /// Bytes that it replaces.
    n_taken: u32,
}

impl Utterance {
    /// The sentence, with the document's title for a pronoun or for "The company" at its beginning.
    pub(super) fn new(reading: &Reading, sentence: Span, words: &[Word], context: &Context) -> Self {
        let text = reading.parsed.text();
        let spoken = sentence.of(text);
        let title = &reading.parsed.document.title;
        let bare = name::without_disambiguator(title).unwrap_or(title);
        let taken = opening(reading, words, context).filter(|_| !reading.own.is_empty() && !bare.is_empty());
        let Some((n_words, is_possessive)) = taken else {
            return Self {
                text: spoken.to_owned(),
                start: sentence.start,
                n_name: 0,
                n_put: 0,
                n_taken: 0,
            };
        };
        let put = format!("{bare}{}", if is_possessive { "'s" } else { "" });
        let n_taken = words[n_words - 1].span.end - sentence.start;
        let rest = spoken.get(n_taken as usize..).unwrap_or_default();
        Self {
            text: format!("{put}{rest}"),
            start: sentence.start,
            n_name: length(bare),
            n_put: length(&put),
            n_taken,
        }
    }

    /// Whether a span of the utterance lies in the name that was put in.
    pub(super) fn is_subject(&self, span: Span) -> bool {
        self.n_name > 0 && span.end <= self.n_name
    }

    /// Where a span of the utterance stands in the document: what was put in stands where the pronoun does. None for what
    /// lies half in it.
    pub(super) fn place(&self, span: Span) -> Option<Span> {
        if self.is_subject(span) {
            return Some(Span {
                start: self.start,
                end: self.start + self.n_taken,
            });
        }
        let shift = |at: u32| Some(self.start + self.n_taken + at.checked_sub(self.n_put)?);
        Some(Span {
            start: shift(span.start)?,
            end: shift(span.end)?,
        })
    }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// How many words at the beginning stand for the document's subject, and whether as its possessive.
fn opening(reading: &Reading, words: &[Word], context: &Context) -> Option<(usize, bool)> {
    let text = reading.parsed.text();
    let word = |at: usize| words.get(at).map(|word| word.of(text));
    let first = word(0)?.to_lowercase();
    if PRONOUNS.binary_search(&first.as_str()).is_ok() {
        return Some((1, false));
    }
    if POSSESSIVES.binary_search(&first.as_str()).is_ok() {
        return Some((1, true));
    }
    // "The company moved": a noun for what the document's subject is.
    let noun = word(1).filter(|noun| first == "the" && noun.starts_with(char::is_lowercase))?;
    let kind = context.phrases.type_of(noun)?;
    let is_alone = word(2).is_none_or(|next| next.starts_with(char::is_lowercase));
    let own = context.types.likely(&reading.own)?;
    (is_alone && context.schema.is_a(own, kind)).then_some((2, false))
}

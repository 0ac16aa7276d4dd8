//! Candidates: the spans of a passage that may be an end of a statement.
//!
//! Spans may overlap: where a name ends is decided together with what is said of it.

use super::token::{Token, tokens};
use super::value::{Value, values};
use banyan_engine::Span;
use std::collections::BTreeMap;

mod name;
mod phrase;
mod title;

/// Most candidates of one passage; the rest are passed over. Arbitrary: ordinary sentences have twenty to sixty.
const MAX_CANDIDATES: usize = 400;

/// How a candidate was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A run of capitalised words with the small words between them.
    Name,
    /// A part of such a run.
    Part,
    /// A part of such a run without commas, "and", "in" and the like.
    Unit,
    /// A name without the title or adjective before it, or that title.
    Stripped,
    /// Between quotation marks.
    Quoted,
    /// From the beginning of a sentence to its verb, bracket or comma.
    Opening,
    /// A date or year.
    Date,
    /// A number.
    Number,
    /// An adjective of origin.
    People,
    /// A run of lower-case words, or a part of one.
    Phrase,
    /// A lower-case word with "of" and a name.
    Office,
    /// What examples had as an end of a statement.
    Known,
}

impl Source {
    /// Its name in features.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Part => "part",
            Self::Unit => "unit",
            Self::Stripped => "stripped",
            Self::Quoted => "quoted",
            Self::Opening => "opening",
            Self::Date => "date",
            Self::Number => "number",
            Self::People => "people",
            Self::Phrase => "phrase",
            Self::Office => "office",
            Self::Known => "known",
        }
    }
}

/// A span that may be an end of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Its tokens.
    pub(crate) first: usize,
    /// One past its last token.
    pub(crate) end: usize,
    /// Its bytes.
    pub(crate) span: Span,
    /// How it was found, strongest first; at least one.
    pub(crate) sources: Vec<Source>,
    /// What it says as a date or number.
    pub(crate) value: Option<Value>,
}

impl Candidate {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.first < other.end && other.first < self.end
    }

    pub(crate) fn is(&self, source: Source) -> bool {
        self.sources.contains(&source)
    }

    /// Whether it can be what a sentence is about.
    pub(crate) fn is_subject(&self) -> bool {
        self.sources.iter().any(|source| {
            matches!(
                source,
                Source::Name
                    | Source::Part
                    | Source::Stripped
                    | Source::Unit
                    | Source::Quoted
                    | Source::Opening
                    | Source::Known
            )
        })
    }
}

/// A passage as the reader sees it.
#[derive(Clone, Debug)]
pub(crate) struct Passage<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// In text order, shorter first; no two have the same tokens.
    pub(crate) candidates: Vec<Candidate>,
}

impl<'a> Passage<'a> {
    /// Reads a text; `is_known` tells which texts (lower case, without spaces) examples had as ends. Cost O(words).
    pub(crate) fn new(text: &'a str, is_known: impl Fn(&str) -> bool) -> Self {
        let tokens = tokens(text);
        let mut finder = Finder {
            text,
            tokens: &tokens,
            found: BTreeMap::new(),
        };
        let values = values(text, &tokens);
        let mut taken = vec![false; tokens.len()];
        for (first, end, value) in &values {
            taken[*first..*end].fill(true);
            let source = if value.is_date() { Source::Date } else { Source::Number };
            finder.add(*first, *end, source);
        }
        name::find(&mut finder, &taken);
        title::find(&mut finder);
        phrase::find(&mut finder, &taken);
        known(&mut finder, is_known);
        let mut candidates: Vec<Candidate> = finder.found.into_values().collect();
        candidates.truncate(MAX_CANDIDATES);
        for (first, end, value) in values {
            let same = candidates
                .iter_mut()
                .find(|candidate| (candidate.first, candidate.end) == (first, end));
            if let Some(candidate) = same {
                candidate.value = Some(value);
            }
        }
        Self {
            text,
            tokens,
            candidates,
        }
    }

    /// A candidate's text.
    pub(crate) fn text_of(&self, candidate: &Candidate) -> &'a str {
        self.text
            .get(candidate.span.start as usize..candidate.span.end as usize)
            .unwrap_or("")
    }
}

/// Candidates while they are looked for.
pub(crate) struct Finder<'a> {
    text: &'a str,
    tokens: &'a [Token],
    found: BTreeMap<(usize, usize), Candidate>,
}

impl Finder<'_> {
    /// Adds the tokens `first..end`, or one more source for them.
    fn add(&mut self, first: usize, end: usize, source: Source) {
        let (Some(start), Some(last)) = (self.tokens.get(first), self.tokens[..end.min(self.tokens.len())].last())
        else {
            return;
        };
        if first >= end {
            return;
        }
        let span = Span {
            start: start.span.start,
            end: last.span.end,
        };
        let slot = self.found.entry((first, end)).or_insert_with(|| Candidate {
            first,
            end,
            span,
            sources: Vec::new(),
            value: None,
        });
        if !slot.sources.contains(&source) {
            slot.sources.push(source);
            slot.sources.sort_unstable();
        }
    }
}

/// Longest known text that is looked for, in tokens. Arbitrary.
const MAX_KNOWN: usize = 8;

/// Finds what examples had as ends.
fn known(finder: &mut Finder, is_known: impl Fn(&str) -> bool) {
    for first in 0..finder.tokens.len() {
        if !finder.tokens[first].is_word() {
            continue;
        }
        let mut text = String::new();
        for end in first + 1..=finder.tokens.len().min(first + MAX_KNOWN) {
            let token = &finder.tokens[end - 1];
            text.extend(token.span.of(finder.text).chars().flat_map(char::to_lowercase));
            let is_closed = token.is_word() || token.is_mark(")");
            if is_closed && text.chars().count() > 1 && is_known(&text) {
                finder.add(first, end, Source::Known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds that a text has these candidates, each with these sources among its own.
    fn check(text: &str, expected: &[(&str, Source)]) {
        let passage = Passage::new(text, |text| text == "dance-pop");
        for (part, source) in expected {
            let found = passage
                .candidates
                .iter()
                .find(|candidate| passage.text_of(candidate) == *part);
            let sources = found.map(|candidate| candidate.sources.clone()).unwrap_or_default();
            assert!(sources.contains(source), "{text}: {part} {source:?}, found {sources:?}");
        }
    }

    #[test]
    fn names_come_whole_and_in_parts() {
        check(
            "The University of Melbourne hired Ada Voss, J. R. Reed and Mary in Geelong, Victoria.",
            &[
                ("The University of Melbourne", Source::Name),
                ("University of Melbourne", Source::Part),
                ("Ada Voss", Source::Part),
                ("J. R. Reed", Source::Part),
                ("Geelong", Source::Part),
                ("Geelong, Victoria", Source::Part),
            ],
        );
        check(
            "The 14th Kent Infantry Monument, led by President Ada Voss.",
            &[
                ("14th Kent Infantry Monument", Source::Unit),
                ("Ada Voss", Source::Stripped),
            ],
        );
    }

    #[test]
    fn titles_end_at_quotation_marks_or_at_the_verb() {
        check(
            "Always Room for One More: A Tale is \"My Own\".",
            &[
                ("Always Room for One More", Source::Opening),
                ("My Own", Source::Quoted),
            ],
        );
    }

    #[test]
    fn values_phrases_and_known_texts_are_candidates() {
        check(
            "It is a 1986 American science fiction film of 3 May 1987, the first dance-pop, by the president of Burundi.",
            &[
                ("1986", Source::Date),
                ("American", Source::People),
                ("science fiction film", Source::Phrase),
                ("science fiction", Source::Phrase),
                ("3 May 1987", Source::Date),
                ("dance-pop", Source::Known),
                ("president of Burundi", Source::Office),
            ],
        );
    }
}

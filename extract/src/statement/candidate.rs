//! Candidates: the spans of a passage that may be an end of a statement.
//!
//! Spans may overlap: where a name ends is decided together with what is said of it.

use super::run::{capitalised, is_balanced, is_close_joint, is_joint, is_trimmed, pieces};
use super::token::{Kind, Token};
use super::value::{Value, values};
use crate::word_list::List;
use banyan_engine::Span;
use std::collections::BTreeMap;

/// Most candidates of one passage; the rest are passed over. Arbitrary: ordinary sentences have twenty to sixty.
const MAX_CANDIDATES: usize = 400;
/// Small words and marks at which two names may meet.
const WEAK: &[&str] = &[
    "and", "at", "from", "in", "on", "or", "to", "with", ",", "(", ")", ":", "/", ".", "-", "–",
];
/// Most small words and marks in a row within a name.
const MAX_JOINTS: usize = 3;
/// Most pieces of one part of a name, and in a name of more than eight pieces. Arbitrary: the number of parts grows
/// with it.
const MAX_PART: [usize; 2] = [4, 2];
/// Longest name and longest phrase, in tokens. Arbitrary.
const MAX_NAME: usize = 16;
const MAX_PHRASE: usize = 3;
/// Longest run of lower-case words of which phrases are made; longer ones are no noun phrases.
const MAX_RUN: usize = 8;

/// How a candidate was found, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A run of capitalised words with the small words between them.
    Name,
    /// A part of such a run.
    Part,
    /// A part of such a run without commas, "and", "in" and the like.
    Unit,
    /// Between quotation marks.
    Quoted,
    /// A date or year.
    Date,
    /// A number.
    Number,
    /// A run of lower-case words, or a part of one.
    Phrase,
}

impl Source {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Part => "part",
            Self::Unit => "unit",
            Self::Quoted => "quoted",
            Self::Date => "date",
            Self::Number => "number",
            Self::Phrase => "phrase",
        }
    }
}

/// A span that may be an end of a statement.
#[derive(Clone, Debug, PartialEq)]
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

    /// Whether it can be what a sentence is about: a name or quotation.
    pub(crate) fn is_subject(&self) -> bool {
        self.sources.first().is_some_and(|source| *source <= Source::Quoted)
    }
}

/// The candidates among the tokens of a text, in text order, shorter first; no two have the same tokens. Cost O(words).
pub(crate) fn candidates(text: &str, tokens: &[Token]) -> Vec<Candidate> {
    let mut finder = Finder {
        tokens,
        taken: vec![false; tokens.len()],
        found: BTreeMap::new(),
    };
    let mut said: BTreeMap<(usize, usize), Value> = BTreeMap::new();
    for (first, end, value) in values(text, tokens) {
        finder.taken[first..end].fill(true);
        finder.add(first, end, if value.is_date() { Source::Date } else { Source::Number });
        said.insert((first, end), value);
    }
    finder.names();
    finder.quotations();
    finder.phrases();
    let found = finder.found.into_iter().take(MAX_CANDIDATES);
    found
        .map(|((first, end), mut sources)| {
            sources.sort_unstable();
            sources.dedup();
            Candidate {
                first,
                end,
                span: tokens[first].span.to(tokens[end - 1].span),
                sources,
                value: said.remove(&(first, end)),
            }
        })
        .collect()
}

/// Candidates while they are looked for.
struct Finder<'a> {
    tokens: &'a [Token],
    /// Which tokens belong to dates and numbers, which only an inner part of a name may have.
    taken: Vec<bool>,
    found: BTreeMap<(usize, usize), Vec<Source>>,
}

impl Finder<'_> {
    /// Adds the tokens `first..end`, or one more source for them.
    fn add(&mut self, first: usize, end: usize, source: Source) {
        if first < end && end <= self.tokens.len() {
            self.found.entry((first, end)).or_default().push(source);
        }
    }

    /// Adds a name, and the same without a leading article.
    fn add_name(&mut self, first: usize, end: usize, source: Source) {
        let token = &self.tokens[first];
        let is_alone = end - first == 1;
        let is_month =
            || List::Calendar.has(&capitalised(&token.lower)) && !matches!(token.lower.as_str(), "may" | "march");
        if is_alone && (token.is_function || token.kind == Kind::Number || is_month()) {
            return;
        }
        self.add(first, end, source);
        if matches!(token.lower.as_str(), "the" | "a" | "an") && !is_alone {
            self.add(first + 1, end, Source::Part);
        }
    }

    /// Finds the runs of capitalised words, whole and in parts.
    fn names(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.begins_name(at) {
                let end = self.name_end(at);
                self.add_run(at, end);
                at = end;
            } else {
                at += 1;
            }
        }
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| match token.kind {
            Kind::Word => (token.is_capital && !self.taken[at]) || token.lower.starts_with("al-"),
            Kind::Number => !self.taken[at],
            _ => false,
        })
    }

    fn begins_name(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let is_article = matches!(token.lower.as_str(), "the" | "a" | "an" | "i" | "my" | "one");
        let is_opener = token.is_initial && List::SentenceOpeners.has(&token.lower);
        let is_bare = token.is_function && !is_article && token.is_initial;
        let goes_on = || self.is_name(at + 1) && self.tokens[at + 1].kind == Kind::Word;
        match token.kind {
            Kind::Number => self.is_name(at) && goes_on(),
            Kind::Word if is_opener || is_bare => false,
            Kind::Word if is_article => token.is_capital && goes_on(),
            Kind::Word => self.is_name(at),
            _ => false,
        }
    }

    /// One past the last token of the run that begins at `first`.
    fn name_end(&self, first: usize) -> usize {
        let mut last = first;
        for (at, token) in self.tokens.iter().enumerate().skip(first + 1) {
            if token.sentence != self.tokens[first].sentence || at - last > MAX_JOINTS + 1 {
                break;
            }
            let is_digits = token.kind == Kind::Number && at == last + 1;
            if (self.is_name(at) && token.kind == Kind::Word) || is_digits {
                last = at;
            } else if !is_joint(token) {
                break;
            }
        }
        last + 1
    }

    fn add_run(&mut self, first: usize, end: usize) {
        let tokens = self.tokens;
        if end - first <= MAX_NAME && is_balanced(&tokens[first..end]) {
            self.add_name(first, end, Source::Name);
        }
        let is_weak = |token: &Token| {
            token.kind == Kind::Possessive || (!token.is_capital && WEAK.contains(&token.lower.as_str()))
        };
        for unit in pieces(tokens, first..end, is_weak) {
            let is_inner = |at: &usize| !is_trimmed(&tokens[*at]);
            if let (Some(start), Some(last)) = (unit.clone().find(is_inner), unit.clone().rev().find(is_inner)) {
                self.add_name(start, last + 1, Source::Unit);
            }
        }
        let cuts = |token: &Token| {
            let is_open = is_joint(token) && !is_close_joint(token) && token.kind != Kind::Number;
            is_open && (!token.is_capital || token.is_function)
        };
        let pieces = pieces(tokens, first..end, cuts);
        let reach = MAX_PART[usize::from(pieces.len() > MAX_RUN)];
        for (at, piece) in pieces.iter().enumerate() {
            for other in pieces.iter().skip(at).take(reach) {
                if is_balanced(&tokens[piece.start..other.end]) {
                    self.add_name(piece.start, other.end, Source::Part);
                }
            }
        }
    }

    /// Adds what stands between each pair of quotation marks, with and without the comma or full stop at its end.
    fn quotations(&mut self) {
        let mut open: Option<usize> = None;
        for (at, token) in self.tokens.iter().enumerate() {
            let is_opening = matches!(token.lower.as_str(), "“" | "«" | "《");
            let is_closing = matches!(token.lower.as_str(), "\"" | "”" | "»" | "》");
            let inner = open.filter(|start| is_closing && *start < at && at - start <= MAX_NAME);
            if let Some(start) = inner {
                self.add(start, at, Source::Quoted);
                if self.tokens[at - 1].is_mark(",") || self.tokens[at - 1].is_mark(".") {
                    self.add(start, at - 1, Source::Quoted);
                }
                open = None;
            } else if is_opening || token.lower == "\"" {
                open = Some(at + 1);
            }
        }
    }

    /// Adds the beginnings and ends of runs of lower-case words: genres, professions, products.
    fn phrases(&mut self) {
        let tokens = self.tokens;
        let is_cut = |token: &Token| !token.is_content() || token.is_capital || token.lower.ends_with("ly");
        for run in pieces(tokens, 0..tokens.len(), is_cut) {
            let run = run.start..run.end.min(run.start + MAX_RUN);
            for first in run.clone() {
                for end in first + 1..=run.end.min(first + MAX_PHRASE) {
                    let is_within = tokens[first].sentence == tokens[end - 1].sentence && !self.taken[first];
                    if is_within && (first == run.start || end == run.end) {
                        self.add(first, end, Source::Phrase);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::token::tokens;

    /// Holds that a text has these candidates, each with these sources among its own.
    fn check(text: &str, expected: &[(&str, Source)]) {
        let candidates = candidates(text, &tokens(text));
        for (part, source) in expected {
            let found = candidates.iter().find(|candidate| candidate.span.of(text) == *part);
            let sources = found.map(|candidate| candidate.sources.clone()).unwrap_or_default();
            assert!(sources.contains(source), "{text}: {part} {source:?}, found {sources:?}");
        }
    }

    #[test]
    fn names_come_whole_and_in_parts() {
        check(
            "The University of Wrenna hired Ada Voss, J. R. Reed and Mary in Tidd, Ommer.",
            &[
                ("The University of Wrenna", Source::Name),
                ("University of Wrenna", Source::Part),
                ("Ada Voss", Source::Part),
                ("J. R. Reed", Source::Part),
                ("Tidd", Source::Part),
                ("Tidd, Ommer", Source::Part),
            ],
        );
        check(
            "The 14th Kent Infantry Monument, led by Ada Voss.",
            &[("14th Kent Infantry Monument", Source::Unit)],
        );
    }

    #[test]
    fn titles_end_at_quotation_marks() {
        check("Always Room is \"My Own\".", &[("My Own", Source::Quoted)]);
    }

    #[test]
    fn values_and_phrases_are_candidates() {
        check(
            "It is a 1986 American science fiction film of 3 May 1987.",
            &[
                ("1986", Source::Date),
                ("science fiction film", Source::Phrase),
                ("science fiction", Source::Phrase),
                ("3 May 1987", Source::Date),
            ],
        );
    }
}

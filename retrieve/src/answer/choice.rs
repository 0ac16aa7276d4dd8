//! Possible answers in a sentence: names, values, phrases.

use super::Expected;
use super::ask::Ask;
use super::page::{Page, Sentence};
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{EntityId, Span};

/// What a possible answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// An entity that the sentence names, or that its document is about.
    Entity(EntityId),
    /// A date, number or quantity.
    Value(ValueKind),
    /// Words without a capital between small words: "urban landscapes".
    Phrase,
}

/// A possible answer with its place.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) text: String,
    pub(crate) sort: Sort,
    /// Where the sentence has it; `None` for the title of its document.
    pub(crate) span: Option<Span>,
}

/// A word of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) span: Span,
    /// Its term; `None` for a word without topic.
    pub(crate) term: Option<String>,
    pub(crate) lower: String,
}

/// Longest phrase without a capital, in words. Arbitrary.
const MAX_PHRASE: usize = 4;

/// The words of a sentence, in order.
pub(crate) fn words(text: &str, sentence: Span) -> Vec<Word> {
    let mut words = Vec::new();
    let part = sentence.of(text);
    let mut start = None;
    for (at, ch) in part.char_indices().chain(std::iter::once((part.len(), ' '))) {
        match (ch.is_alphanumeric() || ch == '\'' && start.is_some(), start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                let span = Span::new(sentence.start as usize + first, sentence.start as usize + at);
                let word = span.of(text);
                words.push(Word {
                    span,
                    term: term::terms(word).into_iter().next(),
                    lower: word.to_lowercase(),
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// The possible answers in one sentence of a page.
pub(crate) fn choices(ask: &Ask, page: &Page<'_>, sentence: &Sentence) -> Vec<Choice> {
    let text = page.text;
    let wants = |kind: ValueKind| match ask.expected {
        Expected::Date => kind == ValueKind::Date,
        Expected::Number => matches!(kind, ValueKind::Number | ValueKind::Quantity),
        Expected::Any => true,
        _ => false,
    };
    let mut found: Vec<Choice> = Vec::new();
    for literal in sentence.literals.iter().filter(|literal| wants(literal.kind)) {
        let is_year = ask.is_year && literal.kind == ValueKind::Date;
        let span = if is_year {
            year(text, literal.span)
        } else {
            literal.span
        };
        found.push(Choice::at(text, span, Sort::Value(literal.kind)));
    }
    if matches!(ask.expected, Expected::Date | Expected::Number) {
        return found;
    }
    let inside = |(span, _): &&(Span, EntityId)| span.end > span.start && sentence.span.contains(*span);
    let names = page.entities.iter().filter(inside);
    found.extend(names.map(|(span, entity)| Choice::at(text, *span, Sort::Entity(*entity))));
    if let Some(own) = page.own {
        found.push(Choice {
            text: page.title.to_owned(),
            sort: Sort::Entity(own),
            span: None,
        });
    }
    if ask.expected == Expected::Any {
        found.extend(phrases(text, &page.entities, &sentence.words));
    }
    found
}

impl Choice {
    fn at(text: &str, span: Span, sort: Sort) -> Self {
        Self {
            text: span.of(text).to_owned(),
            sort,
            span: Some(span),
        }
    }
}

/// The four digits of the year in a date.
fn year(text: &str, span: Span) -> Span {
    let part = span.of(text);
    let digits = part
        .char_indices()
        .filter(|(at, ch)| ch.is_ascii_digit() && part[*at..].chars().take_while(char::is_ascii_digit).count() == 4);
    let mut starts = digits.map(|(at, _)| at);
    match starts.next() {
        Some(at) => Span::new(span.start as usize + at, span.start as usize + at + 4),
        None => span,
    }
}

/// Runs of words without a capital and with a topic.
fn phrases(text: &str, entities: &[(Span, EntityId)], words: &[Word]) -> Vec<Choice> {
    let is_part = |word: &Word| {
        word.term.is_some()
            && !word.span.of(text).starts_with(char::is_uppercase)
            && !word.span.of(text).starts_with(|ch: char| ch.is_ascii_digit())
            && !entities.iter().any(|(span, _)| span.overlaps(word.span))
    };
    let joins = |left: &Word, right: &Word| {
        let between = Span {
            start: left.span.end,
            end: right.span.start,
        }
        .of(text);
        matches!(between, " " | "-")
    };
    let mut found = Vec::new();
    let mut first = 0;
    while first < words.len() {
        if !is_part(&words[first]) {
            first += 1;
            continue;
        }
        let mut end = first + 1;
        while end < words.len() && is_part(&words[end]) && joins(&words[end - 1], &words[end]) {
            end += 1;
        }
        if end - first <= MAX_PHRASE {
            let span = Span {
                start: words[first].span.start,
                end: words[end - 1].span.end,
            };
            found.push(Choice::at(text, span, Sort::Phrase));
        }
        first = end;
    }
    found
}

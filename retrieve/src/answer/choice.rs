//! Possible answers in a sentence: names, values, phrases.

use super::Expected;
use super::ask::Ask;
use super::page::{Page, Sentence};
use super::value;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{EntityId, Span};
use banyan_extract::gazetteer;

/// What a possible answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// An entity that the sentence names, or that its document is about.
    Entity(EntityId),
    /// A date, number or quantity.
    Value(ValueKind),
    /// A well-known place of which the corpus has no entity.
    Place,
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
pub(crate) fn choices(searcher: &Searcher, ask: &Ask, page: &Page<'_>, sentence: &Sentence) -> Vec<Choice> {
    let text = page.text;
    let wants = |kind: ValueKind| match ask.expected {
        Expected::Date => kind == ValueKind::Date,
        Expected::Number => matches!(kind, ValueKind::Number | ValueKind::Quantity),
        Expected::Any => true,
        _ => false,
    };
    if ask.noun.as_deref() == Some("nationality") {
        return peoples(text, &sentence.words);
    }
    let mut found: Vec<Choice> = Vec::new();
    let spoken = value::spoken(ask, text, sentence).into_iter();
    found.extend(spoken.map(|(span, kind)| Choice::at(text, span, Sort::Value(kind))));
    for literal in sentence.literals.iter().filter(|literal| wants(literal.kind)) {
        let is_year = ask.is_year && literal.kind == ValueKind::Date;
        let span = if is_year {
            value::year(text, literal.span)
        } else {
            value::with_unit(text, literal.span, &sentence.words)
        };
        found.push(Choice::at(text, span, Sort::Value(literal.kind)));
    }
    if matches!(ask.expected, Expected::Date | Expected::Number) {
        return found;
    }
    let inside = |(span, _): &&(Span, EntityId)| span.end > span.start && sentence.span.contains(*span);
    let names = page.entities.iter().filter(inside);
    found.extend(names.map(|(span, entity)| Choice::at(text, whole(text, *span), Sort::Entity(*entity))));
    if let Some(own) = page.own {
        found.push(Choice {
            text: page.title.to_owned(),
            sort: Sort::Entity(own),
            span: None,
        });
    }
    if let Some(noun) = &ask.noun {
        found.extend(places(searcher, noun, page, sentence));
    }
    if ask.expected == Expected::Any {
        found.extend(phrases(text, &page.entities, &sentence.words));
    }
    found
}

/// A name with what belongs to it but was cut off: "Jon Eld, Jr."; without a group behind it: "Mara Voss of the Larks".
fn whole(text: &str, name: Span) -> Span {
    let behind = text.get(name.end as usize..).unwrap_or_default();
    let is_end = |suffix: &&&str| !behind[suffix.len()..].starts_with(char::is_alphanumeric);
    let suffixes = SUFFIXES.iter().filter(|suffix| behind.starts_with(**suffix));
    if let Some(suffix) = suffixes.filter(is_end).max_by_key(|suffix| suffix.len()) {
        return Span::new(name.start as usize, name.end as usize + suffix.len());
    }
    match name.of(text).split_once(" of the ") {
        Some((own, _)) if own.contains(' ') && !own.contains(" of ") && own.split(' ').all(is_capitalised) => {
            Span::new(name.start as usize, name.start as usize + own.len())
        }
        _ => name,
    }
}

fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// What ends the names of sons.
const SUFFIXES: &[&str] = &[
    ", Jr.", ", Jr", " Jr.", " Jr", ", Sr.", ", Sr", " Sr.", " Sr", ", III", " III", ", II", " II",
];

/// Well-known places of the kind asked for that stand within longer names, and the countries of peoples: "Norwegian".
fn places(searcher: &Searcher, noun: &str, page: &Page<'_>, sentence: &Sentence) -> Vec<Choice> {
    let words = &sentence.words;
    let is_name = |word: &Word| word.span.of(page.text).starts_with(char::is_uppercase);
    let sort = |name: &str| {
        searcher
            .named(name)
            .first()
            .map_or(Sort::Place, |entity| Sort::Entity(*entity))
    };
    let mut found = Vec::new();
    for first in (0..words.len()).filter(|at| is_name(&words[*at])) {
        for last in first..words.len().min(first + MAX_PLACE) {
            if !is_name(&words[last]) {
                continue;
            }
            let span = Span {
                start: words[first].span.start,
                end: words[last].span.end,
            };
            let text = span.of(page.text);
            if gazetteer::place(text) == Some(noun) && !page.entities.iter().any(|(own, _)| *own == span) {
                found.push(Choice::at(page.text, span, sort(text)));
            }
        }
        let people = words[first].span;
        let country = gazetteer::country_of(people.of(page.text)).filter(|_| matches!(noun, "country" | "nation"));
        found.extend(country.map(|country| Choice {
            text: country.to_owned(),
            sort: sort(country),
            span: Some(people),
        }));
    }
    found
}

/// Longest well-known place, in words. Arbitrary.
const MAX_PLACE: usize = 3;
/// Capitalised words between "is a" and its noun: "is an *American* singer".
fn peoples(text: &str, words: &[Word]) -> Vec<Choice> {
    let is_copula = |pair: &[Word]| {
        matches!(pair[0].lower.as_str(), "is" | "was") && matches!(pair[1].lower.as_str(), "a" | "an" | "the")
    };
    let Some(at) = words.windows(2).position(is_copula) else {
        return Vec::new();
    };
    let is_name = |word: &&Word| word.span.of(text).starts_with(char::is_uppercase);
    let Some(first) = words[at + 2..].iter().take(MAX_PHRASE).position(|word| is_name(&word)) else {
        return Vec::new();
    };
    let run: Vec<&Word> = words[at + 2 + first..].iter().take_while(is_name).collect();
    let whole = run.first().zip(run.last()).map(|(first, last)| Span {
        start: first.span.start,
        end: last.span.end,
    });
    whole
        .into_iter()
        .map(|span| Choice::at(text, span, Sort::Phrase))
        .collect()
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

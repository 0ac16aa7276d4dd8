//! Possible answers in a sentence: names, values, phrases.

use super::ask::Ask;
use super::page::{Page, Sentence};
use crate::question::Expected;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{EntityId, Span};
use banyan_extract::gazetteer;

/// What a possible answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// An entity that the sentence names, or that its document is about.
    Entity(EntityId),
    /// A date, number or quantity.
    Value(ValueKind),
    /// A well-known place of which the corpus has no entity.
    Place,
    /// Words without a capital between small words: "urban landscapes".
    Phrase,
}

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) sort: Sort,
    /// Where the sentence has it; `None` for the title of its document.
    pub(super) span: Option<Span>,
}

impl Candidate {
    fn at(text: &str, span: Span, sort: Sort) -> Self {
        Self {
            text: span.of(text).to_owned(),
            sort,
            span: Some(span),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) span: Span,
    /// Its term; `None` for a word without topic.
    pub(super) term: Option<String>,
    pub(super) lower: String,
}

/// Longest phrase without a capital, in words. Arbitrary.
const MAX_PHRASE: usize = 4;
/// Longest well-known place, in words. Arbitrary.
const MAX_PLACE: usize = 3;

/// The words of a sentence, in order.
pub(super) fn words(text: &str, sentence: Span) -> Vec<Word> {
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

pub(super) fn candidates(searcher: &Searcher, ask: &Ask, page: &Page<'_>, sentence: &Sentence) -> Vec<Candidate> {
    let text = page.text;
    let wants = |kind: ValueKind| match ask.expected {
        Expected::Date => kind == ValueKind::Date,
        Expected::Number => matches!(kind, ValueKind::Number | ValueKind::Quantity),
        Expected::Any => true,
        Expected::Entity(_) | Expected::YesNo => false,
    };
    let values = sentence.literals.iter().filter(|literal| wants(literal.kind));
    let mut found: Vec<Candidate> = values
        .map(|literal| {
            let is_year = ask.is_year && literal.kind == ValueKind::Date;
            let span = if is_year {
                year(text, literal.span)
            } else {
                literal.span
            };
            Candidate::at(text, span, Sort::Value(literal.kind))
        })
        .collect();
    if matches!(ask.expected, Expected::Date | Expected::Number) {
        return found;
    }
    let inside = |(span, _): &&(Span, EntityId)| span.end > span.start && sentence.span.contains(*span);
    let is_term = |entity: EntityId| searcher.knowledge().graph.entity(entity).is_term;
    let names = page.mentions.iter().filter(|(_, entity)| !is_term(*entity));
    let names: Vec<_> = names.copied().collect();
    let inner = names.iter().filter(inside);
    found.extend(inner.map(|(span, entity)| Candidate::at(text, *span, Sort::Entity(*entity))));
    found.extend(page.own.map(|own| Candidate {
        text: page.title.to_owned(),
        sort: Sort::Entity(own),
        span: None,
    }));
    if let Some(noun) = &ask.noun {
        found.extend(places(searcher, noun, page, sentence));
    }
    if ask.expected == Expected::Any {
        found.extend(phrases(page.text, &sentence.words, &names));
    }
    found
}

fn year(text: &str, span: Span) -> Span {
    let part = span.of(text);
    let digits = |at: usize| part[at..].chars().take_while(char::is_ascii_digit).count();
    let mut starts = part.char_indices().map(|(at, _)| at).filter(|at| digits(*at) == 4);
    starts.next().map_or(span, |at| {
        let start = span.start as usize + at;
        Span::new(start, start + 4)
    })
}

/// Well-known places of the kind asked for that stand within longer names, and the countries of peoples: "Norwegian".
fn places(searcher: &Searcher, noun: &str, page: &Page<'_>, sentence: &Sentence) -> Vec<Candidate> {
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
        for last in (first..words.len().min(first + MAX_PLACE)).filter(|at| is_name(&words[*at])) {
            let span = Span {
                start: words[first].span.start,
                end: words[last].span.end,
            };
            let text = span.of(page.text);
            if gazetteer::place(text) == Some(noun) && !page.mentions.iter().any(|(own, _)| *own == span) {
                found.push(Candidate::at(page.text, span, sort(text)));
            }
        }
        let people = words[first].span;
        let country = gazetteer::country_of(people.of(page.text)).filter(|_| matches!(noun, "country" | "nation"));
        found.extend(country.map(|country| Candidate {
            text: country.to_owned(),
            sort: sort(country),
            span: Some(people),
        }));
    }
    found
}

/// Runs of words without a capital and with a topic, outside of names.
fn phrases(text: &str, words: &[Word], names: &[(Span, EntityId)]) -> Vec<Candidate> {
    let is_part = |word: &Word| {
        let starts = |is: fn(char) -> bool| word.span.of(text).starts_with(is);
        let is_named = || names.iter().any(|(span, _)| span.overlaps(word.span));
        word.term.is_some() && !starts(char::is_uppercase) && !starts(|ch| ch.is_ascii_digit()) && !is_named()
    };
    let joins = |left: &Word, right: &Word| {
        let between = text.get(left.span.end as usize..right.span.start as usize);
        is_part(left) && is_part(right) && matches!(between, Some(" " | "-"))
    };
    let runs = words.chunk_by(joins);
    let phrases = runs.filter(|run| run.len() <= MAX_PHRASE && is_part(&run[0]));
    phrases
        .map(|run| {
            let span = Span {
                start: run[0].span.start,
                end: run[run.len() - 1].span.end,
            };
            Candidate::at(text, span, Sort::Phrase)
        })
        .collect()
}

//! Possible answers in a sentence: names, values, phrases.

use super::ask::Ask;
use super::page::{Page, Sentence};
use crate::question::Expected;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::schema::ValueKind;
use banyan_engine::{EntityId, Span, name};
use banyan_extract::gazetteer;
use std::sync::Arc;

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
    /// The same in lower case: candidates with one key are one answer.
    pub(super) key: String,
    pub(super) terms: Vec<String>,
    pub(super) sort: Sort,
    /// Where the sentence has it; `None` for the title of its document.
    pub(super) span: Option<Span>,
}

impl Candidate {
    pub(super) fn new(text: &str, sort: Sort, span: Option<Span>) -> Arc<Self> {
        Arc::new(Self {
            text: text.to_owned(),
            key: text.to_lowercase(),
            terms: term::terms(text),
            sort,
            span,
        })
    }

    fn at(text: &str, span: Span, sort: Sort) -> Arc<Self> {
        Self::new(span.of(text), sort, Some(span))
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
        let is_inner = ch.is_alphanumeric() || ch == '\'' && start.is_some() || name::is_sign(part, at);
        match (is_inner, start) {
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

/// What a sentence has of the kind that a step asks for.
pub(super) fn candidates(searcher: &Searcher, ask: &Ask, page: &Page<'_>, sentence: &Sentence) -> Vec<Arc<Candidate>> {
    let text = page.text;
    let wants = |kind: ValueKind| match ask.expected {
        Expected::Date => kind == ValueKind::Date,
        Expected::Number => matches!(kind, ValueKind::Number | ValueKind::Quantity),
        Expected::Any => true,
        Expected::Entity(_) | Expected::YesNo => false,
    };
    let mut found: Vec<Arc<Candidate>> = Vec::new();
    if !matches!(ask.expected, Expected::Entity(_) | Expected::YesNo) {
        let values = sentence.literals(text).iter().filter(|literal| wants(literal.kind));
        found.extend(values.map(|literal| {
            let is_year = ask.is_year && literal.kind == ValueKind::Date;
            let span = if is_year {
                year(text, literal.span)
            } else {
                literal.span
            };
            Candidate::at(text, span, Sort::Value(literal.kind))
        }));
    }
    if matches!(ask.expected, Expected::Date | Expected::Number) {
        return found;
    }
    found.extend(sentence.names(page).iter().cloned());
    found.extend(page.own.clone());
    if let Some(noun) = &ask.noun {
        let is_fit = |known: &&Known| known.noun == noun || (known.is_people && noun == "nation");
        let places = sentence.places(searcher, page).iter().filter(is_fit);
        found.extend(places.map(|known| Arc::clone(&known.candidate)));
    }
    if ask.expected == Expected::Any {
        found.extend(sentence.phrases(page).iter().cloned());
    }
    found
}

/// The names in a sentence, terms apart.
pub(super) fn names(page: &Page<'_>, sentence: Span) -> Vec<Arc<Candidate>> {
    let inside = |(span, _): &&(Span, EntityId)| span.end > span.start && sentence.contains(*span);
    let inner = page.names.iter().filter(inside);
    inner
        .map(|(span, entity)| Candidate::at(page.text, *span, Sort::Entity(*entity)))
        .collect()
}

/// A well-known place, and the noun for what it is.
pub(super) struct Known {
    noun: &'static str,
    /// Whether it is the country of a people: "Norwegian".
    is_people: bool,
    candidate: Arc<Candidate>,
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

/// Well-known places that stand within longer names, and the countries of peoples: "Norwegian".
pub(super) fn places(searcher: &Searcher, page: &Page<'_>, words: &[Word]) -> Vec<Known> {
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
            let known = gazetteer::place(text).filter(|_| !page.mentions.iter().any(|(own, _)| *own == span));
            found.extend(known.map(|noun| Known {
                noun,
                is_people: false,
                candidate: Candidate::at(page.text, span, sort(text)),
            }));
        }
        let people = words[first].span;
        found.extend(gazetteer::country_of(people.of(page.text)).map(|country| Known {
            noun: "country",
            is_people: true,
            candidate: Candidate::new(country, sort(country), Some(people)),
        }));
    }
    found
}

/// Runs of words without a capital and with a topic, outside of names.
pub(super) fn phrases(page: &Page<'_>, words: &[Word]) -> Vec<Arc<Candidate>> {
    let text = page.text;
    let is_part = |word: &Word| {
        let starts = |is: fn(char) -> bool| word.span.of(text).starts_with(is);
        let is_named = || page.names.iter().any(|(span, _)| span.overlaps(word.span));
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

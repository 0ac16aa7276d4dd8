//! Columns from dates that recur with a verb, places and types from first sentences.

use super::{Found, column, enough};
use crate::record::fill::{Compounds, definition, place};
use crate::record::literal::{days, year_of};
use crate::record::page::{Page, Sentence};
use crate::record::thesaurus::{Unit, units};
use banyan_engine::Span;
use banyan_engine::table::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the documents in which a verb has to have a date.
const SHARE: f32 = 0.3;
/// Share of the documents whose first sentences have to name a place, or a type.
const MOST: f32 = 0.6;
/// Sentences in which a page says what and where its subject is.
const LEAD: usize = 4;
/// Words between a verb and its date.
const REACH: usize = 4;

/// How a verb is written, the documents that date it, and how many of its dates are days.
#[derive(Default)]
struct Event(BTreeMap<String, usize>, BTreeSet<usize>, usize);

/// The dates of what happened to a subject: `opened on 3 May 1901`, `renovated in 1990`.
pub(super) fn dated(pages: &[Page<'_>]) -> Vec<Found> {
    let mut verbs: BTreeMap<String, Event> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for sentence in &page.sentences {
            for (verb, is_day) in verbs_of(sentence, &page.document.text) {
                let Some(unit) = units(&verb).first().cloned() else {
                    continue;
                };
                let entry = verbs.entry(unit.meaning()).or_default();
                *entry.0.entry(verb).or_default() += 1;
                entry.1.insert(at);
                entry.2 += usize::from(is_day);
            }
        }
    }
    let least = enough(pages.len(), 0.0);
    let kept = verbs.into_values().filter(|event| event.1.len() >= least);
    kept.filter_map(|Event(surfaces, documents, n_days)| {
        let (verb, _) = surfaces
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
        let (kind, end) = if n_days * 2 > documents.len() {
            (Kind::Date, "date")
        } else {
            (Kind::Year, "year")
        };
        let description = format!("The {end} that documents give with `{verb}`.");
        Some(Found {
            column: column(format!("{verb}_{end}"), kind, &[], description),
            documents,
            share: SHARE,
        })
    })
    .collect()
}

/// The verbs of a sentence that have a date, and whether it is a day.
fn verbs_of(sentence: &Sentence, text: &str) -> Vec<(String, bool)> {
    let body = sentence.span.of(text);
    let offset = sentence.span.start as usize;
    let tokens = &sentence.tokens;
    let mut found = Vec::new();
    let dates = days(body);
    let years = tokens
        .iter()
        .filter(|token| token.lower.len() == 4 && year_of(&token.lower).is_some())
        .map(|token| (token.span, false));
    let all = dates.iter().filter(|day| day.is_whole()).map(|day| {
        (
            Span::new(offset + day.span.start as usize, offset + day.span.end as usize),
            true,
        )
    });
    let all: Vec<(Span, bool)> = all.collect();
    let alone: Vec<(Span, bool)> = years
        .filter(|(span, _)| all.iter().all(|(day, _)| !day.overlaps(*span)))
        .collect();
    for (span, is_day) in all.into_iter().chain(alone) {
        let first = tokens.iter().position(|token| token.span.end > span.start).unwrap_or(0);
        let verb = (first.saturating_sub(REACH)..first).rev().find(|at| {
            let word = &tokens[*at].lower;
            (word.ends_with("ed") || word.ends_with("tion") || word.ends_with("ing"))
                && word.len() > 4
                && units(word).first().is_some_and(Unit::is_known)
        });
        found.extend(verb.map(|at| (tokens[at].lower.clone(), is_day)));
    }
    found
}

/// City, country and type, where nearly all documents begin with them.
pub(super) fn situated(pages: &[Page<'_>]) -> Vec<Found> {
    let lead = |page: &Page<'_>| page.sentences.iter().take(LEAD).cloned().collect::<Vec<Sentence>>();
    let n_places = |page: &Page<'_>| {
        let counts = lead(page).iter().map(|sentence| place(sentence).len()).max();
        counts.unwrap_or(0)
    };
    let compounds = Compounds::of(pages);
    let kind = |page: &Page<'_>| {
        let sentences = lead(page);
        let mut spans = sentences
            .iter()
            .filter_map(|sentence| Some((sentence, definition(sentence)?)));
        let (sentence, span) = spans.next()?;
        Some(compounds.whole(sentence, span).of(&page.document.text).to_owned())
    };
    let places: Vec<usize> = pages.iter().map(n_places).collect();
    let kinds: Vec<Option<String>> = pages.iter().map(kind).collect();
    let distinct: BTreeSet<&String> = kinds.iter().flatten().collect();
    let found = |name: &str, has: &dyn Fn(usize) -> bool, description: &str| Found {
        column: column(name.to_owned(), Kind::Text, &[], description.to_owned()),
        documents: (0..pages.len()).filter(|at| has(*at)).collect(),
        share: MOST,
    };
    let mut all = vec![
        found(
            "city",
            &|at| places[at] > 0,
            "The place that a document's first sentences name.",
        ),
        found(
            "country",
            &|at| places[at] > 1,
            "What follows that place after a comma.",
        ),
    ];
    if distinct.len() > 1 {
        let description = "What a document's first sentences call its subject.";
        all.push(found("type", &|at| kinds[at].is_some(), description));
    }
    all
}

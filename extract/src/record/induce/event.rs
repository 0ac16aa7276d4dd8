//! Columns from dates that recur with a verb, places and types from first sentences.

use super::{Found, column, enough};
use crate::record::fill::{definition, place};
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
    let least = enough(pages.len(), SHARE);
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
            n_documents: documents.len(),
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
    let least = enough(pages.len(), MOST);
    let lead = |page: &Page<'_>| page.sentences.iter().take(LEAD).cloned().collect::<Vec<Sentence>>();
    let places: Vec<usize> = pages
        .iter()
        .map(|page| {
            lead(page)
                .iter()
                .map(|sentence| place(sentence).len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let kinds: Vec<String> = pages
        .iter()
        .filter_map(|page| {
            lead(page)
                .iter()
                .find_map(definition)
                .map(|span| span.of(&page.document.text).to_owned())
        })
        .collect();
    let distinct: BTreeSet<&String> = kinds.iter().collect();
    let mut found = Vec::new();
    let mut add = |name: &str, n_documents: usize, description: &str| {
        if n_documents >= least {
            found.push(Found {
                column: column(name.to_owned(), Kind::Text, &[], description.to_owned()),
                n_documents,
            });
        }
    };
    add(
        "city",
        places.iter().filter(|n| **n > 0).count(),
        "The place that a document's first sentences name.",
    );
    add(
        "country",
        places.iter().filter(|n| **n > 1).count(),
        "What follows that place after a comma.",
    );
    if distinct.len() > 1 {
        add(
            "type",
            kinds.len(),
            "What a document's first sentences call its subject.",
        );
    }
    found
}

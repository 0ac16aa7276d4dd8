//! Dates and years in titles and sentences.

use super::candidate::{Candidate, End, Wanted};
use crate::record::literal::{Day, days, range, year_of};
use crate::record::page::Page;
use crate::record::thesaurus::coverage;
use banyan_engine::Span;
use banyan_engine::table::{Kind, Value};

/// What prose is worth beside a labelled value.
const PROSE: f32 = 0.8;
/// What the days of a page's contests are worth: less than a span that its first sentences name.
const CONTESTS: f32 = 0.7;
/// Sentences in which a span of dates is the subject's own.
const LEAD: usize = 6;

/// The year that a page is of: the one in its title, else the first in its text's beginning.
pub(super) fn year_of_page(page: &Page<'_>) -> Option<u16> {
    year_of(&page.document.title).or_else(|| {
        page.sentences
            .iter()
            .take(LEAD)
            .find_map(|sentence| year_of(sentence.span.of(&page.document.text)))
    })
}

/// The dates of a page's title and sentences that a column may mean.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let text = &page.document.text;
    let mut found = Vec::new();
    let is_bare_year =
        wanted.column.kind == Kind::Year && wanted.units.iter().all(|unit| unit.stem == "year" || unit.is_generic());
    if let (true, Some(year)) = (is_bare_year, year_of(&page.document.title)) {
        found.push(Candidate {
            value: Value::Integer(year.into()),
            span: None,
            source: "title".to_owned(),
            score: 1.0,
        });
    }
    let year = year_of_page(page);
    found.extend(of_contests(wanted, page));
    let bare = wanted.without_end();
    for (order, sentence) in page.sentences.iter().enumerate() {
        let body = sentence.span.of(text);
        let offset = sentence.span.start as usize;
        let decay = if order < LEAD { 1.0 } else { 0.7 };
        let place = |span: Span| Some(Span::new(offset + span.start as usize, offset + span.end as usize));
        if let (Some(end), Kind::Date, true) = (wanted.end, wanted.column.kind, order < LEAD)
            && let Some(range) = range(body)
        {
            let mut day = if end == End::From { range.from } else { range.to };
            day.year = day.year.or(year);
            if day.is_whole() {
                found.push(Candidate {
                    value: Value::Date(day.iso()),
                    span: place(day.span),
                    source: "range".to_owned(),
                    score: PROSE,
                });
            }
        }
        let said = coverage(&wanted.units, &sentence.units).max(
            0.9 * if bare.is_empty() {
                0.0
            } else {
                coverage(&bare, &sentence.units)
            },
        );
        if said < 0.5 {
            continue;
        }
        let value = match wanted.column.kind {
            Kind::Year => year_of(body).map(|year| (Value::Integer(year.into()), Span::new(0, body.len()))),
            _ => days(body)
                .into_iter()
                .find(|day| day.year.is_some())
                .map(|day| (Value::Date(day.iso()), day.span)),
        };
        if let Some((value, span)) = value {
            found.push(Candidate {
                value,
                span: place(span),
                source: "said".to_owned(),
                score: said * PROSE * decay,
            });
        }
    }
    found
}

/// The first or the last day on which a page's contests were held.
fn of_contests(wanted: &Wanted<'_>, page: &Page<'_>) -> Option<Candidate> {
    let days = page.contests.iter().filter_map(|contest| contest.day);
    let days = days.filter(|day| day.is_whole());
    let key = |day: &Day| (day.year, day.month, day.day);
    let day = match (wanted.end?, wanted.column.kind) {
        (End::From, Kind::Date) => days.min_by_key(key),
        (End::To, Kind::Date) => days.max_by_key(key),
        _ => None,
    }?;
    Some(Candidate {
        value: Value::Date(day.iso()),
        span: Some(day.span),
        source: "contests".to_owned(),
        score: CONTESTS,
    })
}

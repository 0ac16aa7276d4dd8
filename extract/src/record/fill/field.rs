//! Labelled values.

use super::candidate::{Candidate, End, Wanted};
use crate::record::literal::{self, days, numbers, range, unit_of};
use crate::record::page::{Field, Page};
use crate::record::thesaurus::{Unit, likeness, units};
use banyan_engine::Span;
use banyan_engine::table::{Column, Kind, Value};

/// Below this likeness a label does not mean the column. Measured: `Best young player` against `best_player` is above,
/// and loses against `Best player`; `Third place` against `place` is the kind that lies below.
const LEAST: f32 = 0.5;
/// A number in brackets after another value, under a label that does not name the column, is worth this much of one that
/// is labelled.
const ASIDE: f32 = 0.85;
/// What a label is worth without what it is per. Arbitrary; below 1 so that the whole label wins.
const WITHOUT_RATE: f32 = 0.95;
/// Words after a number that may say what it counts.
const NOUN_WORDS: usize = 3;

/// The labelled values of a page that a column may mean.
pub(super) fn candidates(wanted: &Wanted<'_>, page: &Page<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (order, field) in page.fields.iter().enumerate() {
        let body = field.value.of(&page.document.text);
        match wanted.column.kind {
            Kind::Integer | Kind::Number => {
                number(wanted, field, (field.label.of(&page.document.text), body), &mut found);
            }
            Kind::Date | Kind::Year => date(wanted, field, body, page, &mut found),
            Kind::Boolean => flag(wanted, field, body, &mut found),
            Kind::Text => text(wanted, field, body, &mut found),
        }
        // What stands first on a page is about its subject; lists of others follow.
        let decay = 1.0 - 0.1 * (order as f32 / page.fields.len() as f32);
        let fresh = found
            .iter_mut()
            .rev()
            .take_while(|candidate| candidate.span.is_some_and(|span| field.value.contains(span)));
        fresh.for_each(|candidate| candidate.score *= decay);
    }
    found
}

/// How the sources of labelled values begin.
const SOURCE: &str = "field ";

fn source(field: &Field, part: &str) -> String {
    let label: Vec<&str> = field.units.iter().map(|unit| unit.stem.as_str()).collect();
    format!("{SOURCE}{} {part}", label.join(" "))
}

/// Whether a source is a label.
pub(super) fn is_source(source: &str) -> bool {
    source.starts_with(SOURCE)
}

fn number(wanted: &Wanted<'_>, field: &Field, (label, body): (&str, &str), found: &mut Vec<Candidate>) {
    let offset = field.value.start as usize;
    for (position, number) in numbers(body).into_iter().enumerate() {
        if number.is_ordinal {
            continue;
        }
        let before = &body[..number.span.start as usize];
        let noun = noun_after(&body[number.span.end as usize..]);
        let is_first = position == 0 && before.trim().chars().all(|ch| !ch.is_alphanumeric());
        let mut both = field.units.clone();
        both.extend(noun.iter().cloned());
        let labelled = likeness(&wanted.units, if is_first { &field.units } else { &both });
        // `Price per night` is a price.
        let bare = label
            .split(" per ")
            .next()
            .filter(|bare| is_first && bare.len() < label.len());
        let bare = bare.map_or(0.0, |bare| WITHOUT_RATE * likeness(&wanted.units, &units(bare)));
        let aside = ASIDE * likeness(&wanted.units, &noun);
        let score = labelled.max(likeness(&wanted.units, &both)).max(aside).max(bare);
        if is_scale(before) {
            continue;
        }
        let is_rate =
            before.trim_end().ends_with("per") || body[number.span.end as usize..].trim_start().starts_with("per ");
        if score < LEAST || is_rate {
            continue;
        }
        let raw = raw_with_unit(body, number.span, number.unit);
        let Some(value) = literal::read(wanted.column, raw.of(body)) else {
            continue;
        };
        let counted: Vec<&str> = noun.iter().map(|unit| unit.stem.as_str()).collect();
        found.push(Candidate {
            value,
            span: Some(Span::new(offset + raw.start as usize, offset + raw.end as usize)),
            source: source(field, &if is_first { String::new() } else { counted.join(" ") }),
            score,
        });
    }
}

/// Whether what stands before a number makes it the end of a scale: `9.2/10`, `4 out of 5`.
pub(super) fn is_scale(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with('/')
        || before.ends_with("out of")
        || before.ends_with("on a scale to")
        || before.ends_with("scale of")
}

/// The number with its unit, so that it can be converted.
pub(super) fn raw_with_unit(body: &str, number: Span, unit: Span) -> Span {
    if unit_of(unit.of(body)).is_some() {
        Span {
            start: number.start.min(unit.start),
            end: number.end.max(unit.end),
        }
    } else {
        number
    }
}

/// The units of the words right after a number, up to a mark.
pub(super) fn noun_after(rest: &str) -> Vec<Unit> {
    let end = rest.find([',', ';', '.', '(', ')', '\n', ':']).unwrap_or(rest.len());
    let words: Vec<&str> = rest[..end].split_whitespace().take(NOUN_WORDS).collect();
    units(&words.join(" "))
}

fn date(wanted: &Wanted<'_>, field: &Field, body: &str, page: &Page<'_>, found: &mut Vec<Candidate>) {
    let wanted_units = if wanted.end.is_some() {
        wanted.without_end()
    } else {
        wanted.units.clone()
    };
    let whole = likeness(&wanted.units, &field.units);
    let score = whole.max(0.95 * likeness(&wanted_units, &field.units));
    if score < LEAST {
        return;
    }
    let offset = field.value.start as usize;
    let span = |part: Span| Some(Span::new(offset + part.start as usize, offset + part.end as usize));
    if wanted.column.kind == Kind::Year {
        if let Some(year) = literal::year_of(body) {
            found.push(Candidate {
                value: Value::Integer(year.into()),
                span: span(Span::new(0, body.len())),
                source: source(field, ""),
                score,
            });
        }
        return;
    }
    let year = super::date::year_of_page(page);
    let day = range(body)
        .map(|range| {
            if wanted.end == Some(End::To) {
                range.to
            } else {
                range.from
            }
        })
        .or_else(|| days(body).first().copied());
    if let Some(mut day) = day {
        day.year = day.year.or(year);
        if day.year.is_some() {
            found.push(Candidate {
                value: Value::Date(day.iso()),
                span: span(day.span),
                source: source(field, ""),
                score,
            });
        }
    }
}

fn flag(wanted: &Wanted<'_>, field: &Field, body: &str, found: &mut Vec<Candidate>) {
    let score = likeness(&wanted.units, &field.units);
    let first = body.split(['(', ',', ';', '-', '–']).next().unwrap_or(body);
    if let (true, Some(is)) = (
        score >= LEAST,
        literal::boolean(body).or_else(|| literal::boolean(first)),
    ) {
        found.push(Candidate {
            value: Value::Boolean(is),
            span: Some(field.value),
            source: source(field, ""),
            score,
        });
    }
}

fn text(wanted: &Wanted<'_>, field: &Field, body: &str, found: &mut Vec<Candidate>) {
    let score = likeness(&wanted.units, &field.units);
    if score < LEAST {
        return;
    }
    let value = cleaned(body);
    if let Some(value) = literal::read(&Column::new("", Kind::Text), &value) {
        found.push(Candidate {
            value,
            span: Some(field.value),
            source: source(field, ""),
            score,
        });
    }
}

/// A text value as it is kept: what stands in brackets and footnote marks left out, lines joined as a list.
pub(super) fn cleaned(body: &str) -> String {
    let mut depth = 0_u32;
    let mut bare = String::new();
    for ch in body.chars() {
        match ch {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(ch),
            _ => {}
        }
    }
    let parts = bare.split('\n').map(str::trim).filter(|part| !part.is_empty());
    parts
        .collect::<Vec<_>>()
        .join("; ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

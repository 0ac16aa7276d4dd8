//! A record for each document (S-RAG §3.2.2).
//!
//! | what a document says | fills |
//! |---|---|
//! | a labelled value | the one column that the label names best, of all documents alike |
//! | a number or date in a sentence | the one column that the words beside it name best |
//! | a name in a sentence | the column whose word stands right beside it |
//! | `… is a maritime museum in Corrin, Wessany` | columns of types and places |
//! | that there is something, or is not | the flag |
//! | its title | the column that names a record, and the year where no other word says of what |
//!
//! A value that fits two columns about as well fills neither, a column for which sentences state several values stays
//! empty, and so does what no wording plainly says: a false cell is worse than a missing one.

use super::literal::{self, convert};
use super::mention::{Mention, Typed, definition, mentions, place, presence};
use super::page::{Page, Sentence};
use super::similarity::Labels;
use super::view::ColumnView;
use banyan_engine::table::{Cell, Kind, Other, Record, Table, TableSchema, Value};
use banyan_engine::{Document, Span};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Least score of a value in a sentence. Chosen on generated hotels: lower takes strays.
const LEAST: f32 = 0.45;
/// A value belongs to the best column only where the next best scores so much less. Arbitrary.
const MARGIN: f32 = 0.08;
/// A different value whose score comes within this of the best contradicts it. Arbitrary.
const CLOSE: f32 = 0.05;
/// How sure a labelled value is at least, a sentence at most, a flag, and what first sentences say. Arbitrary.
const LABELLED: f32 = 0.7;
const SENTENCE: f32 = 0.85;
const FLAG: f32 = 0.75;
const LEAD: f32 = 0.8;
/// What a value gains where its unit measures what the column's does, and keeps where it has none and the column has.
const SAME_UNIT: f32 = 0.1;
const NO_UNIT: f32 = 0.6;
/// Numbers in two units say the same within this share: what rounding to two figures leaves.
const ROUNDING: f64 = 0.02;

/// A value that a document offers for a column.
#[derive(Clone, Debug)]
struct Candidate {
    column: usize,
    value: Value,
    span: Span,
    score: f32,
    label: Option<String>,
}

/// Fills a schema from documents, one record each, in their order. Cost O(documents · length · columns), in parallel; the
/// same for any number of threads. No documents give no records.
pub fn fill(schema: &TableSchema, documents: &[Document]) -> Table {
    let pages: Vec<Page<'_>> = documents.par_iter().map(Page::new).collect();
    let mut schema = schema.clone();
    if schema.nouns.is_empty() {
        schema.nouns = super::subject::nouns(&pages);
        let held = super::subject::holder(documents, &schema.columns);
        schema.nouns.splice(0..0, held);
    }
    let views = ColumnView::all(&schema);
    let labels = Labels::new(&views, &pages);
    let records = pages.par_iter().map(|page| {
        let found = candidates(&views, page, &labels);
        let cell = |(at, view): (usize, &ColumnView<'_>)| {
            let titled = view.of_title(&page.document.title);
            titled.map_or_else(|| decide(&found, at, page), |value| of_title(value, page))
        };
        Record {
            document: page.document.id,
            title: page.document.title.clone(),
            cells: views.iter().enumerate().map(cell).collect(),
        }
    });
    let records = records.collect();
    Table { schema, records }
}

/// A value of the title, and where the page writes it.
fn of_title(value: Value, page: &Page<'_>) -> Cell {
    let text = page.document.text.as_str();
    let at = text.find(&value.to_string());
    let span = at.map(|at| Span::new(at, at + value.to_string().len()));
    Cell {
        raw: span.map_or_else(String::new, |span| span.of(text).to_owned()),
        span,
        value,
        confidence: 1.0,
        others: Vec::new(),
    }
}

fn candidates(views: &[ColumnView<'_>], page: &Page<'_>, labels: &Labels) -> Vec<Candidate> {
    let text = page.document.text.as_str();
    let mut found = Vec::new();
    for field in &page.fields {
        let Some((column, likeness)) = labels.column_of(&field.terms) else {
            continue;
        };
        if let Some(value) = literal::read(views[column].column, field.value.of(text)) {
            found.push(Candidate {
                column,
                value,
                span: field.value,
                score: LABELLED + (1.0 - LABELLED) * likeness,
                label: Some(super::similarity::key(&field.terms)),
            });
        }
    }
    for sentence in &page.sentences {
        let mentioned = mentions(page, sentence);
        let of = |mention| stated(views, page, sentence, mention);
        found.extend(mentioned.iter().filter_map(of));
        let flags = views.iter().enumerate();
        let flags = flags.filter(|(_, view)| view.column.kind == Kind::Boolean);
        found.extend(flags.filter_map(|(column, view)| {
            let (is, span) = presence(sentence, &view.name)?;
            let value = Value::Boolean(is);
            Some(Candidate {
                column,
                value,
                span,
                score: FLAG,
                label: None,
            })
        }));
    }
    found.extend(lead(views, page));
    found
}

/// The column that a value of a sentence belongs to.
fn stated(views: &[ColumnView<'_>], page: &Page<'_>, sentence: &Sentence, mention: &Mention) -> Option<Candidate> {
    let candidate = |(column, view): (usize, &ColumnView<'_>)| {
        let value = value(view, page, mention)?;
        let (kept, added) = unit_factor(view, mention)?;
        let fit = match mention.typed {
            Typed::Name => view.beside(sentence, mention),
            _ => view.fit(sentence, mention),
        };
        let score = if fit > 0.0 { (fit * kept + added).min(1.0) } else { 0.0 };
        let span = mention.span;
        Some(Candidate {
            column,
            value,
            span,
            score,
            label: None,
        })
    };
    let mut found: Vec<Candidate> = views.iter().enumerate().filter_map(candidate).collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.column.cmp(&b.column)));
    let next = found.get(1).map_or(0.0, |other| other.score);
    let best = found.into_iter().next()?;
    let score = SENTENCE * best.score;
    (best.score >= LEAST && best.score >= next + MARGIN).then_some(Candidate { score, ..best })
}

/// The value as one of the column's kind; `None` where it is none.
fn value(view: &ColumnView<'_>, page: &Page<'_>, mention: &Mention) -> Option<Value> {
    let raw = mention.span.of(&page.document.text);
    match (view.column.kind, mention.typed) {
        (Kind::Integer, Typed::Number(number, ..)) if number.fract() != 0.0 => None,
        (Kind::Integer | Kind::Number, Typed::Number(..)) | (Kind::Date, Typed::Day(_)) => {
            literal::read(view.column, raw)
        }
        (Kind::Year, Typed::Number(_, _, Some(year))) => Some(Value::Integer(year.into())),
        (Kind::Year, Typed::Day(day)) => day.year.map(|year| Value::Integer(year.into())),
        (Kind::Text, Typed::Name) if !page.document.title.contains(raw) => Some(Value::Text(raw.to_owned())),
        _ => None,
    }
}

/// What the units of a number and a column do to its score: what is kept, and what is added; `None` where they measure
/// different things.
fn unit_factor(view: &ColumnView<'_>, mention: &Mention) -> Option<(f32, f32)> {
    let Typed::Number(_, found, year) = mention.typed else {
        return Some((1.0, 0.0));
    };
    if !view.column.kind.is_number() {
        return Some((1.0, 0.0));
    }
    match (view.unit(), found) {
        (Some(wanted), Some(found)) => convert(1.0, found, wanted).map(|_| (1.0, SAME_UNIT)),
        (Some(_), None) => Some((NO_UNIT, 0.0)),
        (None, Some(_)) if view.column.kind == Kind::Integer => None,
        // What may be a year is a number only where somebody says what it counts.
        (None, None) if year.is_some() => Some((NO_UNIT, 0.0)),
        (None, _) => Some((1.0, 0.0)),
    }
}

/// What the first sentences say of types and places.
fn lead(views: &[ColumnView<'_>], page: &Page<'_>) -> Vec<Candidate> {
    let text = page.document.text.as_str();
    let candidate = |column: usize, span: Span, value: &str| Candidate {
        column,
        value: Value::Text(value.to_owned()),
        span,
        score: LEAD,
        label: None,
    };
    let mut found = Vec::new();
    let (defined, placed) = (definition(page), place(page));
    for (column, view) in views.iter().enumerate() {
        if let Some(span) = defined.and_then(|defined| view.type_in(text, defined)) {
            found.push(candidate(column, span, span.of(text)));
        }
        let span = placed.and_then(|(narrow, wide)| match view.place()? {
            super::view::Place::Narrow => Some(narrow),
            super::view::Place::Wide => wide,
        });
        found.extend(span.map(|span| candidate(column, span, span.of(text))));
    }
    found
}

/// The best candidate of a column as a cell; what contradicts it beside it.
fn decide(found: &[Candidate], column: usize, page: &Page<'_>) -> Cell {
    let own = || found.iter().filter(|candidate| candidate.column == column);
    // Of equals the earlier one, which `max_by` over the reverse takes.
    let Some(best) = own().rev().max_by(|a, b| a.score.total_cmp(&b.score)) else {
        return Cell::default();
    };
    let contradicts = |other: &&Candidate| {
        let is_close = other.label == best.label && other.score >= best.score - CLOSE;
        is_close && !is_same(best, other, &page.document.text)
    };
    let mut others: BTreeMap<u32, Other> = BTreeMap::new();
    for other in own().filter(contradicts) {
        if others.values().all(|known| known.value != other.value) {
            others.insert(
                other.span.start,
                Other {
                    value: other.value.clone(),
                    raw: other.span.of(&page.document.text).to_owned(),
                    span: other.span,
                },
            );
        }
    }
    // Sentences that say several values speak of several things; under one label the first is as good as any.
    if best.label.is_none() && !others.is_empty() {
        return Cell::default();
    }
    Cell {
        value: best.value.clone(),
        raw: best.span.of(&page.document.text).to_owned(),
        span: Some(best.span),
        confidence: best.score.min(1.0),
        others: others.into_values().collect(),
    }
}

/// Whether two candidates say one value: `10 m` and `33 ft` do, for what is written in two units is rounded.
fn is_same(a: &Candidate, b: &Candidate, text: &str) -> bool {
    let unit = |candidate: &Candidate| {
        candidate
            .span
            .of(text)
            .trim_start_matches(|ch: char| !ch.is_alphabetic())
    };
    let is_close = |(a, b): (f64, f64)| (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
    let numbers = a.value.as_number().zip(b.value.as_number());
    a.value == b.value || unit(a) != unit(b) && numbers.is_some_and(is_close)
}

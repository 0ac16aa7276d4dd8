//! A record for each document (S-RAG §3.2.2).
//!
//! Every document proposes candidates for every column: labelled values, numbers with the noun they count, names beside
//! the column's word, flags. Where a candidate comes from (the label, the noun, the phrase) is its *source*; a source that
//! serves many documents is believed more in each. So one document's stray number loses against what all others state
//! in the same place.

mod candidate;
mod contest;
mod date;
mod derived;
mod field;
mod flag;
mod kind;
mod name;
mod number;
mod place;
mod standing;
mod tally;

pub(super) use kind::{Compounds, noun as definition};
pub(super) use name::{name_at, name_until};
pub(super) use place::named as place;
pub(super) use standing::deciding;

use super::literal::{numbers, unit_of};
use super::page::{self, Page};
use super::subject;
use banyan_engine::Document;
use banyan_engine::table::{Cell, Column, Kind, Other, Record, Table, TableSchema, Value};
use candidate::{Candidate, Wanted};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Documents, spread evenly, that say what records and their kinds are called: a noun that names them all may stand in few
/// of them. Arbitrary.
pub(super) const SUBJECTS: usize = 240;
/// Least score of a candidate that fills a cell. Measured on our generated pages: lower takes strays, higher loses prose.
const LEAST: f32 = 0.3;
/// How much of a score depends on how many documents its source serves.
const SUPPORT: f32 = 0.4;
/// What it adds that a page says a value again, for each point of score, and how many points count.
const SAID_AGAIN: f32 = 0.05;
const AGAIN: f32 = 2.0;
/// A different value in a sentence whose score comes within this of the best contradicts it.
const CLOSE: f32 = 0.05;
/// From so many documents on it shows whether a label heads a list. Arbitrary: of one or two nothing recurs.
const LEAST_LISTS: usize = 3;
/// Numbers in two units say the same within this share. Arbitrary: what rounding to two figures leaves.
const ROUNDING: f64 = 0.02;

/// Fills a schema from documents, one record each, in their order. Cost O(documents · length · columns), in parallel; the
/// same for any number of threads. No documents give no records.
pub fn fill(schema: &TableSchema, documents: &[Document]) -> Table {
    let wanted: Vec<Wanted> = schema.columns.iter().map(Wanted::new).collect();
    let corpus = Corpus::new(documents);
    let proposed: Vec<Vec<Vec<Candidate>>> = documents
        .par_iter()
        .map(|document| {
            let page = Page::with_labels(document, &corpus.labels);
            wanted.iter().map(|wanted| candidates(wanted, &page, &corpus)).collect()
        })
        .collect();
    let supports: Vec<Supports<'_>> = (0..wanted.len()).map(|at| support(&proposed, at)).collect();
    let records = documents.iter().zip(&proposed).map(|(document, proposed)| Record {
        document: document.id,
        title: document.title.clone(),
        parent: None,
        cells: proposed
            .iter()
            .zip(&supports)
            .map(|(candidates, support)| decide(candidates, support, document))
            .collect(),
    });
    let mut table = Table {
        schema: schema.clone(),
        records: records.collect(),
    };
    if table.schema.nouns.is_empty() {
        table.schema.nouns = corpus.nouns;
    }
    derived::fill(&mut table);
    table
}

/// What the documents say together before each of them is read for its cells.
struct Corpus {
    labels: BTreeSet<String>,
    compounds: Compounds,
    nouns: Vec<String>,
}

impl Corpus {
    fn new(documents: &[Document]) -> Self {
        let n = documents.len().min(SUBJECTS);
        let sample: Vec<Page<'_>> = (0..n)
            .into_par_iter()
            .map(|at| Page::new(&documents[at * documents.len() / n]))
            .collect();
        Self {
            labels: page::labels(&documents.iter().collect::<Vec<_>>()),
            compounds: Compounds::of(&sample),
            nouns: subject::nouns(&sample),
        }
    }
}

/// What a page offers for a column.
fn candidates(wanted: &Wanted<'_>, page: &Page<'_>, corpus: &Corpus) -> Vec<Candidate> {
    let mut found = field::candidates(wanted, page);
    match wanted.column.kind {
        Kind::Integer | Kind::Number => {
            found.extend(number::candidates(wanted, page));
            found.extend(tally::candidates(wanted, page));
            found.extend(standing::numbers(wanted, page));
        }
        Kind::Text => {
            found.extend(name::candidates(wanted, page));
            found.extend(contest::candidates(wanted, page));
            found.extend(standing::names(wanted, page));
            found.extend(place::candidates(wanted, page));
            found.extend(kind::candidates(wanted, page, &corpus.compounds));
        }
        Kind::Boolean => found.extend(flag::candidates(wanted, page, !found.is_empty())),
        Kind::Date | Kind::Year => found.extend(date::candidates(wanted, page)),
    }
    found
}

/// What the sources of a column do for it, by source.
type Supports<'a> = BTreeMap<&'a str, Support>;

/// What a source does for a column.
#[derive(Clone, Copy, Debug, Default)]
struct Support {
    /// The documents that it serves.
    n_served: usize,
    /// Those of them in which it says several values.
    n_several: usize,
    /// The share of all documents that it serves.
    share: f32,
}

impl Support {
    /// Whether documents list things under it, so that several values do not contradict each other.
    fn is_list(self) -> bool {
        self.n_served >= LEAST_LISTS && self.n_several * 2 > self.n_served
    }
}

/// What each source of a column does for it.
fn support(proposed: &[Vec<Vec<Candidate>>], column: usize) -> Supports<'_> {
    let mut supports = Supports::new();
    for document in proposed {
        let mut several: BTreeMap<&str, (&Value, bool)> = BTreeMap::new();
        for Candidate { source, value, .. } in &document[column] {
            let said = several.entry(source).or_insert((value, false));
            said.1 |= said.0 != value;
        }
        for (source, (_, is_several)) in several {
            let support = supports.entry(source).or_default();
            support.n_served += 1;
            support.n_several += usize::from(is_several);
            support.share = support.n_served as f32 / proposed.len().max(1) as f32;
        }
    }
    supports
}

/// The best candidate as a cell; what contradicts it beside it.
fn decide(candidates: &[Candidate], supports: &Supports<'_>, document: &Document) -> Cell {
    let support = |candidate: &Candidate| supports.get(candidate.source.as_str()).copied().unwrap_or_default();
    let score = |candidate: &Candidate| {
        let again = candidates
            .iter()
            .filter(|other| other.value == candidate.value && other.span != candidate.span);
        let said_again = again.map(|other| other.score).sum::<f32>().min(AGAIN);
        candidate.score * (1.0 - SUPPORT + SUPPORT * support(candidate).share) + SAID_AGAIN * said_again
    };
    // Of equals the earlier one, which `max_by` over the reverse takes.
    let best = candidates.iter().rev().max_by(|a, b| score(a).total_cmp(&score(b)));
    let Some(best) = best.filter(|best| score(best) >= LEAST) else {
        return Cell::default();
    };
    // Under one label all are said as plainly, wherever on the page they stand.
    let contradicts = |other: &&Candidate| {
        let is_close = score(other) >= score(best) - CLOSE && other.score >= best.score - CLOSE;
        let is_said = if field::is_source(&best.source) {
            !support(best).is_list()
        } else {
            is_close
        };
        other.source == best.source && is_said && !is_same(best, other, document)
    };
    let mut others: Vec<Other> = Vec::new();
    for other in candidates.iter().filter(contradicts) {
        let is_new = others.iter().all(|known| known.value != other.value);
        if let (true, Some(span)) = (is_new, other.span) {
            others.push(Other {
                value: other.value.clone(),
                span,
            });
        }
    }
    Cell {
        value: best.value.clone(),
        raw: best
            .span
            .map_or_else(String::new, |span| span.of(&document.text).to_owned()),
        span: best.span,
        confidence: score(best).min(1.0),
        others,
    }
}

/// Whether two candidates say one value: equal ones do, and numbers that differ by what rounding leaves where they are
/// written in two units.
fn is_same(a: &Candidate, b: &Candidate, document: &Document) -> bool {
    if a.value == b.value {
        return true;
    }
    let unit = |candidate: &Candidate| {
        let raw = candidate.span?.of(&document.text);
        unit_of(numbers(raw).first()?.unit.of(raw))
    };
    let is_converted = unit(a).zip(unit(b)).is_some_and(|(a, b)| a != b);
    let values = a.value.as_number().zip(b.value.as_number());
    is_converted && values.is_some_and(|(a, b)| (a - b).abs() <= ROUNDING * a.abs().max(b.abs()))
}

/// Whether a column asks for the name of the record itself.
fn is_title(column: &Column) -> bool {
    let words = super::thesaurus::words(&column.name);
    column.kind == Kind::Text
        && words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "name" | "title"))
}

/// What a column's values are called when they are only true or false of the whole document.
fn absent(column: &Column) -> Option<Value> {
    (column.kind == Kind::Boolean).then_some(Value::Boolean(false))
}

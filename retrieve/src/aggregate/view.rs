//! Several tables with keys between them: each is seen with the columns of the records that its keys name, and a question
//! goes to the table whose records it asks for.

use super::answer::{Asked, run};
use super::catalogue::Catalogue;
use super::parse::{Refusal, first_record, parse};
use super::query::Query;
use banyan_engine::table::{Cell, Column, Database, Limits, Record, SqlError, Table};
use std::collections::BTreeMap;

/// A table as questions see it.
#[derive(Clone, Debug)]
pub struct View {
    /// Its columns, then those of the records that its keys name. Cells of other records carry no place: it would be
    /// one in another document.
    pub table: Table,
    /// What can be asked about.
    pub catalogue: Catalogue,
}

/// A view of each table. Cost O(cells · log).
pub fn views(tables: &[Table]) -> Vec<View> {
    tables.iter().map(|table| view(table, tables)).collect()
}

fn view(table: &Table, tables: &[Table]) -> View {
    let mut catalogue = Catalogue::new(table);
    let mut whole = table.clone();
    for (at, column) in table.schema.columns.iter().enumerate() {
        let other = column.references.as_ref();
        let other = other.and_then(|name| tables.iter().find(|other| other.schema.name == *name));
        if let Some(other) = other.filter(|other| other.schema.name != table.schema.name) {
            catalogue.join(at, other);
            extend(&mut whole, at, other);
        }
    }
    View {
        table: whole,
        catalogue,
    }
}

/// Appends the columns of another table, with the cells of the records that a key names.
fn extend(whole: &mut Table, key: usize, other: &Table) {
    let by_title: BTreeMap<&str, &Record> = other
        .records
        .iter()
        .map(|record| (record.title.as_str(), record))
        .collect();
    let empty = vec![Cell::default(); other.schema.columns.len()];
    for record in &mut whole.records {
        let title = record.cells.get(key).and_then(|cell| cell.value.as_text());
        let named = title.and_then(|title| by_title.get(title));
        let cells = named.map_or(&empty, |record| &record.cells);
        let without_place = |cell: &Cell| Cell {
            span: None,
            others: Vec::new(),
            ..cell.clone()
        };
        record.cells.extend(cells.iter().map(without_place));
    }
    let named = whole.schema.columns[key].name.clone();
    let columns = other.schema.columns.iter().map(|column| Column {
        name: format!("{named}.{}", column.name),
        ..column.clone()
    });
    whole.schema.columns.extend(columns);
}

/// What came of a question to several views.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewAnswer {
    /// Which view was asked.
    pub view: usize,
    /// The answer, or why there is none.
    pub asked: Asked,
    /// What was not understood, where that is why.
    pub refusal: Option<Refusal>,
}

/// Asks the view whose records a question asks for: of several that understand all of it the one whose records the
/// question names first. Cost as that of all translations.
///
/// # Errors
/// [`SqlError`] where the statement was stopped.
pub fn ask(question: &str, views: &[View], database: &Database, limits: Limits) -> Result<ViewAnswer, SqlError> {
    let read = views.iter().map(|view| parse(question, &view.catalogue));
    let read: Vec<Result<Query, Refusal>> = read.collect();
    let rank = |at: &usize| (read[*at].is_err(), first_record(question, &views[*at].catalogue), *at);
    let best = (0..views.len()).min_by_key(rank).unwrap_or_default();
    let (asked, refusal) = match (read.into_iter().nth(best), views.get(best)) {
        (Some(Ok(query)), Some(view)) => (run(&query, &view.catalogue, &view.table, database, limits)?, None),
        (Some(Err(refusal)), _) => (Asked::refused(refusal.reason.clone()), Some(refusal)),
        _ => (Asked::refused("there are no records".to_owned()), None),
    };
    Ok(ViewAnswer {
        view: best,
        asked,
        refusal,
    })
}

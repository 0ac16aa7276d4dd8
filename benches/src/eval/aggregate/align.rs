//! Gold records against filled ones, cell by cell.

use super::verdict::is_match;
use banyan_engine::table::Table;
use banyan_engine::{Document, name};
use banyan_extract::record::term::words;
use serde::Serialize;
use std::collections::BTreeMap;

/// A column of the header finds the documents of its rows from this share of rows on.
const LEAST_FOUND: f64 = 0.8;

/// How often a column's cells are right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ColumnFigures {
    /// Share of gold cells that the filled ones agree with, empty ones included.
    pub accuracy: f64,
    /// Cells compared.
    pub cells: usize,
    /// Gold cells that have a value.
    pub gold_filled: usize,
    /// Filled cells that have one.
    pub filled: usize,
}

/// Accuracy of each column that both have; `None` where no column says which row is which document. Cost O(rows ·
/// documents).
///
/// Rows and documents are paired by the first column whose values each are the name of one file, or words of one title.
pub fn accuracy(
    header: &[String],
    rows: &[Vec<String>],
    documents: &[Document],
    table: &Table,
) -> Option<BTreeMap<String, ColumnFigures>> {
    let pairs = (0..header.len()).find_map(|column| pair(column, rows, documents))?;
    let mut figures = BTreeMap::new();
    for (at, name) in header.iter().enumerate() {
        let Some(column) = table.schema.position(&banyan_engine::table::sql::identifier(name)) else {
            continue;
        };
        let cells: Vec<(&str, String)> = pairs
            .iter()
            .filter_map(|(row, document)| {
                let gold = rows[*row].get(at).map_or("", |cell| cell.trim());
                let cell = table.records.get(*document)?.cells.get(column)?;
                Some((gold, cell.value.to_string()))
            })
            .collect();
        let n_right = cells.iter().filter(|(gold, found)| is_match(gold, found)).count();
        figures.insert(
            name.clone(),
            ColumnFigures {
                accuracy: n_right as f64 / cells.len().max(1) as f64,
                cells: cells.len(),
                gold_filled: cells.iter().filter(|(gold, _)| !gold.is_empty()).count(),
                filled: cells.iter().filter(|(_, found)| !found.is_empty()).count(),
            },
        );
    }
    Some(figures)
}

/// Rows with their documents, where a column names them.
fn pair(column: usize, rows: &[Vec<String>], documents: &[Document]) -> Option<Vec<(usize, usize)>> {
    let mut pairs = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let value = row.get(column)?.trim();
        if value.is_empty() {
            continue;
        }
        let exact: Vec<usize> = positions(documents, |document| is_named(document, value));
        let loose = || positions(documents, |document| has_words(&document.title, value));
        let found = if exact.is_empty() { loose() } else { exact };
        if let [only] = found[..] {
            pairs.push((at, only));
        }
    }
    let distinct: std::collections::BTreeSet<usize> = pairs.iter().map(|(_, document)| *document).collect();
    let is_enough = pairs.len() as f64 >= LEAST_FOUND * rows.len() as f64 && distinct.len() == pairs.len();
    (is_enough && !pairs.is_empty()).then_some(pairs)
}

fn positions(documents: &[Document], fits: impl Fn(&Document) -> bool) -> Vec<usize> {
    (0..documents.len()).filter(|at| fits(&documents[*at])).collect()
}

/// Whether a document's title, record id or file is called so.
fn is_named(document: &Document, value: &str) -> bool {
    let wanted = name::key(value);
    let stem = |file: &str| {
        let last = file.rsplit('/').next().unwrap_or(file);
        last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_owned()
    };
    name::key(&document.title) == wanted
        || document
            .origins
            .iter()
            .any(|origin| origin.record.as_deref() == Some(value) || name::key(&stem(&origin.file)) == wanted)
}

fn has_words(title: &str, value: &str) -> bool {
    let (title, value) = (words(title), words(value));
    !value.is_empty() && title.windows(value.len()).any(|window| window == value)
}

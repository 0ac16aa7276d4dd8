//! Gold records, and how filled ones agree with them cell by cell.

use super::TABLE;
use super::verdict::is_match;
use anyhow::{Result, ensure};
use banyan::corpus;
use banyan_engine::table::{self, Cell, Record, Table, TableSchema, sql};
use banyan_engine::{Document, DocumentId, name};
use banyan_extract::record::literal;
use banyan_extract::record::term::words;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A column of the header finds the documents of its rows from this share of rows on.
const LEAST_FOUND: f64 = 0.8;

/// The header and the rows of a CSV file.
pub(super) struct Gold {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// How often a column's cells are right.
#[derive(Serialize)]
pub(super) struct ColumnFigures {
    /// Share of gold cells that the filled ones agree with, empty ones included.
    pub(super) accuracy: f64,
    cells: usize,
    /// Gold cells that have a value.
    pub(super) gold_filled: usize,
    /// Filled cells that have one.
    filled: usize,
}

impl Gold {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let place = file.display();
        let mut rows = table::parse_csv(&corpus::text(file)?)?;
        ensure!(
            rows.len() > 1,
            "{place}: no records; expected a header and a row for each document"
        );
        let header = rows.remove(0);
        Ok(Self { header, rows })
    }

    pub(super) fn schema(&self) -> TableSchema {
        TableSchema {
            name: TABLE.to_owned(),
            columns: table::columns_of_csv(&self.header, &self.rows),
            ..TableSchema::default()
        }
    }

    /// The records as a table, to see what the translator alone gets wrong.
    pub(super) fn table(&self, schema: &TableSchema) -> Table {
        let of = |name: &str| self.header.iter().position(|header| sql::identifier(header) == name);
        let places: Vec<Option<usize>> = schema.columns.iter().map(|column| of(&column.name)).collect();
        let record = |row: &Vec<String>| {
            let cells = schema.columns.iter().zip(&places).map(|(column, place)| {
                let raw = place.and_then(|place| row.get(place)).map_or("", |raw| raw.trim());
                let value = (!raw.is_empty()).then(|| literal::read(column, raw)).flatten();
                Cell {
                    value: value.unwrap_or_default(),
                    confidence: 1.0,
                    ..Cell::default()
                }
            });
            let title = row.first().cloned().unwrap_or_default();
            Record {
                document: DocumentId::of(&title, ""),
                title,
                cells: cells.collect(),
            }
        };
        Table {
            schema: schema.clone(),
            records: self.rows.iter().map(record).collect(),
        }
    }

    /// Accuracy of each column that both have; `None` where no column says which row is which document. Rows and
    /// documents are paired by the first column whose values each are the name of one file, or words of one title. Cost
    /// O(rows · documents).
    pub(super) fn accuracy(&self, documents: &[Document], table: &Table) -> Option<BTreeMap<String, ColumnFigures>> {
        let pairs = (0..self.header.len()).find_map(|column| self.pair(column, documents))?;
        let mut figures = BTreeMap::new();
        for (at, name) in self.header.iter().enumerate() {
            let Some(column) = table.schema.position(&sql::identifier(name)) else {
                continue;
            };
            let cell = |(row, document): &(usize, usize)| {
                let gold = self.rows[*row].get(at).map_or("", |cell| cell.trim());
                let cell = table.records.get(*document)?.cells.get(column)?;
                Some((gold, cell.value.to_string()))
            };
            let cells: Vec<(&str, String)> = pairs.iter().filter_map(cell).collect();
            let n_right = cells.iter().filter(|(gold, found)| is_match(gold, found)).count();
            let own = ColumnFigures {
                accuracy: n_right as f64 / cells.len().max(1) as f64,
                cells: cells.len(),
                gold_filled: cells.iter().filter(|(gold, _)| !gold.is_empty()).count(),
                filled: cells.iter().filter(|(_, found)| !found.is_empty()).count(),
            };
            figures.insert(name.clone(), own);
        }
        Some(figures)
    }

    /// Rows with their documents, where a column names them.
    fn pair(&self, column: usize, documents: &[Document]) -> Option<Vec<(usize, usize)>> {
        let mut pairs = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let value = row.get(column)?.trim();
            if value.is_empty() {
                continue;
            }
            let exact = positions(documents, |document| is_named(document, value));
            let loose = || positions(documents, |document| has_words(&document.title, value));
            let found = if exact.is_empty() { loose() } else { exact };
            if let [only] = found[..] {
                pairs.push((at, only));
            }
        }
        let distinct: BTreeSet<usize> = pairs.iter().map(|(_, document)| *document).collect();
        let is_enough = pairs.len() as f64 >= LEAST_FOUND * self.rows.len() as f64 && distinct.len() == pairs.len();
        (is_enough && !pairs.is_empty()).then_some(pairs)
    }
}

fn positions(documents: &[Document], fits: impl Fn(&Document) -> bool) -> Vec<usize> {
    (0..documents.len()).filter(|at| fits(&documents[*at])).collect()
}

/// Whether a document's title, record id or file is called so.
fn is_named(document: &Document, value: &str) -> bool {
    let is_it = |text: &str| name::key(text) == name::key(value);
    let stem = |file: &str| {
        Path::new(file)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    is_it(&document.title)
        || (document.origins.iter()).any(|origin| origin.record.as_deref() == Some(value) || is_it(&stem(&origin.file)))
}

fn has_words(title: &str, value: &str) -> bool {
    let (title, value) = (words(title), words(value));
    !value.is_empty() && title.windows(value.len()).any(|window| window == value)
}

//! Answers of tables: the statement, the rows and where they were read, for print and for JSON.

use super::{Reply, Session};
use banyan_engine::table::{Record, Table};
use banyan_engine::{Document, DocumentId};
use banyan_retrieve::aggregate::{Asked, Completeness};
use banyan_retrieve::{Citation, Question};
use serde::Serialize;
use std::collections::BTreeMap;

/// Citations of an answer. Arbitrary: of a count over thousands nobody reads all.
pub(super) const MAX_CITATIONS: usize = 20;

/// What a table says, and what it rests on.
#[derive(Clone, Debug, Serialize)]
pub struct Tabled {
    sql: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
    completeness: Vec<Completeness>,
    /// Which documents were filled in; absent where all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<ReadDocuments>,
    schema: Vec<String>,
    reasons: Vec<String>,
    records: Vec<Row>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct ReadDocuments {
    n_read: usize,
    n_all: usize,
}

/// A record with the cells that the statement reads.
#[derive(Clone, Debug, Serialize)]
struct Row {
    title: String,
    cells: Vec<Shown>,
}

#[derive(Clone, Debug, Serialize)]
struct Shown {
    column: String,
    value: String,
    confidence: f32,
    /// Other values that the document states as plainly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
}

impl Tabled {
    pub(super) fn new(asked: &Asked, table: &Table) -> Self {
        let columns = table.schema.columns.iter();
        Self {
            sql: asked.sql.clone(),
            refusal: asked.refusal.clone(),
            columns: asked.columns.clone(),
            rows: asked.rows.clone(),
            notes: asked.notes.clone(),
            completeness: asked.completeness.clone(),
            documents: None,
            schema: columns
                .map(|column| format!("{} {}", column.name, column.kind))
                .collect(),
            reasons: Vec::new(),
            records: records(asked, table).map(|record| row(record, asked, table)).collect(),
        }
    }

    /// The same, of a table that was filled for the question from these documents, with columns for these reasons.
    pub(super) fn filled_from(mut self, n_read: usize, n_all: usize, reasons: Vec<String>) -> Self {
        (self.documents, self.reasons) = (Some(ReadDocuments { n_read, n_all }), reasons);
        self
    }
}

impl Session<'_> {
    /// The reply that an answered question to a table makes.
    pub(super) fn tabled(&self, question: &Question, asked: &Asked, table: &Table) -> Reply {
        let all = self.opened.documents().iter();
        let documents: BTreeMap<DocumentId, &Document> = all.map(|document| (document.id, document)).collect();
        let filled = asked.completeness.iter();
        let shares = filled.map(|line| line.filled as f32 / line.documents.max(1) as f32);
        let of = |record| Some(cited(record, documents.get(&record.document)?, asked, table));
        let mut citations: Vec<Citation> = records(asked, table).filter_map(of).flatten().collect();
        citations.truncate(MAX_CITATIONS);
        let sufficiency = asked.answer.as_ref().map_or(0.0, |_| shares.fold(1.0, f32::min));
        self.asking
            .computed(question, asked.answer.clone(), sufficiency, citations)
    }
}

/// The records that an answer rests on.
fn records<'a>(asked: &'a Asked, table: &'a Table) -> impl Iterator<Item = &'a Record> {
    asked.provenance.iter().filter_map(|at| table.records.get(*at))
}

/// Positions of the columns that a statement reads.
fn read<'a>(asked: &'a Asked, table: &'a Table) -> impl Iterator<Item = usize> + 'a {
    let names = asked.completeness.iter();
    names.filter_map(|line| table.schema.position(&line.column))
}

fn row(record: &Record, asked: &Asked, table: &Table) -> Row {
    let shown = |at: usize| {
        let cell = record.cells.get(at)?;
        Some(Shown {
            column: table.schema.columns[at].name.clone(),
            value: cell.value.to_string(),
            confidence: cell.confidence,
            others: cell.others.iter().map(|other| other.value.to_string()).collect(),
        })
    };
    Row {
        title: record.title.clone(),
        cells: read(asked, table).filter_map(shown).collect(),
    }
}

fn cited(record: &Record, document: &Document, asked: &Asked, table: &Table) -> Vec<Citation> {
    let cells = read(asked, table).filter_map(|at| record.cells.get(at));
    let spans = cells.flat_map(|cell| cell.span.into_iter().chain(cell.others.iter().map(|other| other.span)));
    spans.map(|span| Citation::of(document, span)).collect()
}

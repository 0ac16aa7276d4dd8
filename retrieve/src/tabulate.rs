//! Questions over a table that is filled for them (SRAG §3): question → columns and SQL → documents → rows → answer
//! from the table alone.
//!
//! | step of the paper | here |
//! |---|---|
//! | query → SQL and schema (§3.1) | [`Planner`]: [`EmbeddedPlanner`] takes the shared columns that the question can be about, [`ModelPlanner`] asks a model |
//! | extraction by the schema (§3.1) | the [`Filler`] of records |
//! | execution (§3.1) and reasoning over the table (§3.2) | the [`Translator`] of records, with the rows that the SQL's result rests on |
//!
//! # Differs from the paper
//! There a language model reasons over the table. Here the SQL computes the answer, so that nothing but the table can be
//! in it; a column that stayed empty gives none.

mod model;

pub use model::{ModelPlanner, max_calls};

use crate::aggregate::{Asked, Catalogue, Source, Statement, TranslateError, Translator, named_columns, views};
use banyan_engine::Document;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{Column, Database, Kind, Limits, Record, Table, TableSchema};
use banyan_extract::record::Filler;
use banyan_extract::record::induce;
use serde::Serialize;

/// The table's name in SQL.
pub const TABLE: &str = "records";
/// Most documents that are read for one question. Arbitrary: about ten seconds of one core.
pub const MAX_DOCUMENTS: usize = 400;

/// What a question is to be answered with, before any document is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Target {
    /// The columns that may be needed.
    pub schema: TableSchema,
    /// The statement, where it is written before the table is filled.
    pub statement: Option<Statement>,
    /// Why these columns.
    pub reasons: Vec<String>,
}

/// Who turns a question into a target table.
pub trait Planner {
    /// The columns that a question needs; `documents` are those that will be read.
    ///
    /// # Errors
    /// [`LlmError`] where nobody could be asked.
    fn plan(&self, question: &str, documents: &[Document]) -> Result<Target, LlmError>;
}

/// Who takes which step.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    /// Who chooses the columns.
    pub planner: &'a dyn Planner,
    /// Who reads the documents.
    pub filler: &'a dyn Filler,
    /// Who writes the SQL, or mends it.
    pub translator: &'a dyn Translator,
}

/// What came of a question, with all that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    /// How many documents were read.
    pub n_read: usize,
    /// What was looked for in them.
    pub target: Target,
    /// The answer.
    pub asked: Asked,
    /// The records that have a value, with the columns that the statement reads and the one that names records.
    pub table: Table,
}

/// Answers a question from a table that is filled for it. `documents` are all there are, `ranking` the positions that
/// retrieval found, best first: it decides which are read where there are more than [`MAX_DOCUMENTS`]. Cost O(length of
/// the documents read · columns).
///
/// # Errors
/// [`TranslateError`] of the step that could not be taken.
pub fn tabulate(
    question: &str,
    documents: &[Document],
    ranking: &[usize],
    steps: &Steps<'_>,
) -> Result<Tabulated, TranslateError> {
    let read = relevant(documents, ranking);
    let target = steps.planner.plan(question, &read)?;
    let given = steps.filler.fill(&target.schema, &read)?;
    if let Some(error) = given.failure.filter(LlmError::ends_job) {
        return Err(error.into());
    }
    let tables = [with_values(given.what)];
    let database = Database::new(&tables)?;
    let source = Source {
        views: &views(&tables),
        tables: &tables,
        database: &database,
    };
    let mut asked = steps
        .translator
        .ask(question, source, target.statement.as_ref(), Limits::default())?;
    if given.n_partly > 0 {
        let n = given.n_partly;
        asked.notes.push(format!(
            "of {n} documents only the parts that speak of the columns were read"
        ));
    }
    if !given.defects.is_empty() {
        asked.notes.push(format!("defects in what was read: {}", given.defects));
    }
    let [table] = tables;
    Ok(Tabulated {
        n_read: read.len(),
        table: projected(table, &asked),
        target,
        asked,
    })
}

/// The documents that are read: all, or as many as can be, the best ranked first, in their order.
fn relevant(documents: &[Document], ranking: &[usize]) -> Vec<Document> {
    let mut chosen: Vec<usize> = Vec::new();
    for at in ranking
        .iter()
        .copied()
        .filter(|at| *at < documents.len())
        .chain(0..documents.len())
    {
        if chosen.len() == MAX_DOCUMENTS {
            break;
        }
        if !chosen.contains(&at) {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| documents[at].clone()).collect()
}

/// The table without records that have nothing but a name and flags, which all documents have: those are of another kind.
fn with_values(mut table: Table) -> Table {
    let says = |column: &Column| {
        let is_name =
            table.schema.key.as_ref() == Some(&column.name) || matches!(column.name.as_str(), "name" | "title");
        column.kind != Kind::Boolean && !is_name
    };
    let says: Vec<bool> = table.schema.columns.iter().map(says).collect();
    if says.contains(&true) {
        let has_value = |record: &Record| {
            record
                .cells
                .iter()
                .zip(&says)
                .any(|(cell, says)| *says && !cell.value.is_null())
        };
        table.records.retain(has_value);
    }
    table
}

/// The table with the columns that an answer reads, and the one that names records; all where there is no answer.
fn projected(table: Table, asked: &Asked) -> Table {
    let is_read = |column: &Column| {
        asked.completeness.iter().any(|line| line.column == column.name)
            || table.schema.key.as_ref() == Some(&column.name)
    };
    let kept: Vec<bool> = table.schema.columns.iter().map(is_read).collect();
    if asked.answer.is_none() {
        return table;
    }
    let keep = |at: usize| kept.get(at).copied().unwrap_or(false);
    let columns = table.schema.columns.iter().enumerate().filter(|(at, _)| keep(*at));
    let columns = columns.map(|(_, column)| column.clone()).collect();
    let records = table.records.into_iter().map(|record| Record {
        cells: record
            .cells
            .into_iter()
            .enumerate()
            .filter(|(at, _)| keep(*at))
            .map(|(_, cell)| cell)
            .collect(),
        ..record
    });
    Table {
        records: records.collect(),
        schema: TableSchema {
            columns,
            ..table.schema
        },
    }
}

/// Plans without a model: of the columns that the documents share those that the question names, and those of texts and
/// flags, because which of them a word is a value of shows only when they are filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedPlanner;

impl Planner for EmbeddedPlanner {
    fn plan(&self, question: &str, documents: &[Document]) -> Result<Target, LlmError> {
        let shared = induce(documents, &[question], TABLE).into_iter().next();
        let empty = Table {
            schema: shared.unwrap_or_default(),
            records: Vec::new(),
        };
        let named = named_columns(question, &Catalogue::new(&empty));
        let is_needed = |(at, column): &(usize, &Column)| {
            let is_key = empty.schema.key.as_ref() == Some(&column.name);
            is_key || named.contains(at) || matches!(column.kind, Kind::Text | Kind::Boolean)
        };
        let columns = empty
            .schema
            .columns
            .iter()
            .enumerate()
            .filter(is_needed)
            .map(|(_, column)| column.clone());
        let reason = |at: &usize| {
            let column = &empty.schema.columns[*at];
            format!("{} ({}): the question names it", column.name, column.kind)
        };
        Ok(Target {
            reasons: named.iter().map(reason).collect(),
            schema: TableSchema {
                name: TABLE.to_owned(),
                columns: columns.collect(),
                ..empty.schema.clone()
            },
            statement: None,
        })
    }
}

#[cfg(test)]
mod tests;

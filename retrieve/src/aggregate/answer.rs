//! Asking: the query is run, and what it gives becomes an answer with its rows and what they rest on.

use super::catalogue::Catalogue;
use super::query::{Query, Shape};
use banyan_engine::table::{Cell, Column, Database, Kind, Limits, Rows, SqlError, Table, Value};
use serde::Serialize;

/// Records named as provenance; the number of all is told beside them. Arbitrary.
const MAX_PROVENANCE: usize = 1_000;

/// Contradictions that are told one by one. Arbitrary.
const MAX_TOLD: usize = 5;

/// Share of the records that have to have a value where something is computed of a column: of fewer, what is computed
/// says little of all. On three kinds of generated page (hotels, museums, ships) 74, 81 and 98 % of the given answers
/// are right from here on; half would do for 57, 63 and 89 %.
const LEAST_FILLED: f64 = 0.8;

/// Below this confidence a cell is unsure, as [`banyan_engine::table::ColumnStats`] counts.
const UNSURE: f32 = 0.5;

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asked {
    /// The table whose records are asked for; empty where the question was refused.
    pub table: String,
    /// The statement that was run; empty where the question was refused.
    pub sql: String,
    /// The answer in words; `None` where there is none.
    pub answer: Option<String>,
    /// Why there is none.
    pub refusal: Option<String>,
    /// Names of the columns of the rows.
    pub columns: Vec<String>,
    /// The rows as text, at most as many as the limits admit.
    pub rows: Vec<Vec<String>>,
    /// Positions of the records that the answer rests on.
    pub provenance: Vec<usize>,
    /// How complete the columns are that it reads.
    pub completeness: Vec<Completeness>,
    /// What was read into the question.
    pub notes: Vec<String>,
}

/// How complete a column is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Completeness {
    /// The column.
    pub column: String,
    /// Records of the table.
    pub documents: usize,
    /// Those with a value.
    pub filled: usize,
    /// Those without.
    pub empty: usize,
    /// Filled ones that are unsure.
    pub unsure: usize,
}

impl Asked {
    /// No answer, because of `reason`.
    pub fn refused(reason: String) -> Self {
        Self {
            table: String::new(),
            sql: String::new(),
            answer: None,
            refusal: Some(reason),
            columns: Vec::new(),
            rows: Vec::new(),
            provenance: Vec::new(),
            completeness: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Runs a query over one table.
///
/// # Errors
/// [`SqlError`] where the statement was stopped.
pub fn run(
    query: &Query,
    catalogue: &Catalogue,
    table: &Table,
    database: &Database,
    limits: Limits,
) -> Result<Asked, SqlError> {
    let sql = query.sql(catalogue);
    let found = database.run(&sql, limits)?;
    let rests_on = database.run(
        &query.provenance_sql(catalogue),
        Limits {
            max_rows: usize::MAX,
            ..limits
        },
    )?;
    let read = query.columns();
    let completeness = complete(table, &read);
    let least = if matches!(query.shape, Shape::Select(_)) {
        0.0
    } else {
        LEAST_FILLED
    };
    if let Some(empty) = unfilled(least, &completeness) {
        return Ok(Asked::refused(empty));
    }
    let mut notes = query.notes.clone();
    notes.extend(contradictions(table, &read));
    if matches!(query.shape, Shape::Percentage { .. }) && found.rows.iter().flatten().all(Value::is_null) {
        notes.push("no record satisfies the conditions of the whole".to_owned());
    }
    if rests_on.rows.len() > MAX_PROVENANCE {
        notes.push(format!(
            "it rests on {} records; the first {MAX_PROVENANCE} are listed",
            rests_on.rows.len()
        ));
    }
    let mut provenance = rests_on.positions().unwrap_or_default();
    provenance.truncate(MAX_PROVENANCE);
    Ok(Asked {
        table: table.schema.name.clone(),
        answer: answer(query, catalogue, &found),
        refusal: None,
        columns: found.columns.clone(),
        rows: found.rows.iter().map(|row| row.iter().map(number).collect()).collect(),
        provenance,
        completeness,
        notes,
        sql,
    })
}

/// Why a column is of no use: it is empty, or less of it is filled than `least`, a share; `None` where all are of use.
pub(super) fn unfilled(least: f64, completeness: &[Completeness]) -> Option<String> {
    let is_empty = |line: &&Completeness| line.filled == 0 || (line.filled as f64) < least * line.documents as f64;
    let Completeness {
        column,
        filled,
        documents,
        ..
    } = completeness.iter().find(is_empty)?;
    Some(format!("only {filled} of {documents} records have a value of {column}"))
}

/// How complete these columns of a table are. Cost O(records · columns read): a question reads few of a table's columns.
pub(super) fn complete(table: &Table, read: &[usize]) -> Vec<Completeness> {
    let columns = table.schema.columns.iter().enumerate();
    let columns = columns.filter(|(at, _)| read.contains(at));
    let line = |(at, column): (usize, &Column)| {
        let cells = || table.column(at);
        let filled = cells().filter(|cell| !cell.value.is_null()).count();
        let is_unsure = |cell: &&Cell| !cell.value.is_null() && (cell.confidence < UNSURE || !cell.others.is_empty());
        Completeness {
            column: column.name.clone(),
            documents: cells().count(),
            filled,
            empty: cells().count() - filled,
            unsure: cells().filter(is_unsure).count(),
        }
    };
    columns.map(line).collect()
}

/// What documents contradict themselves in, in these columns: which values they state and which one was taken. Cost
/// O(records · columns read).
pub(super) fn contradictions(table: &Table, read: &[usize]) -> Vec<String> {
    let cells = read.iter().flat_map(|at| {
        let records = table.records.iter();
        let cells = records.filter_map(move |record| Some((record, *at, record.cells.get(*at)?)));
        cells.filter(|(.., cell)| !cell.others.is_empty())
    });
    let told = cells.map(|(record, at, cell)| {
        let column = &table.schema.columns[at];
        let unit = column.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
        let others: Vec<String> = cell.others.iter().map(|other| number(&other.value)).collect();
        format!(
            "unsure: {} says of {} both {}{unit} and {}{unit}; the first was taken",
            record.title,
            column.name,
            number(&cell.value),
            others.join(", ")
        )
    });
    let mut told: Vec<String> = told.collect();
    let rest = told.len().saturating_sub(MAX_TOLD);
    told.truncate(MAX_TOLD);
    if rest > 0 {
        told.push(format!("unsure: {rest} more cells with several values"));
    }
    told
}

/// Rows of any statement in words: values of a row parted by commas, rows by semicolons.
pub(super) fn told(rows: &Rows) -> Option<String> {
    let line = |row: &Vec<Value>| {
        let parts: Vec<String> = row.iter().map(number).filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    };
    let lines: Vec<String> = rows.rows.iter().map(line).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// The rows in words: one value, a list, `name: number` pairs, `a in year`.
fn answer(query: &Query, catalogue: &Catalogue, rows: &Rows) -> Option<String> {
    let n = query.n_answer_columns();
    let is_polar = match &query.shape {
        Shape::Exists => true,
        Shape::Select(columns) | Shape::Extreme { columns, .. } => {
            columns.len() == 1 && catalogue.kind(columns[0]) == Kind::Boolean
        }
        _ => false,
    };
    let word = |value: &Value| match value {
        Value::Integer(n) if is_polar => (if *n == 0 { "no" } else { "yes" }).to_owned(),
        other => number(other),
    };
    let mut items: Vec<String> = Vec::new();
    for row in &rows.rows {
        let parts: Vec<String> = row.iter().take(n).map(word).filter(|part| !part.is_empty()).collect();
        let ends_in_time = match &query.shape {
            Shape::Extreme { columns, .. } | Shape::Select(columns) => {
                columns.len() == 2 && catalogue.kind(columns[1]).is_time()
            }
            _ => false,
        };
        let item = match &parts[..] {
            [] => continue,
            [a, b] if ends_in_time => format!("{a} in {b}"),
            [a, b] => format!("{a}: {b}"),
            many => many.join(", "),
        };
        if !items.contains(&item) {
            items.push(item);
        }
    }
    let glue = if n > 1 || items.iter().any(|item| item.contains(',')) {
        "; "
    } else {
        ", "
    };
    (!items.is_empty()).then(|| items.join(glue))
}

/// A value with at most two decimals.
fn number(value: &Value) -> String {
    match value {
        Value::Number(n) => {
            let rounded = (n * 100.0).round() / 100.0;
            // Below a hundredth two decimals would say nothing.
            if rounded == 0.0 && *n != 0.0 {
                format!("{n:.2e}")
            } else {
                rounded.to_string()
            }
        }
        other => other.to_string(),
    }
}

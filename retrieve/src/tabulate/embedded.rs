//! Planning without a model: columns from the question's own words, read against what the documents share.

use super::{Filled, Filler, Planned, Planner, TABLE, TabulateError, Target};
use crate::aggregate::{Asked, Catalogue, Query, Refusal, parse, run, wanted};
use banyan_engine::Document;
use banyan_engine::table::{Cell, Column, Database, Kind, Limits, Record, Table, TableSchema};
use banyan_extract::record::{fill, induce};

/// A column that the question alone names has to be filled in so many documents, where there are as many: what one
/// document has is no attribute of all.
const LEAST_FILLED: usize = 2;

/// Plans by the semantic parser of records, and fills by its filler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded {
    /// How far a statement may go.
    pub limits: Limits,
}

impl Planner for Embedded {
    fn target(&self, question: &str, sample: &[Document]) -> Result<Target, TabulateError> {
        let shared = induce(sample, &[question], TABLE)
            .into_iter()
            .next()
            .unwrap_or_default();
        let empty = Table {
            schema: shared.clone(),
            records: Vec::new(),
        };
        let wanted = wanted(question, &Catalogue::new(&empty));
        let mut reasons = Vec::new();
        // Which column a name or a word is a value of shows only when columns of names and words are filled.
        let is_needed = |(at, column): &(usize, &Column)| {
            let is_key = shared.key.as_ref() == Some(&column.name);
            is_key || wanted.named.contains(at) || matches!(column.kind, Kind::Text | Kind::Boolean)
        };
        let kept = shared.columns.iter().enumerate().filter(is_needed);
        let mut columns: Vec<Column> = kept.map(|(_, column)| column.clone()).collect();
        let mut own = Vec::new();
        for column in wanted.missing {
            if columns.iter().all(|known| known.name != column.name) {
                own.push(column.name.clone());
                reasons.push(format!("{} ({}): the question speaks of it", column.name, column.kind));
                columns.push(column);
            }
        }
        for at in &wanted.named {
            let column = &shared.columns[*at];
            reasons.push(format!("{} ({}): the question names it", column.name, column.kind));
        }
        Ok(Target {
            schema: TableSchema {
                name: TABLE.to_owned(),
                columns,
                ..shared
            },
            statement: None,
            own,
            reasons,
        })
    }

    fn ask(&self, question: &str, target: &Target, filled: Table) -> Result<Planned, TabulateError> {
        let all = with_values(&filled);
        let columns = all.schema.columns.iter().enumerate();
        let is_shared = |(at, column): (usize, &Column)| (!target.own.contains(&column.name)).then_some(at);
        let shared = restricted(&all, &columns.filter_map(is_shared).collect::<Vec<_>>());
        let (table, catalogue, query) = match read(question, shared).or_else(|_| read(question, all)) {
            Ok(read) => read,
            Err(Refusal { reason, .. }) => {
                let schema = target.schema.clone();
                let records = Vec::new();
                return Ok(Planned {
                    asked: Asked::refused(reason),
                    table: Table { schema, records },
                });
            }
        };
        let shown = projected(&table, &query);
        let database = Database::new(std::slice::from_ref(&shown))?;
        let asked = run(&query, &catalogue, &table, &database, self.limits)?;
        Ok(Planned { asked, table: shown })
    }
}

impl Filler for Embedded {
    fn id(&self) -> String {
        "embedded".to_owned()
    }

    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Filled, TabulateError> {
        Ok(Filled {
            table: fill(schema, documents),
            notes: Vec::new(),
        })
    }
}

/// A question, read against what a table holds.
fn read(question: &str, table: Table) -> Result<(Table, Catalogue, Query), Refusal> {
    let catalogue = Catalogue::new(&table);
    let query = parse(question, &catalogue)?;
    Ok((table, catalogue, query))
}

/// The table without columns that (nearly) no document fills, and without records that have nothing but a name.
pub(super) fn with_values(table: &Table) -> Table {
    let least = LEAST_FILLED.min(table.records.len());
    let key = table.schema.key.clone();
    let n_filled = |at: usize| table.column(at).filter(|cell| !cell.value.is_null()).count();
    let kept: Vec<usize> = (0..table.schema.columns.len())
        .filter(|at| n_filled(*at) >= least)
        .collect();
    let mut table = restricted(table, &kept);
    let speaks: Vec<bool> = table
        .schema
        .columns
        .iter()
        .map(|column| speaks(column, key.as_deref()))
        .collect();
    if speaks.contains(&true) {
        let has_value = |record: &Record| {
            let cells = record.cells.iter().zip(&speaks);
            cells.into_iter().any(|(cell, speaks)| *speaks && !cell.value.is_null())
        };
        table.records.retain(has_value);
    }
    table
}

/// Whether a value in a column shows that a document is a record: names all documents have, flags are false by default.
pub(super) fn speaks(column: &Column, key: Option<&str>) -> bool {
    column.kind != Kind::Boolean
        && key != Some(column.name.as_str())
        && !matches!(column.name.as_str(), "name" | "title")
}

/// The columns that a query reads, and the one that names records.
fn projected(table: &Table, query: &Query) -> Table {
    let mut kept = query.columns();
    let key = table.schema.key.as_ref().and_then(|key| table.schema.position(key));
    kept.extend(key);
    kept.sort_unstable();
    kept.dedup();
    restricted(table, &kept)
}

fn restricted(table: &Table, kept: &[usize]) -> Table {
    let columns = kept.iter().map(|at| table.schema.columns[*at].clone()).collect();
    let cells = |record: &Record| -> Vec<Cell> {
        kept.iter()
            .map(|at| record.cells.get(*at).cloned().unwrap_or_default())
            .collect()
    };
    let records = table.records.iter().map(|record| Record {
        cells: cells(record),
        ..record.clone()
    });
    Table {
        records: records.collect(),
        schema: TableSchema {
            columns,
            ..table.schema.clone()
        },
    }
}

//! Who turns a question into SQL: the program itself, or a language model whose statements are run, and mended where they
//! fail (S-RAG §3.3; SRAG §3.1).

use super::answer::{Asked, complete, contradictions, told, unfilled};
use super::view::{View, ask};
use banyan_engine::document;
use banyan_engine::llm::{LanguageModel, LlmError, Role};
use banyan_engine::stated::DefectCounts;
use banyan_engine::table::sql::{ROW, TITLE, quoted};
use banyan_engine::table::{Column, ColumnStats, Database, Limits, Rows, SqlError, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Values of a column that a prompt lists. Arbitrary: enough to see how values are written.
const MAX_VALUES: usize = 12;
/// Longest value in a prompt, in characters. Arbitrary.
const MAX_VALUE: usize = 60;
/// Longest description in a prompt, in characters. Arbitrary.
const MAX_DESCRIPTION: usize = 300;
/// Most tokens of a reply. Arbitrary: ten times the longest statement of our questions.
const REPLY_TOKENS: u32 = 1_024;
/// Most statements of a question: the first, and those that mend it. Arbitrary.
pub const MAX_ATTEMPTS: usize = 3;

/// What a question is asked of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What questions can speak of, the table with most records first; at least one.
    pub views: &'a [View],
    /// All tables, those of the views first and in their order, then child tables.
    pub tables: &'a [Table],
    /// All of these in SQL.
    pub database: &'a Database,
}

/// A statement with the one that tells what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Gives the answer.
    pub sql: String,
    /// Selects the positions of the records that it rests on; may be empty.
    pub records: String,
}

/// Why a question could not be asked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranslateError {
    /// A statement of our own was stopped.
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// The model gave no reply.
    #[error("the model gave no reply")]
    Model(#[from] LlmError),
}

/// Who turns questions into SQL.
pub trait Translator {
    /// What comes of a question. What cannot be translated is no error but a refusal. `planned` is a statement that was
    /// written before the tables were filled.
    ///
    /// # Errors
    /// [`TranslateError`] where there is neither an answer nor a refusal.
    fn ask(
        &self,
        question: &str,
        source: Source<'_>,
        planned: Option<&Statement>,
        limits: Limits,
    ) -> Result<Asked, TranslateError>;
}

/// The program itself: the parser of [`super::parse()`]. It writes its own statement, whatever was planned.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedTranslator;

impl Translator for EmbeddedTranslator {
    fn ask(
        &self,
        question: &str,
        source: Source<'_>,
        _: Option<&Statement>,
        limits: Limits,
    ) -> Result<Asked, TranslateError> {
        Ok(ask(question, source.views, source.database, limits)?.asked)
    }
}

/// Asks a model. The same replies give the same answers.
pub struct ModelTranslator<'a> {
    model: &'a dyn LanguageModel,
    role: Role<StatementReply>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Attempt {
    sql: String,
    problem: String,
}

#[derive(Serialize)]
struct Values<'v> {
    question: &'v str,
    tables: Vec<String>,
    attempts: &'v [Attempt],
}

/// What a model writes. The longest statement is a hundred times the longest that the embedded translator writes.
#[derive(Deserialize, JsonSchema)]
struct StatementReply {
    #[serde(default)]
    #[schemars(length(max = 16_384))]
    sql: String,
    #[serde(default)]
    #[schemars(length(max = 16_384))]
    records: String,
    #[serde(default)]
    #[schemars(length(max = 300))]
    reason: String,
}

impl<'a> ModelTranslator<'a> {
    /// A translator that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel) -> Result<Self, LlmError> {
        let role = Role::new("statement", include_str!("../../prompts/sql.md"))?;
        Ok(Self { model, role })
    }

    /// The statement that a model writes after these attempts, or why there is none.
    fn statement(
        &self,
        question: &str,
        tables: &[Table],
        attempts: &[Attempt],
    ) -> Result<Result<Statement, String>, LlmError> {
        let values = Values {
            question,
            tables: tables.iter().map(described).collect(),
            attempts,
        };
        let mut defects = DefectCounts::default();
        let reply = self.role.ask(self.model, &values, REPLY_TOKENS)?.counted(&mut defects);
        let clean = |sql: &str| sql.trim().trim_end_matches(';').trim().to_owned();
        Ok(match reply {
            None => Err(format!("the model gave no statement ({defects})")),
            Some(reply) if clean(&reply.sql).is_empty() && reply.reason.is_empty() => {
                Err("the model gave no statement and no reason".to_owned())
            }
            Some(reply) if clean(&reply.sql).is_empty() => Err(reply.reason),
            Some(reply) => Ok(Statement {
                sql: clean(&reply.sql),
                records: clean(&reply.records),
            }),
        })
    }
}

impl Translator for ModelTranslator<'_> {
    fn ask(
        &self,
        question: &str,
        source: Source<'_>,
        planned: Option<&Statement>,
        limits: Limits,
    ) -> Result<Asked, TranslateError> {
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut planned = planned.cloned();
        while attempts.len() < MAX_ATTEMPTS {
            let statement = match planned.take() {
                Some(planned) => planned,
                None => match self.statement(question, source.tables, &attempts)? {
                    Ok(statement) => statement,
                    Err(reason) => return Ok(Asked::refused(reason)),
                },
            };
            match checked(&statement.sql, source, limits) {
                Ok(rows) => {
                    let empty = Table::default();
                    let table = asked_table(&statement.records, source.tables).unwrap_or(&empty);
                    return Ok(answered(statement, &rows, &attempts, (table, source.database), limits));
                }
                Err(problem) => attempts.push(Attempt {
                    sql: statement.sql,
                    problem,
                }),
            }
        }
        let last = attempts.last().map_or("", |attempt| attempt.problem.as_str());
        Ok(Asked::refused(format!(
            "none of {} statements of the model could be run; the last: {last}",
            attempts.len()
        )))
    }
}

/// Runs a statement that names only what the tables have: `SQLite` takes a quoted name that it does not know for a
/// text, so that a misspelt column would be a silent wrong answer.
fn checked(sql: &str, source: Source<'_>, limits: Limits) -> Result<Rows, String> {
    let lower = sql.to_lowercase();
    let is_known = |name: &str| {
        let of_table = |table: &Table| {
            let mut columns = table.schema.columns.iter();
            table.schema.name.eq_ignore_ascii_case(name) || columns.any(|column| column.name.eq_ignore_ascii_case(name))
        };
        let is_alias = || lower.contains(&format!("as \"{}\"", name.to_lowercase()));
        [ROW, TITLE].contains(&name) || source.tables.iter().any(of_table) || is_alias()
    };
    if let Some(name) = sql.split('"').skip(1).step_by(2).find(|name| !is_known(name)) {
        return Err(format!("there is no column or table {name}"));
    }
    source.database.run(sql, limits).map_err(|error| error.to_string())
}

/// The table whose records a statement selects: the first that it names, else the first of all.
fn asked_table<'a>(sql: &str, tables: &'a [Table]) -> Option<&'a Table> {
    let named = tables
        .iter()
        .filter_map(|table| Some((sql.find(&quoted(&table.schema.name))?, table)));
    named
        .min_by_key(|(at, _)| *at)
        .map(|(_, table)| table)
        .or(tables.first())
}

/// The rows as an answer about records of `table`. What a statement rests on is what the second one selects, as far as
/// that can be run.
fn answered(
    said: Statement,
    rows: &Rows,
    attempts: &[Attempt],
    (table, database): (&Table, &Database),
    limits: Limits,
) -> Asked {
    let read = mentioned(&said.sql, table);
    let completeness = complete(table, &read);
    if let Some(empty) = unfilled(0.0, &completeness) {
        return Asked::refused(empty);
    }
    let mut notes = vec!["the statement is a model's".to_owned()];
    notes.extend(
        attempts
            .iter()
            .map(|Attempt { sql, problem }| format!("mended: {sql} ({problem})")),
    );
    let provenance = rests_on(&said.records, (table, database), limits);
    if provenance.is_none() {
        notes.push("the model did not say which records it rests on, so all are named".to_owned());
    }
    notes.extend(contradictions(table, &read));
    Asked {
        table: table.schema.name.clone(),
        answer: told(rows),
        refusal: None,
        columns: rows.columns.clone(),
        rows: rows
            .rows
            .iter()
            .map(|row| row.iter().map(ToString::to_string).collect())
            .collect(),
        provenance: provenance.unwrap_or_else(|| (0..table.records.len()).collect()),
        completeness,
        notes,
        sql: said.sql,
    }
}

/// The positions that a statement selects; `None` where it selects anything else.
fn rests_on(sql: &str, (table, database): (&Table, &Database), limits: Limits) -> Option<Vec<usize>> {
    let unbounded = Limits {
        max_rows: usize::MAX,
        ..limits
    };
    let rows = database.run(sql, unbounded).ok()?;
    let found: BTreeSet<usize> = rows.positions()?.into_iter().collect();
    let is_known = found.last().is_none_or(|last| *last < table.records.len());
    is_known.then(|| found.into_iter().collect())
}

/// Positions of the columns whose names a statement has.
fn mentioned(sql: &str, table: &Table) -> Vec<usize> {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
    let words: BTreeSet<&str> = sql.split(|ch: char| !is_part(ch)).collect();
    let columns = table.schema.columns.iter().enumerate();
    columns
        .filter(|(_, column)| words.contains(column.name.as_str()))
        .map(|(at, _)| at)
        .collect()
}

/// A table as a prompt shows it (S-RAG, appendix D): name, what a record is, and each column with its statistics.
fn described(table: &Table) -> String {
    let schema = &table.schema;
    let called = if schema.nouns.is_empty() {
        String::new()
    } else {
        format!(", each a {}", schema.nouns.join(" or "))
    };
    let head = format!("table \"{}\": {} records{called}", schema.name, table.records.len());
    let row = format!("\"{ROW}\" integer: the record's position");
    let columns = schema.columns.iter().zip(ColumnStats::of(table));
    let columns = columns.map(|(column, stats)| line(column, &stats));
    [head, row].into_iter().chain(columns).collect::<Vec<_>>().join("\n")
}

/// A column with its statistics.
fn line(column: &Column, stats: &ColumnStats) -> String {
    let unit = column
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" in {unit}"));
    let description = Some(one_line(&column.description, MAX_DESCRIPTION)).filter(|text| !text.is_empty());
    let description = description.map_or_else(String::new, |text| format!(": {text}"));
    let filled = format!("{} of {} filled", stats.n_filled, stats.n_filled + stats.n_empty);
    let numbers = stats
        .numbers
        .map(|numbers| format!("{} to {}, mean {:.2}", numbers.min, numbers.max, numbers.mean));
    let values = stats.top.iter().take(MAX_VALUES);
    let values: Vec<String> = values.map(|(value, _)| one_line(value, MAX_VALUE)).collect();
    let more = if stats.n_distinct > values.len() { ", …" } else { "" };
    let values = (!values.is_empty()).then(|| format!("values {}{more}", values.join(", ")));
    let stats: Vec<String> = [filled].into_iter().chain(numbers).chain(values).collect();
    format!(
        "\"{}\" {}{unit}{description} [{}]",
        column.name,
        column.kind,
        stats.join("; ")
    )
}

/// A text in one line, cut to a number of characters.
fn one_line(text: &str, max: usize) -> String {
    let line = document::one_line(text);
    if line.chars().count() <= max {
        line
    } else {
        line.chars().take(max).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests;

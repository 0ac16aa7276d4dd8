//! Who turns a question into SQL: the program itself, or a language model whose statements are run, and mended where they
//! fail (S-RAG §3.3).

use super::answer::{Asked, complete, contradictions, told};
use super::view::{View, ask_views};
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, ReplyShape, Request};
use banyan_engine::table::sql::{PARENT, ROW, quoted};
use banyan_engine::table::{Column, ColumnStats, Database, Limits, Rows, SqlError, Table, Value};
use banyan_extract::reply::object;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Values of a column that a prompt lists. Arbitrary: enough to see how values are written.
const MAX_VALUES: usize = 12;
/// Longest value in a prompt, in characters. Arbitrary.
const MAX_VALUE: usize = 60;
/// Longest statement that is run, in bytes. Arbitrary: a hundred times the longest that the embedded translator writes.
const MAX_SQL: usize = 16_384;
/// Longest reason that is shown, in characters. Arbitrary.
const MAX_REASON: usize = 300;

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

/// Why a question could not be asked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranslateError {
    /// A statement of our own was stopped.
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] LlmError),
}

/// Who turns questions into SQL.
pub trait Translator {
    /// What comes of a question. What cannot be translated is no error but a refusal.
    ///
    /// # Errors
    /// [`TranslateError`] where there is neither an answer nor a refusal.
    fn ask(&self, question: &str, source: Source<'_>, limits: Limits) -> Result<Asked, TranslateError>;
}

/// The program itself: the semantic parser of [`super::parse()`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedTranslator;

impl Translator for EmbeddedTranslator {
    fn ask(&self, question: &str, source: Source<'_>, limits: Limits) -> Result<Asked, TranslateError> {
        Ok(ask_views(question, source.views, source.database, limits)?.1)
    }
}

/// How a model is asked for SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslatorOptions {
    /// Most statements of a question, at least 1: the first, and those that mend it.
    pub max_attempts: usize,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
}

impl Default for TranslatorOptions {
    /// Three statements, arbitrary; replies of 1,024 tokens, arbitrary: ten times the longest statement of our questions.
    fn default() -> Self {
        Self {
            max_attempts: 3,
            max_reply_tokens: 1_024,
        }
    }
}

/// Asks a model. The same replies give the same answers.
pub struct ModelTranslator<'a> {
    model: &'a dyn LanguageModel,
    options: TranslatorOptions,
    prompt: Prompt,
}

/// A statement that failed.
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

/// What a reply says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    sql: String,
    records: String,
    reason: String,
}

impl<'a> ModelTranslator<'a> {
    /// A translator that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, options: TranslatorOptions) -> Result<Self, LlmError> {
        let prompt = Prompt::parse("sql.md", include_str!("../../prompts/sql.md"))?;
        Ok(Self { model, options, prompt })
    }

    /// The request about a question after these attempts, the same for the same.
    fn request(&self, question: &str, tables: &[Table], attempts: &[Attempt]) -> Result<Request, LlmError> {
        let values = Values {
            question,
            tables: tables.iter().map(described).collect(),
            attempts,
        };
        self.prompt
            .request(&values, Some(shape()), self.options.max_reply_tokens)
    }
}

impl Translator for ModelTranslator<'_> {
    fn ask(&self, question: &str, source: Source<'_>, limits: Limits) -> Result<Asked, TranslateError> {
        let mut attempts: Vec<Attempt> = Vec::new();
        while attempts.len() < self.options.max_attempts.max(1) {
            let request = self.request(question, source.tables, &attempts)?;
            let reply = self.model.complete(&request)?;
            let said = match read(&reply.text) {
                Ok(said) => said,
                Err(problem) => {
                    attempts.push(Attempt {
                        sql: String::new(),
                        problem,
                    });
                    continue;
                }
            };
            if said.sql.is_empty() {
                return Ok(Asked::refused(if said.reason.is_empty() {
                    "the model gave no statement and no reason".to_owned()
                } else {
                    said.reason
                }));
            }
            match source.database.run(&said.sql, limits) {
                Ok(rows) => {
                    let empty = Table::default();
                    let table = asked_table(&said.records, source.tables).unwrap_or(&empty);
                    return Ok(answered(said, &rows, attempts.len(), (table, source.database), limits));
                }
                Err(error) => attempts.push(Attempt {
                    sql: said.sql,
                    problem: error.to_string(),
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

/// The rows as an answer about records of `table`. What a statement rests on is what the second one selects, as far as that
/// can be run.
fn answered(said: Said, rows: &Rows, n_mended: usize, (table, database): (&Table, &Database), limits: Limits) -> Asked {
    let mut notes = vec!["the statement is a model's".to_owned()];
    if n_mended > 0 {
        notes.push(format!("{n_mended} statements before it could not be run"));
    }
    let provenance = rests_on(&said.records, (table, database), limits);
    if provenance.is_none() {
        notes.push("the model did not say which records it rests on, so all are named".to_owned());
    }
    let read = mentioned(&said.sql, table);
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
        completeness: complete(table, &read),
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
    let position = |row: &Vec<Value>| match row.first() {
        Some(Value::Integer(n)) => usize::try_from(*n).ok(),
        _ => None,
    };
    let at = |row: &Vec<Value>| position(row).filter(|at| *at < table.records.len());
    let found: BTreeSet<usize> = rows.rows.iter().map(at).collect::<Option<_>>()?;
    Some(found.into_iter().collect())
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
    let parent = schema
        .parent
        .as_ref()
        .map(|parent| format!("\"{PARENT}\" integer: \"{ROW}\" of the record of \"{parent}\" that it belongs to"));
    let columns = schema.columns.iter().zip(ColumnStats::of(table));
    let columns = columns.map(|(column, stats)| line(column, &stats));
    [head, row]
        .into_iter()
        .chain(parent)
        .chain(columns)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A column with its statistics.
fn line(column: &Column, stats: &ColumnStats) -> String {
    let unit = column
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" in {unit}"));
    let description = Some(one_line(&column.description, MAX_REASON)).filter(|text| !text.is_empty());
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
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        line
    } else {
        line.chars().take(max).chain(['…']).collect()
    }
}

/// What a reply says, or what is wrong with it.
fn read(reply: &str) -> Result<Said, String> {
    const FIELDS: [&str; 3] = ["sql", "records", "reason"];
    let object = object(reply, &FIELDS).ok_or("the reply is no JSON object with `sql`")?;
    let text = |name: &str| {
        let raw = object.entries.get(name).and_then(|value| value.as_str()).unwrap_or("");
        raw.trim().trim_end_matches(';').trim().to_owned()
    };
    let said = Said {
        sql: text("sql"),
        records: text("records"),
        reason: one_line(&text("reason"), MAX_REASON),
    };
    if said.sql.len() > MAX_SQL || said.records.len() > MAX_SQL {
        return Err(format!("the statement is longer than {MAX_SQL} bytes"));
    }
    Ok(said)
}

/// The form of a reply; properties in the order of the prompt.
fn shape() -> ReplyShape {
    let text = json!({"type": "string"});
    ReplyShape {
        name: "statement".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {"sql": text, "records": text, "reason": text},
            "required": ["sql", "records", "reason"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
mod tests;

//! Planning by a language model: target schema and SQL before the table is filled, repairs after (SRAG §3.1, A.1.1).

use super::embedded::{Embedded, with_values};
use super::{Planned, Planner, Statement, TABLE, TabulateError, Target};
use crate::aggregate::{Asked, Completeness};
use crate::model::{Defect, Defects, field};
use banyan_engine::Document;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, ReplyShape, Request};
use banyan_engine::table::sql::{ROW, TITLE, identifier};
use banyan_engine::table::{Column, ColumnStats, Database, Kind, Limits, Rows, Table, TableSchema, Value};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

/// Most columns. Arbitrary: the questions of S-RAG's sets need three at most.
const MAX_COLUMNS: usize = 12;
/// Documents that are shown, and characters of each. Arbitrary: what the paper's Appendix calls an example, three times.
const EXAMPLES: usize = 3;
const EXAMPLE_CHARS: usize = 800;
/// Longest statement in characters. Arbitrary.
const MAX_SQL: usize = 4_000;
/// Longest description of a column in characters. Arbitrary.
const MAX_DESCRIPTION: usize = 300;
/// How often a statement that does not run is mended. Arbitrary: what two repairs do not mend is not understood.
const MAX_REPAIRS: usize = 2;

/// Most calls of a question that reads so many documents: one for the columns, one a document, and those that repair the
/// statement.
pub fn max_calls(n_documents: usize) -> usize {
    1 + n_documents.min(super::MAX_DOCUMENTS) + MAX_REPAIRS
}
/// Tokens of a reply: a dozen columns and two statements. Arbitrary.
const REPLY_TOKENS: u32 = 1_200;

/// Asks a model for schema and SQL. Where it gives no usable columns the embedded planner plans, which is told.
pub struct ModelPlanner<'a> {
    model: &'a dyn LanguageModel,
    target: Prompt,
    repair: Prompt,
    max_reply_tokens: u32,
    embedded: Embedded,
}

#[derive(Serialize)]
struct TargetValues<'a> {
    question: &'a str,
    examples: Vec<String>,
    table: &'a str,
    max_columns: usize,
}

#[derive(Serialize)]
struct RepairValues<'a> {
    question: &'a str,
    table: &'a str,
    columns: Vec<String>,
    sql: &'a str,
    error: &'a str,
}

impl<'a> ModelPlanner<'a> {
    /// One that asks `model`, for replies of at most `max_reply_tokens`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, max_reply_tokens: u32) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            target: Prompt::parse("target.md", include_str!("../../prompts/target.md"))?,
            repair: Prompt::parse("repair.md", include_str!("../../prompts/repair.md"))?,
            max_reply_tokens: max_reply_tokens.min(REPLY_TOKENS),
            embedded: Embedded::default(),
        })
    }

    /// The request for a target schema, the same for the same question and documents.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, question: &str, sample: &[Document]) -> Result<Request, LlmError> {
        let n = sample.len().min(EXAMPLES);
        let chosen = (0..n).map(|at| &sample[at * sample.len() / n]);
        let beginning = |document: &Document| -> String { document.text.chars().take(EXAMPLE_CHARS).collect() };
        let values = TargetValues {
            question,
            examples: chosen.map(|one| format!("{}\n{}", one.title, beginning(one))).collect(),
            table: TABLE,
            max_columns: MAX_COLUMNS,
        };
        let form = json!({
            "type": "object",
            "properties": {
                "columns": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "type": {"type": "string"}, "description": {"type": "string"}},
                    "required": ["name", "type", "description"],
                    "additionalProperties": false,
                }},
                "sql": {"type": "string"},
                "rows": {"type": "string"},
            },
            "required": ["columns", "sql", "rows"],
            "additionalProperties": false,
        });
        let shape = ReplyShape {
            name: "target".to_owned(),
            schema: form,
        };
        self.target.request(&values, Some(shape), self.max_reply_tokens)
    }

    /// The request to mend a statement.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn repair_request(&self, question: &str, table: &Table, sql: &str, error: &str) -> Result<Request, LlmError> {
        let values = RepairValues {
            question,
            table: TABLE,
            columns: ColumnStats::of(table).iter().map(described).collect(),
            sql,
            error,
        };
        let text = json!({"type": "string"});
        let shape = ReplyShape {
            name: "statement".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"sql": text, "rows": text},
                "required": ["sql", "rows"],
                "additionalProperties": false,
            }),
        };
        self.repair.request(&values, Some(shape), self.max_reply_tokens)
    }

    /// The mended statement; `None` where the reply has none.
    fn mended(&self, question: &str, table: &Table, sql: &str, error: &str) -> Result<Option<Statement>, LlmError> {
        let reply = self
            .model
            .complete(&self.repair_request(question, table, sql, error)?)?;
        let entries = field::entries(&reply, &["sql", "rows"], &mut Defects::default());
        Ok(entries.and_then(|entries| statement(&entries)))
    }
}

impl Planner for ModelPlanner<'_> {
    fn target(&self, question: &str, sample: &[Document]) -> Result<Target, TabulateError> {
        let reply = self.model.complete(&self.request(question, sample)?)?;
        let mut defects = Defects::default();
        let entries = field::entries(&reply, &["columns", "sql", "rows"], &mut defects).unwrap_or_default();
        let columns = columns(field::list(entries.get("columns")), &mut defects);
        let statement = statement(&entries);
        if columns.is_empty() || statement.is_none() {
            let mut target = self.embedded.target(question, sample)?;
            let why =
                format!("the model gave no usable columns and SQL ({defects}), so the question's words were read");
            target.reasons.insert(0, why);
            return Ok(target);
        }
        let mut reasons: Vec<String> = columns
            .iter()
            .map(|column| format!("{} ({}): {}", column.name, column.kind, column.description))
            .collect();
        if !defects.is_empty() {
            reasons.push(format!("defects in the reply: {defects}"));
        }
        Ok(Target {
            schema: TableSchema {
                name: TABLE.to_owned(),
                columns,
                ..TableSchema::default()
            },
            statement,
            own: Vec::new(),
            reasons,
        })
    }

    fn ask(&self, question: &str, target: &Target, filled: Table) -> Result<Planned, TabulateError> {
        let Some(mut statement) = target.statement.clone() else {
            return self.embedded.ask(question, target, filled);
        };
        // A document of which nothing was read is no record.
        let table = with_values(&filled);
        let table = Table {
            schema: target.schema.clone(),
            records: if table.records.is_empty() {
                filled.records
            } else {
                readable(&filled, &table)
            },
        };
        let database = Database::new(std::slice::from_ref(&table))?;
        let mut notes = Vec::new();
        for repair in 0..=MAX_REPAIRS {
            match checked(&statement.sql, &table, &database, self.embedded.limits) {
                Ok(rows) => {
                    let asked = answered(&statement, &rows, &table, &database, self.embedded.limits, notes);
                    return Ok(Planned { asked, table });
                }
                Err(error) if repair == MAX_REPAIRS => {
                    let asked = Asked::refused(format!("no statement ran, after {MAX_REPAIRS} repairs: {error}"));
                    return Ok(Planned { asked, table });
                }
                Err(error) => {
                    notes.push(format!("repaired: {} ({error})", statement.sql));
                    let Some(mended) = self.mended(question, &table, &statement.sql, &error)? else {
                        let asked = Asked::refused(format!("the statement did not run and was not mended: {error}"));
                        return Ok(Planned { asked, table });
                    };
                    statement = mended;
                }
            }
        }
        Ok(Planned {
            asked: Asked::refused("no statement".to_owned()),
            table,
        })
    }
}

/// Runs a statement that names only what the table has: `SQLite` takes a quoted name that it does not know for a text, so
/// that a misspelt column would be a silent wrong answer.
fn checked(sql: &str, table: &Table, database: &Database, limits: Limits) -> Result<Rows, String> {
    let mut quoted = sql.split('"').skip(1).step_by(2);
    let known = |name: &&str| {
        let is_alias = || sql.to_lowercase().contains(&format!("as \"{}\"", name.to_lowercase()));
        let own = table
            .schema
            .columns
            .iter()
            .any(|column| column.name.eq_ignore_ascii_case(name));
        own || [TABLE, ROW, TITLE].contains(name) || is_alias()
    };
    if let Some(name) = quoted.find(|name| !known(name)) {
        return Err(format!("no such column: {name}"));
    }
    database.run(sql, limits).map_err(|error| error.to_string())
}

/// The records of `filled` that `kept` has, too.
fn readable(filled: &Table, kept: &Table) -> Vec<banyan_engine::table::Record> {
    let ids: BTreeSet<_> = kept.records.iter().map(|record| record.document).collect();
    let records = filled.records.iter().filter(|record| ids.contains(&record.document));
    records.cloned().collect()
}

/// The valid columns of a reply: names of letters and digits, each once, of a known type.
fn columns(list: &[serde_json::Value], defects: &mut Defects) -> Vec<Column> {
    defects.note_many(Defect::TooMany, list.len().saturating_sub(MAX_COLUMNS));
    let mut columns: Vec<Column> = Vec::new();
    for entry in list.iter().take(MAX_COLUMNS) {
        let name = identifier(&field::line(entry.get("name")));
        let kind = Kind::of_word(&field::line(entry.get("type")));
        match kind {
            _ if name.is_empty() => defects.note(Defect::Empty),
            None => defects.note(Defect::UnknownType),
            Some(_) if columns.iter().any(|column| column.name == name) => defects.note(Defect::Repeated),
            Some(kind) => columns.push(Column {
                description: field::text(entry.get("description"), MAX_DESCRIPTION).unwrap_or_default(),
                ..Column::new(name, kind)
            }),
        }
    }
    columns
}

fn statement(entries: &serde_json::Map<String, serde_json::Value>) -> Option<Statement> {
    let sql = field::text(entries.get("sql"), MAX_SQL).ok()?;
    let rows = field::text(entries.get("rows"), MAX_SQL).unwrap_or_default();
    Some(Statement { sql, rows })
}

/// A column in one line: name, kind, how full it is, range or most frequent values.
fn described(stats: &ColumnStats) -> String {
    let values = match &stats.numbers {
        Some(numbers) => format!("from {} to {}", numbers.min, numbers.max),
        None => stats
            .top
            .iter()
            .take(5)
            .map(|(value, _)| value.as_str())
            .collect::<Vec<_>>()
            .join("; "),
    };
    let n = stats.n_filled + stats.n_empty;
    format!(
        "`{}` {}, {} of {n} filled: {values}",
        stats.name, stats.kind, stats.n_filled
    )
}

/// The rows of a statement as an answer; what it rests on is what the second statement says, else all records.
fn answered(
    statement: &Statement,
    found: &Rows,
    table: &Table,
    database: &Database,
    limits: Limits,
    mut notes: Vec<String>,
) -> Asked {
    let shown = |row: &Vec<Value>| -> Vec<String> { row.iter().map(ToString::to_string).collect() };
    let rows: Vec<Vec<String>> = found.rows.iter().map(shown).collect();
    let lines = rows
        .iter()
        .map(|row| row.join(": "))
        .filter(|line| !line.trim_matches([':', ' ']).is_empty());
    let lines: Vec<String> = lines.collect();
    let rests_on = database.run(&statement.rows, limits).map(|rows| {
        let first = rows.rows.iter().filter_map(|row| match row.first() {
            Some(Value::Integer(at)) => usize::try_from(*at).ok(),
            _ => None,
        });
        first.filter(|at| *at < table.records.len()).collect::<Vec<usize>>()
    });
    let provenance = rests_on.ok().filter(|rows| !rows.is_empty()).unwrap_or_else(|| {
        notes.push("which rows it rests on is not known: all are listed".to_owned());
        (0..table.records.len()).collect()
    });
    let read = |name: &str| statement.sql.to_lowercase().contains(name);
    let completeness = ColumnStats::of(table)
        .into_iter()
        .filter(|stats| read(&stats.name))
        .map(|stats| Completeness {
            documents: stats.n_filled + stats.n_empty,
            filled: stats.n_filled,
            empty: stats.n_empty,
            unsure: stats.n_unsure,
            column: stats.name,
        });
    Asked {
        table: table.schema.name.clone(),
        sql: statement.sql.clone(),
        answer: (!lines.is_empty()).then(|| lines.join("; ")),
        refusal: None,
        columns: found.columns.clone(),
        completeness: completeness.collect(),
        rows,
        provenance,
        notes,
    }
}

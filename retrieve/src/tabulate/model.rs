//! Planning by a language model: target schema and SQL before the table is filled (SRAG §3.1, A.1.1).

use super::{EmbeddedPlanner, MAX_DOCUMENTS, Planner, TABLE, Target};
use crate::aggregate::{MAX_ATTEMPTS, Statement};
use banyan_engine::Document;
use banyan_engine::llm::{LanguageModel, LlmError, Role};
use banyan_engine::stated::DefectCounts;
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, Kind, TableSchema};
use banyan_extract::record::MAX_PARTS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most columns; the reply's form says it, too. Arbitrary: the questions of S-RAG's sets need three at most.
const MAX_COLUMNS: usize = 12;
/// Documents that are shown, and characters of each. Arbitrary: what the paper's Appendix calls an example, three times.
const EXAMPLES: usize = 3;
const EXAMPLE_CHARS: usize = 800;
/// Tokens of a reply: a dozen columns and two statements. Arbitrary.
const REPLY_TOKENS: u32 = 1_200;

/// Most calls of a question that reads so many documents: one for the columns, those for each document, and those for the
/// statement.
pub fn max_calls(n_documents: usize) -> usize {
    1 + n_documents.min(MAX_DOCUMENTS) * MAX_PARTS + MAX_ATTEMPTS
}

/// Asks a model for schema and SQL. Where it gives no usable columns the embedded planner plans, which is told.
pub struct ModelPlanner<'a> {
    model: &'a dyn LanguageModel,
    role: Role<TargetReply>,
    max_reply_tokens: u32,
}

#[derive(Serialize)]
struct Values<'a> {
    question: &'a str,
    examples: Vec<String>,
    table: &'a str,
    max_columns: usize,
}

/// What a model designs.
#[derive(Deserialize, JsonSchema)]
struct TargetReply {
    #[schemars(length(max = 12))]
    columns: Vec<ColumnReply>,
    #[schemars(length(min = 1, max = 4000))]
    sql: String,
    #[serde(default)]
    #[schemars(length(max = 4000))]
    rows: String,
}

#[derive(Deserialize, JsonSchema)]
struct ColumnReply {
    #[schemars(length(min = 1, max = 80))]
    name: String,
    #[serde(rename = "type")]
    kind: ColumnType,
    #[serde(default)]
    #[schemars(length(max = 300))]
    description: String,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ColumnType {
    Text,
    Integer,
    Number,
    Boolean,
    Date,
    Year,
}

impl<'a> ModelPlanner<'a> {
    /// One that asks `model`, for replies of at most `max_reply_tokens`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, max_reply_tokens: u32) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            role: Role::new("target", include_str!("../../prompts/target.md"))?,
            max_reply_tokens: max_reply_tokens.min(REPLY_TOKENS),
        })
    }
}

impl Planner for ModelPlanner<'_> {
    fn plan(&self, question: &str, documents: &[Document]) -> Result<Target, LlmError> {
        let n = documents.len().min(EXAMPLES);
        let chosen = (0..n).map(|at| &documents[at * documents.len() / n]);
        let beginning = |document: &Document| -> String { document.text.chars().take(EXAMPLE_CHARS).collect() };
        let values = Values {
            question,
            examples: chosen.map(|one| format!("{}\n{}", one.title, beginning(one))).collect(),
            table: TABLE,
            max_columns: MAX_COLUMNS,
        };
        let mut defects = DefectCounts::default();
        let reply = self
            .role
            .ask(self.model, &values, self.max_reply_tokens)?
            .counted(&mut defects);
        let Some(TargetReply { columns, sql, rows }) = reply.filter(|reply| !reply.columns.is_empty()) else {
            let mut target = EmbeddedPlanner.plan(question, documents)?;
            let why =
                format!("the model gave no usable columns and SQL ({defects}), so the question's words were read");
            target.reasons.insert(0, why);
            return Ok(target);
        };
        let columns = distinct(columns);
        let reason = |column: &Column| format!("{} ({}): {}", column.name, column.kind, column.description);
        let told = (!defects.is_empty()).then(|| format!("defects in the reply: {defects}"));
        Ok(Target {
            reasons: columns.iter().map(reason).chain(told).collect(),
            schema: TableSchema {
                name: TABLE.to_owned(),
                columns,
                ..TableSchema::default()
            },
            statement: Some(Statement { sql, records: rows }),
        })
    }
}

/// The columns by their names in SQL, each name once.
fn distinct(replies: Vec<ColumnReply>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for reply in replies {
        let kind = match reply.kind {
            ColumnType::Text => Kind::Text,
            ColumnType::Integer => Kind::Integer,
            ColumnType::Number => Kind::Number,
            ColumnType::Boolean => Kind::Boolean,
            ColumnType::Date => Kind::Date,
            ColumnType::Year => Kind::Year,
        };
        let name = identifier(&reply.name);
        if columns.iter().all(|column| column.name != name) {
            let description = reply.description;
            columns.push(Column {
                description,
                ..Column::new(name, kind)
            });
        }
    }
    columns
}

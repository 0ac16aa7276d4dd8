//! Filling by a language model: one call a document; every value with the words that state it (SRAG §3.1, A.1.2).

use super::{Filled, Filler, TabulateError};
use crate::model::{Defect, Defects, field};
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Reply, ReplyShape, Request, complete_all};
use banyan_engine::table::{Cell, Record, Table, TableSchema};
use banyan_engine::{Document, Span};
use banyan_extract::record::literal;
use serde::Serialize;
use serde_json::json;
use std::num::NonZeroUsize;

/// Longest value and quote in characters. Arbitrary.
const MAX_VALUE: usize = 300;
/// Tokens of one value with its quote, in a reply. Arbitrary.
const VALUE_TOKENS: u32 = 120;
/// How sure a value is that a model reads and whose quote stands in the document. Arbitrary, not measured.
const CONFIDENCE: f32 = 0.9;
/// Characters of a token, at least, where prompts are cut to size.
const CHARS_PER_TOKEN: usize = 3;

/// How a model is asked to fill rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillOptions {
    /// Most tokens of a prompt; the end of a longer document is not shown.
    pub max_prompt_tokens: u32,
    /// Most tokens of a reply.
    pub max_reply_tokens: u32,
    /// Calls under way at once.
    pub max_concurrent: NonZeroUsize,
}

/// Asks a model document by document.
pub struct ModelFiller<'a> {
    model: &'a dyn LanguageModel,
    prompt: Prompt,
    options: FillOptions,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Serialize)]
struct Values<'a> {
    columns: Vec<Described<'a>>,
    document: String,
}

#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    kind: String,
    description: &'a str,
}

impl<'a> ModelFiller<'a> {
    /// One that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        options: FillOptions,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            prompt: Prompt::parse("fill.md", include_str!("../../prompts/fill.md"))?,
            options,
            is_stopped,
        })
    }

    /// The request about a document, the same for the same document and columns.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, schema: &TableSchema, document: &Document) -> Result<Request, LlmError> {
        let room = self.options.max_prompt_tokens as usize * CHARS_PER_TOKEN;
        let text: String = document.text.chars().take(room).collect();
        let columns = schema.columns.iter().map(|column| Described {
            name: &column.name,
            kind: column.kind.to_string(),
            description: &column.description,
        });
        let values = Values {
            columns: columns.collect(),
            document: format!("{}\n{text}", document.title),
        };
        let text = json!({"type": "string"});
        let shape = ReplyShape {
            name: "row".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"values": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"column": text, "value": text, "quote": text},
                    "required": ["column", "value", "quote"],
                    "additionalProperties": false,
                }}},
                "required": ["values"],
                "additionalProperties": false,
            }),
        };
        let most = VALUE_TOKENS * u32::try_from(schema.columns.len().max(1)).unwrap_or(u32::MAX);
        self.prompt
            .request(&values, Some(shape), most.min(self.options.max_reply_tokens))
    }
}

impl Filler for ModelFiller<'_> {
    fn id(&self) -> String {
        self.model.id().to_owned()
    }

    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Filled, TabulateError> {
        let requests = documents.iter().map(|document| self.request(schema, document));
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let n = self.options.max_concurrent;
        let replies = complete_all(self.model, &requests, n, self.is_stopped, |_, _| ());
        let (mut defects, mut n_failed) = (Defects::default(), 0);
        let mut records = Vec::new();
        for (document, reply) in documents.iter().zip(replies) {
            let cells = match reply {
                Ok(reply) => cells(&reply, schema, document, &mut defects),
                Err(error) if error.ends_job() => return Err(error.into()),
                Err(_) => {
                    n_failed += 1;
                    vec![Cell::default(); schema.columns.len()]
                }
            };
            records.push(Record {
                document: document.id,
                title: document.title.clone(),
                parent: None,
                cells,
            });
        }
        let mut notes = Vec::new();
        if !defects.is_empty() {
            notes.push(format!("defects in what was read: {defects}"));
        }
        if n_failed > 0 {
            notes.push(format!("{n_failed} documents without a reply are empty rows"));
        }
        let schema = schema.clone();
        Ok(Filled {
            table: Table { schema, records },
            notes,
        })
    }
}

/// The valid cells of a reply: a known column, a value of its kind, a quote that stands in the document.
fn cells(reply: &Reply, schema: &TableSchema, document: &Document, defects: &mut Defects) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); schema.columns.len()];
    let entries = field::entries(reply, &["values"], defects).unwrap_or_default();
    for entry in field::list(entries.get("values")).iter().take(schema.columns.len() * 4) {
        let Some(at) = schema.position(&field::line(entry.get("column"))) else {
            defects.note(Defect::UnknownRelation);
            continue;
        };
        match cell(entry, &schema.columns[at], document) {
            Err(defect) => defects.note(defect),
            Ok(_) if !cells[at].value.is_null() => defects.note(Defect::Repeated),
            Ok(cell) => cells[at] = cell,
        }
    }
    cells
}

fn cell(entry: &serde_json::Value, column: &banyan_engine::table::Column, document: &Document) -> Result<Cell, Defect> {
    let plain = entry.get("value").map(|value| match value {
        serde_json::Value::Bool(true) => "yes".into(),
        serde_json::Value::Bool(false) => "no".into(),
        serde_json::Value::Number(number) => number.to_string().into(),
        other => other.clone(),
    });
    let value = literal::read(column, &field::text(plain.as_ref(), MAX_VALUE)?).ok_or(Defect::UnknownType)?;
    let quote = entry
        .get("quote")
        .and_then(|quote| quote.as_str())
        .unwrap_or_default()
        .trim();
    let start = Some(quote).filter(|quote| !quote.is_empty() && quote.chars().count() <= MAX_VALUE);
    let start = start
        .and_then(|quote| document.text.find(quote))
        .ok_or(Defect::NotVerbatim)?;
    Ok(Cell {
        value,
        raw: quote.to_owned(),
        span: Some(Span::new(start, start + quote.len())),
        confidence: CONFIDENCE,
        others: Vec::new(),
    })
}

//! The filler that asks a model, one call a document (S-RAG §3.2.2).

use super::reply::{RecordDefect, cells};
use super::{Filler, Given, RecordOptions, cut};
use banyan_engine::Document;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, ReplyShape, Request, complete_all};
use banyan_engine::table::{Cell, Record, Table, TableSchema};
use serde::Serialize;
use serde_json::json;

/// Asks a model for records. The same replies give the same records for any number of calls at a time.
pub struct ModelFiller<'a> {
    model: &'a dyn LanguageModel,
    options: RecordOptions,
    prompt: Prompt,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Serialize)]
struct Values<'v> {
    columns: &'v str,
    document: &'v str,
}

impl<'a> ModelFiller<'a> {
    /// A filler that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        options: RecordOptions,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            options,
            prompt: Prompt::parse("fill.md", include_str!("../../../prompts/fill.md"))?,
            is_stopped,
        })
    }

    /// The request about a document, the same for the same.
    pub(super) fn request(&self, schema: &TableSchema, document: &Document) -> Result<Request, LlmError> {
        let columns = listed(schema);
        let whole = format!("{}\n{}", document.title, document.text);
        let request = |document: &str| {
            let values = Values {
                columns: &columns,
                document,
            };
            self.prompt
                .request(&values, Some(shape()), self.options.max_reply_tokens)
        };
        let empty = request("")?.estimated_prompt_tokens();
        request(cut(
            &whole,
            u64::from(self.options.max_prompt_tokens).saturating_sub(empty),
        ))
    }
}

impl Filler for ModelFiller<'_> {
    fn fill(&self, schema: &TableSchema, documents: &[Document]) -> Result<Given<Table>, LlmError> {
        let requests = documents.iter().map(|document| self.request(schema, document));
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let replies = complete_all(
            self.model,
            &requests,
            self.options.max_concurrent,
            self.is_stopped,
            |_, _| (),
        );
        let mut given = Given::sound(Table {
            schema: schema.clone(),
            records: Vec::new(),
        });
        for (document, reply) in documents.iter().zip(replies) {
            let mut defects = Vec::new();
            let cells = match reply {
                Ok(reply) => cells(&reply.text, schema, &document.text, &mut |defect| defects.push(defect)),
                Err(error) => {
                    defects.push(RecordDefect::Failed);
                    given.failure.get_or_insert(error);
                    vec![Cell::default(); schema.columns.len()]
                }
            };
            for defect in defects {
                given.note(defect);
            }
            given.what.records.push(Record {
                document: document.id,
                title: document.title.clone(),
                parent: None,
                cells,
            });
        }
        Ok(given)
    }
}

/// The columns as a prompt shows them, a line each.
fn listed(schema: &TableSchema) -> String {
    let line = |column: &banyan_engine::table::Column| {
        let unit = column
            .unit
            .as_ref()
            .map_or_else(String::new, |unit| format!(" in {unit}"));
        let examples = if column.examples.is_empty() {
            String::new()
        } else {
            format!("; for example {}", column.examples.join(", "))
        };
        format!(
            "{} ({}{unit}): {}{examples}",
            column.name, column.kind, column.description
        )
    };
    schema.columns.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The form of a reply; properties in the order of the prompt.
fn shape() -> ReplyShape {
    let text = json!({"type": "string"});
    let cell = json!({
        "type": "object",
        "properties": {"column": text, "value": text, "quote": text},
        "required": ["column", "value", "quote"],
        "additionalProperties": false,
    });
    ReplyShape {
        name: "record".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {"cells": {"type": "array", "items": cell}},
            "required": ["cells"],
            "additionalProperties": false,
        }),
    }
}

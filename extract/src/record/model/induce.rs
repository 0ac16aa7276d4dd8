//! The inducer that asks a model, in two stages and in rounds (S-RAG §3.2.1, appendix B).

use super::reply::{RecordDefect, columns};
use super::{Given, Inducer, RecordOptions, cut};
use crate::record::induce::{MAX_DOCUMENTS, MAX_QUESTIONS, ROUNDS};
use banyan_engine::Document;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, ReplyShape, Request};
use banyan_engine::table::sql::identifier;
use banyan_engine::table::{Column, TableSchema};
use serde::Serialize;
use serde_json::json;

/// Asks a model for columns. The same replies give the same columns.
pub struct ModelInducer<'a> {
    model: &'a dyn LanguageModel,
    options: RecordOptions,
    first: Prompt,
    further: Prompt,
}

#[derive(Serialize)]
struct Values<'v> {
    columns: String,
    documents: Vec<String>,
    questions: &'v [&'v str],
}

impl<'a> ModelInducer<'a> {
    /// An inducer that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when a prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, options: RecordOptions) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            options,
            first: Prompt::parse("induce.md", include_str!("../../../prompts/induce.md"))?,
            further: Prompt::parse("refine.md", include_str!("../../../prompts/refine.md"))?,
        })
    }

    /// The request of a round: the first stage without columns, the second with them.
    pub(super) fn request(
        &self,
        known: &[Column],
        documents: &[&Document],
        questions: &[&str],
    ) -> Result<Request, LlmError> {
        let prompt = if known.is_empty() { &self.first } else { &self.further };
        let values = |room: u64| Values {
            columns: listed(known),
            documents: documents.iter().map(|document| shown(document, room)).collect(),
            questions,
        };
        let shape = Some(shape());
        let empty = prompt.request(&values(0), shape.clone(), self.options.max_reply_tokens)?;
        let room = u64::from(self.options.max_prompt_tokens).saturating_sub(empty.estimated_prompt_tokens());
        let each = room / u64::try_from(documents.len().max(1)).unwrap_or(1);
        prompt.request(&values(each), shape, self.options.max_reply_tokens)
    }
}

impl Inducer for ModelInducer<'_> {
    /// The first round takes the first stage, every further one the second with other documents; there is one of those
    /// even where the documents are few, because only it sees the questions.
    fn induce(
        &self,
        documents: &[Document],
        questions: &[&str],
        table: &str,
    ) -> Result<Given<Vec<TableSchema>>, LlmError> {
        let mut given = Given::sound(Vec::new());
        let sample = crate::record::induce::spread(documents, ROUNDS * MAX_DOCUMENTS);
        let mut rounds: Vec<&[&Document]> = sample.chunks(MAX_DOCUMENTS).collect();
        if let [only] = rounds[..] {
            rounds.push(only);
        }
        let questions = &questions[..questions.len().min(MAX_QUESTIONS)];
        let (mut known, mut nouns): (Vec<Column>, Vec<String>) = (Vec::new(), Vec::new());
        for round in rounds {
            let request = self.request(&known, round, questions)?;
            match self.model.complete(&request) {
                Ok(reply) => {
                    let mut defects = Vec::new();
                    if let Some((noun, found)) = columns(&reply.text, &mut |defect| defects.push(defect)) {
                        known = found;
                        nouns = noun.into_iter().collect();
                    }
                    for defect in defects {
                        given.note(defect);
                    }
                }
                Err(error) => {
                    given.note(RecordDefect::Failed);
                    given.failure = Some(error);
                    break;
                }
            }
        }
        if !known.is_empty() {
            given.what.push(TableSchema {
                name: identifier(table),
                nouns,
                parent: None,
                columns: known,
                key: None,
            });
        }
        Ok(given)
    }
}

/// A document as a prompt shows it, cut to so many tokens.
fn shown(document: &Document, room: u64) -> String {
    let whole = format!("{}\n{}", document.title, document.text);
    cut(&whole, room).to_owned()
}

fn listed(columns: &[Column]) -> String {
    let line = |column: &Column| {
        json!({
            "name": column.name,
            "type": column.kind.to_string(),
            "unit": column.unit.as_deref().unwrap_or(""),
            "description": column.description,
            "examples": column.examples,
        })
        .to_string()
    };
    columns.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The form of a reply; properties in the order of the prompt.
fn shape() -> ReplyShape {
    let text = json!({"type": "string"});
    let kinds = ["text", "integer", "number", "boolean", "date", "year"];
    let column = json!({
        "type": "object",
        "properties": {
            "name": text,
            "type": {"type": "string", "enum": kinds},
            "unit": text,
            "description": text,
            "examples": {"type": "array", "items": text},
        },
        "required": ["name", "type", "unit", "description", "examples"],
        "additionalProperties": false,
    });
    ReplyShape {
        name: "columns".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {"record": text, "columns": {"type": "array", "items": column}},
            "required": ["record", "columns"],
            "additionalProperties": false,
        }),
    }
}

//! A question taken apart by a language model under the schema: `Q = f_LLM(q, S)` (Youtu-GraphRAG §3.3).

use super::english::shape;
use super::{Author, Decompose, Decomposition, Embedded, MAX_STEPS, SubQuery, Target};
use crate::answer::Expected;
use crate::model::outline::Outline;
use crate::model::{Defect, Defects, field};
use banyan_engine::Schema;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, Reply, ReplyShape, Request};
use banyan_engine::schema::snake_case;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most characters of a sub-question, as the prompt says. Arbitrary.
pub(crate) const MAX_ASK: usize = 300;
/// Tokens of one sub-question in a reply: 300 characters at three a token, and what stands around them. Arbitrary.
const STEP_TOKENS: u32 = 140;
/// Relations of one sub-question that are read. Arbitrary.
const MAX_RELATIONS: usize = 8;

/// Asks a model for the sub-questions. A reply without a single valid one gives way to [`Embedded`].
pub struct ModelDecomposer<'a> {
    model: &'a dyn LanguageModel,
    prompt: Prompt,
    max_reply_tokens: u32,
}

#[derive(Serialize)]
struct Values<'a> {
    schema: Outline,
    question: &'a str,
    max_steps: usize,
}

impl<'a> ModelDecomposer<'a> {
    /// One that asks `model`, for replies of at most `max_reply_tokens`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, max_reply_tokens: u32) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            prompt: Prompt::parse("decompose.md", include_str!("../../prompts/decompose.md"))?,
            max_reply_tokens,
        })
    }

    /// The request about a question, the same for the same question and schema.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, question: &str, schema: &Schema) -> Result<Request, LlmError> {
        let values = Values {
            schema: Outline::new(schema),
            question,
            max_steps: MAX_STEPS,
        };
        let most = STEP_TOKENS * u32::try_from(MAX_STEPS).unwrap_or(u32::MAX);
        self.prompt
            .request(&values, Some(form()), most.min(self.max_reply_tokens))
    }
}

impl Decompose for ModelDecomposer<'_> {
    fn decompose(&self, question: &str, names: &[&str], schema: &Schema) -> Result<Decomposition, LlmError> {
        let reply = self.model.complete(&self.request(question, schema)?)?;
        let mut defects = Defects::default();
        let steps = read(&reply, schema, &mut defects);
        if steps.is_empty() {
            return Ok(Decomposition {
                fallback: Some(format!("the model gave no usable sub-question ({defects})")),
                defects,
                ..Embedded.steps(question, names, schema)
            });
        }
        Ok(Decomposition {
            shape: shape(question, &steps),
            steps,
            author: Author::Model,
            fallback: None,
            defects,
        })
    }
}

/// The valid sub-questions of a reply. One that is empty, too long, there before, beyond the most, or refers to anything but
/// a valid earlier one is dropped; an unknown type counts as any, an unknown relation as none, an unknown level as what the
/// words tell.
fn read(reply: &Reply, schema: &Schema, defects: &mut Defects) -> Vec<SubQuery> {
    let Some(entries) = field::entries(reply, &["steps"], defects) else {
        return Vec::new();
    };
    let list = field::list(entries.get("steps"));
    if list.is_empty() {
        defects.note(Defect::Empty);
    }
    defects.note_many(Defect::TooMany, list.len().saturating_sub(MAX_STEPS));
    let mut steps: Vec<SubQuery> = Vec::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, entry) in (1..).zip(list.iter().take(MAX_STEPS)) {
        match step(entry, schema, &steps, &numbers, defects) {
            Ok(step) => {
                steps.push(step);
                numbers.insert(number, steps.len());
            }
            Err(defect) => defects.note(defect),
        }
    }
    steps
}

/// A sub-question as a model words it, after `earlier` ones; `numbers` are theirs by the numbers that the model gave them.
pub(crate) fn step(
    entry: &Value,
    schema: &Schema,
    earlier: &[SubQuery],
    numbers: &BTreeMap<usize, usize>,
    defects: &mut Defects,
) -> Result<SubQuery, Defect> {
    let ask = if entry.is_string() {
        Some(entry)
    } else {
        entry.get("ask")
    };
    let text = renumbered(&field::text(ask, MAX_ASK)?, numbers)?;
    let is_there = |step: &SubQuery| step.text.to_lowercase() == text.to_lowercase();
    if earlier.iter().any(is_there) {
        return Err(Defect::Repeated);
    }
    let mut step = SubQuery::read(&text, earlier.len(), schema);
    for relation in field::list(entry.get("relations")).iter().take(MAX_RELATIONS) {
        let name = snake_case(&field::line(Some(relation)));
        match schema.relation_id(&name) {
            Some(id) => step.relations.push(id),
            None if name.is_empty() || schema.attribute_id(&name).is_some() => {}
            None => defects.note(Defect::UnknownRelation),
        }
    }
    step.relations.sort_unstable();
    step.relations.dedup();
    if let Some(expected) = kind(&field::line(entry.get("type")), schema, defects) {
        step.expected = expected;
        step.types = match expected {
            Expected::Entity(kind) => vec![kind],
            _ => Vec::new(),
        };
    }
    match field::line(entry.get("level")).to_lowercase().as_str() {
        "node" => step.target = Target::Node,
        "triple" => step.target = Target::Triple,
        "community" => step.target = Target::Community,
        "" => {}
        _ => defects.note(Defect::UnknownLevel),
    }
    Ok(step)
}

/// The kind of answer by the word for it; `None` where the words of the sub-question are to tell.
fn kind(word: &str, schema: &Schema, defects: &mut Defects) -> Option<Expected> {
    match snake_case(word).as_str() {
        "" | "any" | "anything" => None,
        "date" => Some(Expected::Date),
        "number" => Some(Expected::Number),
        "yes_no" | "yes_or_no" => Some(Expected::YesNo),
        name => Some(schema.type_id(name).map_or_else(
            || {
                defects.note(Defect::UnknownType);
                Expected::Any
            },
            Expected::Entity,
        )),
    }
}

/// The text with each `#k` as the number that sub-question k has now.
fn renumbered(text: &str, numbers: &BTreeMap<usize, usize>) -> Result<String, Defect> {
    let mut parts = text.split('#');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(part.len());
        result.push('#');
        if end > 0 {
            let number = part[..end].parse().ok().and_then(|number: usize| numbers.get(&number));
            result.push_str(&number.ok_or(Defect::Reference)?.to_string());
        }
        result.push_str(&part[end..]);
    }
    Ok(result)
}

/// The form of a reply; properties in the order of the prompt.
fn form() -> ReplyShape {
    ReplyShape {
        name: "decomposition".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {"steps": {"type": "array", "items": step_form()}},
            "required": ["steps"],
            "additionalProperties": false,
        }),
    }
}

/// The form of one sub-question.
pub(crate) fn step_form() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "ask": text,
            "level": {"type": "string", "enum": ["node", "triple", "community"]},
            "relations": {"type": "array", "items": text},
            "type": text,
        },
        "required": ["ask", "level", "relations", "type"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests;

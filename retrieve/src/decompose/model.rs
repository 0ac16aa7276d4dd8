//! A question taken apart by a language model under the schema: `Q = f_LLM(q, S)` (Youtu-GraphRAG §3.3).

use super::english::shape;
use super::{Author, Decompose, Decomposition, Embedded, MAX_STEPS, SubQuery, Target};
use crate::question::Expected;
use banyan_engine::Schema;
use banyan_engine::llm::{LanguageModel, LlmError, Request, Role};
use banyan_engine::schema::snake_case;
use banyan_engine::stated::{DefectCounts, DefectKind};
use banyan_extract::model::Outline;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Most characters of a sub-question, as the prompt says. Arbitrary.
const MAX_ASK: usize = 300;
/// Tokens of one sub-question in a reply: 300 characters at three a token, and what stands around them. Arbitrary.
const STEP_TOKENS: u32 = 140;
/// Relations of one sub-question that are read. Arbitrary.
const MAX_RELATIONS: usize = 8;

/// The reply. A sub-question of no use leaves its place empty, because others refer to sub-questions by their places.
#[derive(Debug, Deserialize, JsonSchema)]
struct Steps {
    #[schemars(length(max = MAX_STEPS))]
    steps: Vec<Option<Step>>,
}

/// A sub-question as a model words it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Step {
    #[schemars(length(min = 1, max = MAX_ASK))]
    ask: String,
    level: Option<Target>,
    #[schemars(length(max = MAX_RELATIONS))]
    relations: Vec<String>,
    #[serde(default, rename = "type")]
    kind: String,
}

/// Asks a model for the sub-questions. A reply without a single valid one gives way to [`Embedded`].
pub struct ModelDecomposer<'a> {
    model: &'a dyn LanguageModel,
    role: Role<Steps>,
    max_reply_tokens: u32,
}

impl<'a> ModelDecomposer<'a> {
    /// One that asks `model`, for replies of at most `max_reply_tokens`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, max_reply_tokens: u32) -> Result<Self, LlmError> {
        let most = STEP_TOKENS * u32::try_from(MAX_STEPS).unwrap_or(u32::MAX);
        Ok(Self {
            model,
            role: Role::new("decomposition", include_str!("../../prompts/decompose.md"))?,
            max_reply_tokens: most.min(max_reply_tokens),
        })
    }

    /// The request about a question, the same for the same question and schema.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, question: &str, schema: &Schema) -> Result<Request, LlmError> {
        let values = json!({"schema": Outline::brief(schema), "question": question, "max_steps": MAX_STEPS});
        self.role.request(&values, self.max_reply_tokens)
    }
}

impl Decompose for ModelDecomposer<'_> {
    fn decompose(&self, question: &str, names: &[&str], schema: &Schema) -> Result<Decomposition, LlmError> {
        let reply = self.model.complete(&self.request(question, schema)?)?;
        let mut defects = DefectCounts::default();
        let entries = self.role.read(&reply).counted(&mut defects);
        let steps = steps(
            entries.map(|reply| reply.steps).unwrap_or_default(),
            schema,
            &mut defects,
        );
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

/// The valid sub-questions of a reply. One that was there before or refers to anything but a valid earlier one is
/// dropped; an unknown type counts as any, an unknown relation as none, an unknown level as what the words tell.
fn steps(entries: Vec<Option<Step>>, schema: &Schema, defects: &mut DefectCounts) -> Vec<SubQuery> {
    if entries.is_empty() {
        defects.note(DefectKind::MissingField, 1);
    }
    let mut steps: Vec<SubQuery> = Vec::new();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, entry) in (1..).zip(entries) {
        let Some(entry) = entry else { continue };
        match step(&entry, schema, &steps, &numbers, defects) {
            Ok(step) => {
                steps.push(step);
                numbers.insert(number, steps.len());
            }
            Err(defect) => defects.note(defect, 1),
        }
    }
    steps
}

/// A sub-question as a model words it, after `earlier` ones; `numbers` are theirs by the numbers that the model gave
/// them.
pub(crate) fn step(
    entry: &Step,
    schema: &Schema,
    earlier: &[SubQuery],
    numbers: &BTreeMap<usize, usize>,
    defects: &mut DefectCounts,
) -> Result<SubQuery, DefectKind> {
    let text = renumbered(&entry.ask, numbers)?;
    let is_there = |step: &SubQuery| step.text.to_lowercase() == text.to_lowercase();
    if earlier.iter().any(is_there) {
        return Err(DefectKind::Duplicate);
    }
    let mut step = SubQuery::read(&text, earlier.len(), schema);
    for relation in &entry.relations {
        let name = snake_case(relation);
        match schema.relation_id(&name) {
            Some(id) => step.relations.push(id),
            None if name.is_empty() || schema.attribute_id(&name).is_some() => {}
            None => defects.note(DefectKind::UnknownReference, 1),
        }
    }
    step.relations.sort_unstable();
    step.relations.dedup();
    if let Some(expected) = kind(&entry.kind, schema, defects) {
        step.expected = expected;
    }
    step.target = entry.level.unwrap_or(step.target);
    Ok(step)
}

/// The kind of answer by the word for it; `None` where the words of the sub-question are to tell.
fn kind(word: &str, schema: &Schema, defects: &mut DefectCounts) -> Option<Expected> {
    match snake_case(word).as_str() {
        "" | "any" | "anything" => None,
        "date" => Some(Expected::Date),
        "number" => Some(Expected::Number),
        "yes_no" | "yes_or_no" => Some(Expected::YesNo),
        name => Some(schema.type_id(name).map_or_else(
            || {
                defects.note(DefectKind::UnknownReference, 1);
                Expected::Any
            },
            Expected::Entity,
        )),
    }
}

/// The text with each `#k` as the number that sub-question k has now.
fn renumbered(text: &str, numbers: &BTreeMap<usize, usize>) -> Result<String, DefectKind> {
    let mut parts = text.split('#');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(part.len());
        result.push('#');
        if end > 0 {
            let number = part[..end].parse().ok().and_then(|number: usize| numbers.get(&number));
            result.push_str(&number.ok_or(DefectKind::UnknownReference)?.to_string());
        }
        result.push_str(&part[end..]);
    }
    Ok(result)
}

#[cfg(test)]
mod tests;

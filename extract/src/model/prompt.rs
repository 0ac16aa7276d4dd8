//! What a model reads: the prompt files, rendered with the schema and the passages.

use super::{ModelError, Options, Passage, Vocabulary, shape};
use crate::stated::Stated;
use banyan_engine::Schema;
use banyan_engine::llm::{Prompt, ReplyShape, Request, estimate_tokens, fence};
use banyan_engine::schema::{RELATED_TO, RelationType, THING, ValueKind};
use serde::Serialize;

/// Relations that hold between any two things that a document names. Nobody needs a model to state them, and a model that
/// may would state little else.
const UNASKED: [&str; 3] = [RELATED_TO, "mentions", "describes"];

/// The prompts of one schema.
pub(super) struct Prompts {
    extract: Prompt,
    glean: Prompt,
    schema: Outline,
    shape: ReplyShape,
    is_growing: bool,
}

/// The schema as a prompt shows it.
#[derive(Serialize)]
struct Outline {
    entity_types: Vec<Element>,
    relations: Vec<Element>,
    attributes: Vec<Element>,
}

/// An element of the schema, with the fields that a prompt can show; empty where it has none.
#[derive(Serialize)]
struct Element {
    name: String,
    description: String,
    domain: Vec<String>,
    range: Vec<String>,
    kind: String,
    unit: String,
}

#[derive(Serialize)]
struct ExtractValues<'a> {
    schema: &'a Outline,
    is_growing: bool,
    passages: Vec<String>,
}

#[derive(Serialize)]
struct GleanValues {
    instructions: String,
    passages: Vec<String>,
    found: Vec<String>,
}

impl Prompts {
    /// The prompts that ask for what `schema` has.
    pub(super) fn new(schema: &Schema, options: &Options) -> Result<Self, ModelError> {
        Ok(Self {
            extract: Prompt::parse("extract.md", include_str!("../../prompts/extract.md"))?,
            glean: Prompt::parse("glean.md", include_str!("../../prompts/glean.md"))?,
            schema: Outline::new(schema),
            shape: shape::reply_shape(schema, options.vocabulary),
            is_growing: options.vocabulary == Vocabulary::Growing,
        })
    }

    /// Asks what these passages state.
    pub(super) fn extract(&self, passages: &[&Passage<'_>], options: &Options) -> Result<Request, ModelError> {
        let values = ExtractValues {
            schema: &self.schema,
            is_growing: self.is_growing,
            passages: passages.iter().map(|passage| body(passage)).collect(),
        };
        let max_reply = max_reply_tokens(passages.len(), options);
        Ok(self.extract.request(&values, Some(self.shape.clone()), max_reply)?)
    }

    /// Asks what was missed beside what was `found`, a passage each.
    pub(super) fn glean(
        &self,
        passages: &[&Passage<'_>],
        found: &[&Stated],
        options: &Options,
    ) -> Result<Request, ModelError> {
        let values = GleanValues {
            instructions: self.extract(&[], options)?.system,
            passages: passages.iter().map(|passage| body(passage)).collect(),
            found: found.iter().map(|stated| told(stated)).collect(),
        };
        let max_reply = max_reply_tokens(passages.len(), options);
        Ok(self.glean.request(&values, Some(self.shape.clone()), max_reply)?)
    }
}

/// The longest reply about so many passages.
pub(super) fn max_reply_tokens(n_passages: usize, options: &Options) -> u32 {
    let n = u32::try_from(n_passages).unwrap_or(u32::MAX);
    options.max_reply_tokens.saturating_mul(n)
}

/// The relations that are asked for.
pub(super) fn relations(schema: &Schema) -> impl Iterator<Item = &RelationType> {
    let is_any = |ends: &[String]| ends.iter().all(|name| name == THING);
    schema.relations().iter().filter(move |relation| {
        !UNASKED.contains(&relation.name.as_str()) || !is_any(&relation.domain) || !is_any(&relation.range)
    })
}

/// Tokens that a passage adds to a prompt. Exact: the estimate of a text is the sum of those of its lines.
pub(super) fn passage_tokens(passage: &Passage<'_>) -> u64 {
    estimate_tokens(&fence("passage 1", &body(passage)))
}

/// A passage as it stands in its fence: title, then text.
fn body(passage: &Passage<'_>) -> String {
    format!("{}\n\n{}", passage.title.trim(), passage.text.trim())
}

/// What was found in one passage, a line each.
fn told(stated: &Stated) -> String {
    let entities = stated.entities.iter().map(|entity| match &entity.entity_type {
        Some(kind) => format!("{}: {kind}", entity.name),
        None => entity.name.clone(),
    });
    let triples = stated
        .triples
        .iter()
        .map(|triple| format!("{} | {} | {}", triple.head, triple.relation, triple.tail));
    let attributes = stated
        .attributes
        .iter()
        .map(|fact| format!("{} | {} | {}", fact.entity, fact.attribute, fact.value));
    let lines: Vec<String> = entities.chain(triples).chain(attributes).collect();
    if lines.is_empty() {
        return "nothing".to_owned();
    }
    lines.join("\n")
}

impl Outline {
    fn new(schema: &Schema) -> Self {
        let entity_types = schema.entity_types().iter().map(|kind| Element {
            name: kind.name.clone(),
            description: one_line(&kind.description),
            ..Element::none()
        });
        let relations = relations(schema).map(|relation| Element {
            name: relation.name.clone(),
            description: one_line(&relation.description),
            domain: relation.domain.clone(),
            range: relation.range.clone(),
            ..Element::none()
        });
        let attributes = schema.attributes().iter().map(|kind| Element {
            name: kind.name.clone(),
            description: one_line(&kind.description),
            domain: kind.domain.clone(),
            kind: kind_name(kind.kind).to_owned(),
            unit: kind.unit.clone().unwrap_or_default(),
            ..Element::none()
        });
        Self {
            entity_types: entity_types.collect(),
            relations: relations.collect(),
            attributes: attributes.collect(),
        }
    }
}

impl Element {
    fn none() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            domain: Vec::new(),
            range: Vec::new(),
            kind: String::new(),
            unit: String::new(),
        }
    }
}

/// A description that cannot begin a section of the prompt.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn kind_name(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text => "text",
        ValueKind::Number => "number",
        ValueKind::Date => "date",
        ValueKind::Quantity => "quantity",
        ValueKind::Enum => "enum",
    }
}

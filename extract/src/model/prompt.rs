//! What a model reads: the prompt files, rendered with the schema and the passages.

use super::outline::{Outline, relations};
use super::reply::Extraction;
use super::{ModelError, Options, Passage, Vocabulary};
use crate::stated::Stated;
use banyan_engine::Schema;
use banyan_engine::llm::{LlmError, Request, Role, estimate_tokens, fence};
use serde_json::json;

/// The prompts of one schema.
pub(super) struct Prompts {
    pub(super) extract: Role<Extraction>,
    glean: Role<Extraction>,
    schema: Outline,
    is_growing: bool,
}

impl Prompts {
    /// The prompts that ask for what `schema` has.
    pub(super) fn new(schema: &Schema, options: &Options) -> Result<Self, ModelError> {
        Ok(Self {
            extract: role(include_str!("../../prompts/extract.md"), schema, options)?,
            glean: role(include_str!("../../prompts/glean.md"), schema, options)?,
            schema: Outline::new(schema),
            is_growing: options.vocabulary == Vocabulary::Growing,
        })
    }

    /// Asks what these passages state.
    pub(super) fn extract(&self, passages: &[&Passage<'_>], options: &Options) -> Result<Request, ModelError> {
        let values = json!({
            "schema": self.schema,
            "is_growing": self.is_growing,
            "passages": passages.iter().map(|passage| body(passage)).collect::<Vec<_>>(),
        });
        Ok(self
            .extract
            .request(&values, max_reply_tokens(passages.len(), options))?)
    }

    /// Asks what was missed beside what was `found`, a passage each.
    pub(super) fn glean(
        &self,
        passages: &[&Passage<'_>],
        found: &[&Stated],
        options: &Options,
    ) -> Result<Request, ModelError> {
        let values = json!({
            "instructions": self.extract(&[], options)?.system,
            "passages": passages.iter().map(|passage| body(passage)).collect::<Vec<_>>(),
            "found": found.iter().map(|stated| told(stated)).collect::<Vec<_>>(),
        });
        Ok(self.glean.request(&values, max_reply_tokens(passages.len(), options))?)
    }
}

/// In a closed vocabulary types, relations and attributes can only be those of the schema, and nothing is proposed.
fn role(source: &str, schema: &Schema, options: &Options) -> Result<Role<Extraction>, LlmError> {
    let role = Role::new("extraction", source)?;
    if options.vocabulary == Vocabulary::Growing {
        return Ok(role);
    }
    let types: Vec<&str> = schema.entity_types().iter().map(|kind| kind.name.as_str()).collect();
    let relations: Vec<&str> = relations(schema).map(|relation| relation.name.as_str()).collect();
    let attributes: Vec<&str> = schema.attributes().iter().map(|kind| kind.name.as_str()).collect();
    role.without("proposed_types")?
        .with_enum("passages.entities.type", &types)?
        .with_enum("passages.triples.relation", &relations)?
        .with_enum("passages.attributes.attribute", &attributes)
}

/// The longest reply about so many passages.
pub(super) fn max_reply_tokens(n_passages: usize, options: &Options) -> u32 {
    let n = u32::try_from(n_passages).unwrap_or(u32::MAX);
    options.max_reply_tokens.saturating_mul(n)
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
    let triples = stated.triples.iter();
    let triples = triples.map(|triple| format!("{} | {} | {}", triple.head, triple.relation, triple.tail));
    let attributes = stated.attributes.iter();
    let attributes = attributes.map(|fact| format!("{} | {} | {}", fact.entity, fact.attribute, fact.value));
    let lines: Vec<String> = entities.chain(triples).chain(attributes).collect();
    if lines.is_empty() {
        return "nothing".to_owned();
    }
    lines.join("\n")
}

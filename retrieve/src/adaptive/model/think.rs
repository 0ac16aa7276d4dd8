//! Planning by a model (`SchemaRAG` Eq. 1 to 3): one call, which shows titles and first words of the documents.

use super::super::Thinker;
use super::super::embedded::Embedded;
use super::super::plan::{MAX_QUERIES, Plan, QueryTree, Task};
use super::super::structure::{IndexStructure, KnowledgeStructure};
use super::{noted, room};
use crate::question::Question;
use banyan_engine::DocumentIndex;
use banyan_engine::llm::{CallLimits, LanguageModel, LlmError, Role};
use banyan_engine::stated::DefectCounts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Characters that are shown of a document: ℋ, its title and first words. Arbitrary.
const SHOWN_CHARS: usize = 400;
/// Tokens of a reply. Arbitrary: two dozen sub-queries.
const REPLY_TOKENS: u32 = 2_000;

/// Asks a model for the plan. Where its reply is of no use the embedded thinker plans, which is told.
pub struct ModelThinker<'a> {
    model: &'a dyn LanguageModel,
    role: Role<PlanReply>,
    limits: CallLimits,
    embedded: &'a Embedded<'a>,
}

#[derive(Serialize)]
struct Values<'a> {
    question: &'a str,
    documents: Vec<String>,
    max_queries: usize,
}

/// What a model decides; the reason first, so that it is thought of first.
#[derive(Deserialize, JsonSchema)]
struct PlanReply {
    #[serde(default)]
    #[schemars(length(max = 300))]
    reason: String,
    task: Task,
    knowledge: KnowledgeStructure,
    index: IndexStructure,
    #[serde(default)]
    #[schemars(length(max = 24), inner(length(min = 1, max = 80)))]
    columns: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 24), inner(length(min = 1, max = 80)))]
    categories: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 24))]
    queries: Vec<SubQuery>,
}

#[derive(Deserialize, JsonSchema)]
struct SubQuery {
    #[serde(default)]
    under: usize,
    #[schemars(length(min = 1, max = 300))]
    query: String,
}

impl<'a> ModelThinker<'a> {
    /// One that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(model: &'a dyn LanguageModel, limits: CallLimits, embedded: &'a Embedded<'a>) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            role: Role::new("plan", include_str!("../../../prompts/think.md"))?,
            limits,
            embedded,
        })
    }
}

impl Thinker for ModelThinker<'_> {
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, LlmError> {
        let most = SHOWN_CHARS.min(room(&self.limits) / documents.len().max(1));
        let shown = |one: &DocumentIndex| {
            let document = self.embedded.searcher.knowledge().document(*one);
            let beginning: String = document.text.chars().take(most).collect();
            format!("{}\n{beginning}", document.title)
        };
        let values = Values {
            question: &question.text,
            documents: documents.iter().map(shown).collect(),
            max_queries: MAX_QUERIES,
        };
        let most = REPLY_TOKENS.min(self.limits.max_reply_tokens);
        let mut defects = DefectCounts::default();
        let Some(reply) = self.role.ask(self.model, &values, most)?.counted(&mut defects) else {
            let own = self.embedded.think(question, documents)?;
            let defects = noted("plan without the model", &defects);
            return Ok(Plan { defects, ..own });
        };
        let queries = reply.queries.into_iter().map(|part| (part.under, part.query));
        Ok(Plan {
            tree: QueryTree::new(&question.text, queries),
            task: Some(reply.task),
            knowledge: reply.knowledge,
            index: reply.index,
            columns: reply.columns,
            categories: reply.categories,
            reasons: vec![reply.reason],
            defects: noted("plan", &defects),
        })
    }
}

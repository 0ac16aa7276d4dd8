//! Thinking by a model (`SchemaRAG` Eq. 1 to 3): one call for task, structures, columns, categories and query tree.

use super::super::embedded::Embedded;
use super::super::strategy::{Inter, Intra, Strategy};
use super::super::structure::{IndexStructure, KnowledgeStructure};
use super::super::task::Task;
use super::super::tree::{Focus, QueryTree};
use super::super::{AdaptiveError, Plan, Thinker};
use super::{AskOptions, noted};
use crate::model::{Defect, Defects, field};
use crate::question::Question;
use banyan_engine::DocumentIndex;
use banyan_engine::llm::{LanguageModel, LlmError, Prompt, ReplyShape, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Most sub-queries, columns and categories. Arbitrary: as many as a tree has children for.
const MAX_PARTS: usize = 24;
/// Longest name or sub-query in characters. Arbitrary.
const MAX_TEXT: usize = 300;
/// Characters that are shown of a document: ℋ, its title and key sentences. Arbitrary.
const CORE_CHARS: usize = 400;
/// Tokens of a reply. Arbitrary: two dozen sub-queries.
const REPLY_TOKENS: u32 = 2_000;
/// Fields of a reply.
const FIELDS: [&str; 7] = [
    "task",
    "knowledge",
    "index",
    "columns",
    "categories",
    "queries",
    "reason",
];

/// Asks a model for the plan. What it leaves out or says wrongly is what the embedded thinker says.
pub struct ModelThinker<'a> {
    model: &'a dyn LanguageModel,
    prompt: Prompt,
    options: AskOptions,
    embedded: &'a Embedded<'a>,
}

#[derive(Serialize)]
struct Values<'a> {
    question: &'a str,
    documents: Vec<String>,
    max_queries: usize,
}

impl<'a> ModelThinker<'a> {
    /// One that asks `model`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        options: AskOptions,
        embedded: &'a Embedded<'a>,
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            prompt: Prompt::parse("think.md", include_str!("../../../prompts/think.md"))?,
            options,
            embedded,
        })
    }

    /// The request for a plan, the same for the same question and documents.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt cannot be rendered.
    pub fn request(&self, question: &str, documents: &[DocumentIndex]) -> Result<Request, LlmError> {
        let most = CORE_CHARS.min(self.options.room() / documents.len().max(1));
        let core = |one: &DocumentIndex| {
            let document = self.embedded.searcher.knowledge().document(*one);
            let beginning: String = document.text.chars().take(most).collect();
            format!("{}\n{beginning}", document.title)
        };
        let values = Values {
            question,
            documents: documents.iter().map(core).collect(),
            max_queries: MAX_PARTS,
        };
        let (text, texts) = (
            json!({"type": "string"}),
            json!({"type": "array", "items": {"type": "string"}}),
        );
        let query = json!({
            "type": "object",
            "properties": {"under": {"type": "integer"}, "about": text, "query": text},
            "required": ["under", "about", "query"],
            "additionalProperties": false,
        });
        let shape = ReplyShape {
            name: "plan".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {
                    "task": text, "knowledge": text, "index": text, "columns": texts, "categories": texts,
                    "queries": {"type": "array", "items": query}, "reason": text,
                },
                "required": FIELDS,
                "additionalProperties": false,
            }),
        };
        let most = REPLY_TOKENS.min(self.options.max_reply_tokens);
        self.prompt.request(&values, Some(shape), most)
    }
}

impl Thinker for ModelThinker<'_> {
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, AdaptiveError> {
        let reply = self.model.complete(&self.request(&question.text, documents)?)?;
        let own = self.embedded.think(question, documents)?;
        let mut defects = Defects::default();
        let Some(entries) = field::entries(&reply, &FIELDS, &mut defects) else {
            return Ok(Plan {
                defects: noted("plan by rules", &defects),
                ..own
            });
        };
        let title = |one: &DocumentIndex| self.embedded.searcher.knowledge().document(*one).title.clone();
        let titles: Vec<String> = documents.iter().map(title).collect();
        let plan = read(&entries, question, &own, &titles, &mut defects);
        Ok(Plan {
            defects: noted("plan", &defects),
            ..plan
        })
    }
}

/// The plan that a reply makes, with what it does not say from `own`.
fn read(
    entries: &Map<String, Value>,
    question: &Question,
    own: &Plan,
    titles: &[String],
    defects: &mut Defects,
) -> Plan {
    let task: Task = named(entries, "task", own.strategy.task, defects);
    let knowledge = named(entries, "knowledge", own.strategy.knowledge, defects);
    let index = named(entries, "index", own.strategy.index, defects);
    let (columns, categories) = (
        texts(entries, "columns", defects),
        texts(entries, "categories", defects),
    );
    let mut numbers = vec![0];
    let mut parts = Vec::new();
    for entry in field::list(entries.get("queries")).iter().take(MAX_PARTS) {
        let (about, query) = (
            field::line(entry.get("about")),
            field::text(entry.get("query"), MAX_TEXT),
        );
        let under = field::number(entry.get("under")).unwrap_or(0);
        match (query, focus(&about, &columns, &categories, titles)) {
            (Ok(query), Some(focus)) => {
                parts.push((numbers.get(under).copied().unwrap_or(0), query, focus));
                numbers.push(parts.len());
            }
            (query, _) => {
                defects.note(query.err().unwrap_or(Defect::Reference));
                numbers.push(0);
            }
        }
    }
    let tree = QueryTree::from_parts(&question.text, parts);
    let intra = match knowledge {
        KnowledgeStructure::Table => Intra::Columns(columns),
        KnowledgeStructure::Graph => Intra::Relations,
        KnowledgeStructure::Chunk => Intra::Passages,
    };
    let inter = match index {
        IndexStructure::ParallelChunk => Inter::Parallel,
        IndexStructure::CatalogueGroup => Inter::Groups(categories),
        IndexStructure::CorrelationGraph => Inter::Links,
        IndexStructure::CausalChain => Inter::Chain,
    };
    let reason = field::text(entries.get("reason"), MAX_TEXT).unwrap_or_else(|_| "the model gave no reason".to_owned());
    Plan {
        strategy: Strategy::of_parts(task, vec![reason], intra, inter, &tree),
        tree,
        defects: Vec::new(),
    }
}

/// What a word of a reply names; `own` where it names nothing.
fn named<T: DeserializeOwned>(entries: &Map<String, Value>, name: &str, own: T, defects: &mut Defects) -> T {
    let word = field::line(entries.get(name)).to_lowercase().replace([' ', '-'], "_");
    serde_json::from_value(Value::String(word)).unwrap_or_else(|_| {
        defects.note(Defect::UnknownType);
        own
    })
}

fn texts(entries: &Map<String, Value>, name: &str, defects: &mut Defects) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let list = field::list(entries.get(name));
    defects.note_many(Defect::TooMany, list.len().saturating_sub(MAX_PARTS));
    for entry in list.iter().take(MAX_PARTS) {
        match field::text(Some(entry), MAX_TEXT) {
            Ok(text) if texts.contains(&text) => defects.note(Defect::Repeated),
            Ok(text) => texts.push(text),
            Err(defect) => defects.note(defect),
        }
    }
    texts
}

/// What a sub-query is about: a column, a category, a document by number or title.
fn focus(about: &str, columns: &[String], categories: &[String], titles: &[String]) -> Option<Focus> {
    let is = |name: &&String| name.eq_ignore_ascii_case(about);
    if let Some(column) = columns.iter().find(is) {
        return Some(Focus::Aspect(column.clone()));
    }
    if let Some(category) = categories.iter().find(is) {
        return Some(Focus::Category(category.clone()));
    }
    let by_title = titles.iter().position(|title| title.eq_ignore_ascii_case(about));
    let by_number = || field::number(Some(&about.into())).and_then(|number| number.checked_sub(1));
    by_title
        .or_else(by_number)
        .filter(|at| *at < titles.len())
        .map(Focus::Document)
}

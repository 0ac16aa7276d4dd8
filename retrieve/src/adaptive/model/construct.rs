//! Units by a model (`SchemaRAG` Eq. 4, 5): one call a document, of one that is longer than a prompt the parts that speak
//! of the question and its columns; every fact with the words that state it.

use super::super::Constructor;
use super::super::plan::Plan;
use super::super::structure::{IndexStructure, KnowledgeStructure};
use super::super::unit::{Built, Edge, Field, KnowledgeUnit, UnitCache, UnitContent};
use super::noted;
use crate::answer::Citation;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::llm::{CallLimits, LanguageModel, LlmError, Request, Role};
use banyan_engine::stated::{DefectCounts, DefectKind};
use banyan_engine::{Document, DocumentIndex, Span};
use banyan_extract::record::part::{parts, relevant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most facts of a document. Arbitrary, half of what the embedded constructor takes of a graph; the reply's form says
/// it, too.
const MAX_FACTS: u32 = 20;
/// Parts of a document that a prompt shows. Arbitrary.
const PARTS: usize = 6;
/// Tokens of a fact in a reply. Arbitrary.
const FACT_TOKENS: u32 = 150;

/// Asks a model document by document; what it said before is taken from the cache.
pub struct ModelConstructor<'a> {
    model: &'a dyn LanguageModel,
    role: Role<UnitReply>,
    limits: CallLimits,
    searcher: &'a Searcher,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Serialize)]
struct Values<'a> {
    structure: &'a str,
    strategy: String,
    columns: &'a [String],
    categories: &'a [String],
    question: &'a str,
    max_facts: u32,
    document: String,
}

/// What a model takes of a document.
#[derive(Deserialize, JsonSchema)]
struct UnitReply {
    #[serde(default)]
    #[schemars(length(max = 80))]
    category: String,
    #[schemars(length(max = 20))]
    facts: Vec<Fact>,
}

#[derive(Deserialize, JsonSchema)]
struct Fact {
    #[schemars(length(min = 1, max = 600))]
    quote: String,
    #[serde(default)]
    #[schemars(length(max = 200))]
    head: String,
    #[serde(default)]
    #[schemars(length(max = 200))]
    relation: String,
    #[serde(default)]
    #[schemars(length(max = 200))]
    value: String,
}

impl<'a> ModelConstructor<'a> {
    /// One that asks `model` until `is_stopped`.
    ///
    /// # Errors
    /// [`LlmError::Prompt`] when the prompt file is not one.
    pub fn new(
        model: &'a dyn LanguageModel,
        limits: CallLimits,
        searcher: &'a Searcher,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, LlmError> {
        Ok(Self {
            model,
            role: Role::new("unit", include_str!("../../../prompts/construct.md"))?,
            limits,
            searcher,
            is_stopped,
        })
    }

    /// The request about a document, the same for the same document, question and plan.
    fn request(&self, question: &str, document: &Document, plan: &Plan) -> Result<Request, LlmError> {
        let sought = format!("{question} {}", plan.columns.join(" "));
        let n_parts = u64::try_from(PARTS).unwrap_or(1);
        let all = parts(&document.text, u64::from(self.limits.max_prompt_tokens) / n_parts);
        let read = relevant(&document.text, all, &sought, PARTS);
        let text: String = read.iter().map(|part| part.of(&document.text)).collect();
        let values = Values {
            structure: plan.knowledge.name(),
            strategy: plan.construction(),
            columns: &plan.columns,
            categories: if plan.index == IndexStructure::CatalogueGroup {
                &plan.categories
            } else {
                &[]
            },
            question,
            max_facts: MAX_FACTS,
            document: format!("{}\n{text}", document.title),
        };
        self.role
            .request(&values, (FACT_TOKENS * MAX_FACTS).min(self.limits.max_reply_tokens))
    }

    /// What a unit depends on. Values and facts of a document do not depend on how the question is worded, passages do.
    fn key(&self, question: &Question, document: &Document, plan: &Plan) -> String {
        let asked = if plan.knowledge == KnowledgeStructure::Chunk {
            question.text.as_str()
        } else {
            ""
        };
        let Plan {
            knowledge,
            columns,
            categories,
            ..
        } = plan;
        format!(
            "{} {} {} {knowledge} {columns:?} {categories:?} {asked}",
            self.model.id(),
            self.limits.max_prompt_tokens,
            document.id
        )
    }
}

impl Constructor for ModelConstructor<'_> {
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        plan: &Plan,
        cache: &dyn UnitCache,
    ) -> Result<Built, LlmError> {
        let document = |one: &DocumentIndex| self.searcher.knowledge().document(*one);
        let keys: Vec<String> = documents
            .iter()
            .map(|one| self.key(question, document(one), plan))
            .collect();
        let cached: Vec<Option<KnowledgeUnit>> = keys.iter().map(|key| cache.get(key)).collect();
        let open = documents.iter().zip(&cached).filter(|(_, cached)| cached.is_none());
        let requests = open.map(|(one, _)| self.request(&question.text, document(one), plan));
        let requests: Vec<Request> = requests.collect::<Result<_, _>>()?;
        let n = self.limits.max_concurrent;
        let mut replies = self.role.ask_all(self.model, &requests, n, self.is_stopped).into_iter();
        let mut defects = DefectCounts::default();
        let mut built = Built {
            n_cached: cached.iter().flatten().count(),
            ..Built::default()
        };
        for ((one, key), cached) in documents.iter().zip(&keys).zip(cached) {
            if let Some(unit) = cached {
                built.units.push(KnowledgeUnit { document: *one, ..unit });
                continue;
            }
            let reply = match replies.next() {
                Some(Ok(asked)) => asked.counted(&mut defects),
                Some(Err(error)) if error.ends_job() => return Err(error),
                _ => None,
            };
            let unit = KnowledgeUnit {
                title: document(one).title.clone(),
                document: *one,
                category: reply
                    .as_ref()
                    .and_then(|reply| category(&reply.category, plan, &mut defects)),
                content: reply.as_ref().map_or_else(
                    || UnitContent::empty(plan.knowledge),
                    |reply| content(&reply.facts, plan, document(one), &mut defects),
                ),
            };
            match reply {
                Some(_) => cache.put(key, &unit),
                None => defects.note(DefectKind::Unanswered, 1),
            }
            built.units.push(unit);
        }
        built.defects = noted("units", &defects);
        Ok(built)
    }
}

/// The plan's category of this name; where the plan names none, any.
fn category(said: &str, plan: &Plan, defects: &mut DefectCounts) -> Option<String> {
    let known = plan.categories.iter().find(|name| name.eq_ignore_ascii_case(said));
    if known.is_none() && !said.is_empty() && !plan.categories.is_empty() {
        defects.note(DefectKind::UnknownReference, 1);
    }
    let own = || (!said.is_empty() && plan.categories.is_empty()).then(|| said.to_owned());
    known.cloned().or_else(own)
}

/// The valid facts: those whose quote stands in the document and that have what their structure needs.
fn content(facts: &[Fact], plan: &Plan, document: &Document, defects: &mut DefectCounts) -> UnitContent {
    let mut content = UnitContent::empty(plan.knowledge);
    for fact in facts {
        let Some(start) = document.text.find(&fact.quote) else {
            defects.note(DefectKind::NotInText, 1);
            continue;
        };
        let citation = Citation::of(document, Span::new(start, start + fact.quote.len()));
        if let Err(defect) = add(&mut content, fact, citation, &plan.columns) {
            defects.note(defect, 1);
        }
    }
    content
}

fn add(content: &mut UnitContent, fact: &Fact, citation: Citation, columns: &[String]) -> Result<(), DefectKind> {
    let needed = |part: &str| {
        if part.is_empty() {
            Err(DefectKind::MissingField)
        } else {
            Ok(part.to_owned())
        }
    };
    match content {
        UnitContent::Table(fields) => {
            let column = needed(&fact.head)?;
            let known = columns
                .iter()
                .find(|known| known.eq_ignore_ascii_case(&column))
                .cloned();
            let column = known
                .or(columns.is_empty().then_some(column))
                .ok_or(DefectKind::UnknownReference)?;
            if fields.iter().any(|field| field.column == column) {
                return Err(DefectKind::Duplicate);
            }
            let text = needed(&fact.value)?;
            fields.push(Field { column, text, citation });
        }
        UnitContent::Graph(edges) => edges.push(Edge {
            head: needed(&fact.head)?,
            relation: needed(&fact.relation)?,
            tail: needed(&fact.value)?,
            citation,
        }),
        UnitContent::Chunk(passages) if passages.contains(&citation) => return Err(DefectKind::Duplicate),
        UnitContent::Chunk(passages) => passages.push(citation),
    }
    Ok(())
}

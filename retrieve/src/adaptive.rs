//! `SchemaRAG`: knowledge structures chosen for the question.
//!
//! ```text
//! question, documents ─think─► query tree, K × I ─construct─► units per document, joined ─utilise─► answer with evidence
//! ```
//!
//! Each step is a trait ([`Thinker`], [`Constructor`], [`Utiliser`]). [`model`] takes the steps with a language model.
//! [`Embedded`] takes them without one where the store has evidence, and finds nothing where it has none.
//!
//! # Differs from the paper
//! A strategy is data, not a text for a model, so documents are joined by code alone (Eq. 6, 7). Every line of an answer
//! cites the words that state it.

mod embedded;
mod index;
pub mod model;
mod plan;
mod structure;
mod unit;
mod utilise;

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::DocumentIndex;
use banyan_engine::llm::LlmError;
use serde::Serialize;

pub use embedded::Embedded;
pub use index::{Index, Link};
pub use plan::{Plan, QueryNode, QueryTree, Task};
pub use structure::{IndexStructure, KnowledgeStructure, classifier};
pub use unit::{Built, Edge, Field, KnowledgeUnit, UnitCache, UnitContent};
pub use utilise::{Finding, Line, Used};

/// Documents that a question is asked of. Arbitrary: two dozen are what a query tree has children for.
pub const MAX_DOCUMENTS: usize = 24;

/// 𝒮: what documents know, and how they are joined (Eq. 7).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnowledgeSchema {
    /// How documents are joined.
    pub inter: Index,
    /// What each knows, in the order of the documents.
    pub intra: Vec<KnowledgeUnit>,
}

/// Who plans (Eq. 1 to 3).
pub trait Thinker {
    /// The query tree and the structures for a question over documents.
    ///
    /// # Errors
    /// [`LlmError`] where nobody could be asked.
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, LlmError>;
}

/// Who makes units of documents (Eq. 4, 5).
pub trait Constructor {
    /// The unit of each document, in their order.
    ///
    /// # Errors
    /// [`LlmError`] where nobody could be asked.
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        plan: &Plan,
        cache: &dyn UnitCache,
    ) -> Result<Built, LlmError>;
}

/// Who answers from a schema, leaves first (Eq. 8, 9).
pub trait Utiliser {
    /// What each node of the tree knows, in its order.
    ///
    /// # Errors
    /// [`LlmError`] where nobody could be asked.
    fn utilise(&self, question: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, LlmError>;
}

/// Who takes which step.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    /// Who plans.
    pub thinker: &'a dyn Thinker,
    /// Who builds.
    pub constructor: &'a dyn Constructor,
    /// Who answers.
    pub utiliser: &'a dyn Utiliser,
}

/// An answer with everything that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Adaptive {
    /// Titles of the documents asked, in the order of their positions.
    pub documents: Vec<String>,
    /// Query tree and structures.
    pub plan: Plan,
    /// What was built.
    pub schema: KnowledgeSchema,
    /// How many units were taken from where an earlier question left them.
    pub n_cached: usize,
    /// What each node of the tree knows; the first is the answer.
    pub findings: Vec<Finding>,
    /// What was wrong with what a model said, in words.
    pub defects: Vec<String>,
}

impl Adaptive {
    /// The lines of the answer, each with its evidence; none where the question is declined.
    pub fn lines(&self) -> &[Line] {
        self.findings.first().map_or(&[], |root| &root.lines)
    }
}

/// Answers a question over `documents` by structures chosen for it. Without evidence there are no lines. Cost without a
/// model O(length of the documents).
///
/// # Errors
/// [`LlmError`] of the step that could not be taken.
pub fn answer(
    searcher: &Searcher,
    question: &Question,
    documents: &[DocumentIndex],
    steps: &Steps<'_>,
    cache: &dyn UnitCache,
) -> Result<Adaptive, LlmError> {
    let plan = steps.thinker.think(question, documents)?;
    let built = steps.constructor.construct(question, documents, &plan, cache)?;
    let schema = KnowledgeSchema {
        inter: index::join(searcher, &built.units, plan.index),
        intra: built.units,
    };
    let used = steps.utiliser.utilise(question, &plan, &schema)?;
    let defects = plan.defects.iter().chain(&built.defects).chain(&used.defects);
    Ok(Adaptive {
        documents: schema.intra.iter().map(|unit| unit.title.clone()).collect(),
        defects: defects.cloned().collect(),
        n_cached: built.n_cached,
        findings: used.findings,
        schema,
        plan,
    })
}

/// Most calls to a model of a question that reads so many documents: one to think, one a document, one a node of the
/// query tree.
pub fn max_calls(n_documents: usize) -> usize {
    2 + n_documents.min(MAX_DOCUMENTS) + plan::MAX_QUERIES
}

/// The documents that a question is asked of: all of a small corpus; of a larger one those it names, else those that
/// retrieval finds first; at most [`MAX_DOCUMENTS`], in canonical order.
pub fn documents(searcher: &Searcher, question: &Question) -> Vec<DocumentIndex> {
    let knowledge = searcher.knowledge();
    if knowledge.n_documents() <= MAX_DOCUMENTS {
        let all = (0..knowledge.documents.len()).map(DocumentIndex::at);
        return all.filter(|at| !knowledge.is_gone(*at)).collect();
    }
    let named = searcher.named_in(&question.text);
    let mut chosen: Vec<DocumentIndex> = named
        .iter()
        .flat_map(|entity| knowledge.graph.entity(*entity).subject_of.iter().copied())
        .collect();
    if chosen.len() < 2 {
        let config = crate::Config {
            top_k: MAX_DOCUMENTS,
            ..crate::Config::default()
        };
        let found = searcher.search(question, &config).passages;
        chosen.extend(found.iter().map(|passage| knowledge.chunk(passage.chunk).document));
    }
    let mut distinct: Vec<DocumentIndex> = Vec::new();
    for document in chosen {
        if !distinct.contains(&document) {
            distinct.push(document);
        }
    }
    distinct.truncate(MAX_DOCUMENTS);
    distinct.sort_unstable();
    distinct
}

#[cfg(test)]
mod tests;

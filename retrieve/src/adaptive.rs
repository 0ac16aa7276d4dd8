//! `SchemaRAG`: knowledge structures chosen for the question.
//!
//! ```text
//! question, documents ─think─► query tree, task, K × I, strategy ─construct─► units per document, joined ─utilise─► answer
//! ```
//!
//! Each step is a trait ([`Thinker`], [`Constructor`], [`Utiliser`]); [`Embedded`] does all three without a model, [`model`] with one.
//!
//! # Differs from the paper
//! A strategy is data, not a text for a model: what is taken of each document, how documents are joined, what each node of
//! the tree takes. So whoever thinks, code carries it out, and documents are joined by code alone (Eq. 6, 7).

mod aspect;
mod bound;
mod embedded;
mod joint;
pub mod model;
mod record;
mod shelf;
mod strategy;
mod structure;
mod task;
mod tree;
mod unit;
mod utilise;

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::DocumentIndex;
use banyan_engine::llm::LlmError;
use serde::Serialize;

pub use embedded::Embedded;
pub use joint::{Group, Joint, Link};
pub use shelf::{NoShelf, Shelf};
pub use strategy::{Inter, Intra, Merge, Strategy, Utilisation};
pub use structure::{IndexStructure, KnowledgeStructure, StructureChooser};
pub use task::Task;
pub use tree::{Focus, QueryNode, QueryTree, State};
pub use unit::{Body, Built, Edge, Field, Unit};
pub use utilise::{Finding, Line, Used};

/// Documents that a question is asked of. Arbitrary: two dozen are what a query tree has children for.
pub const MAX_DOCUMENTS: usize = 24;

/// 𝒮: what documents know, and how they are joined (Eq. 7).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnowledgeSchema {
    /// How documents are joined.
    pub inter: Joint,
    /// What each knows, in the order of the documents.
    pub intra: Vec<Unit>,
}

/// What was thought before anything is built (§3.1).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The question and what has to be known before.
    pub tree: QueryTree,
    /// What was decided, and why.
    pub strategy: Strategy,
    /// What was wrong with what a model said, in words; none without a model.
    #[serde(skip)]
    pub defects: Vec<String>,
}

/// Who plans (Eq. 1 to 3).
pub trait Thinker {
    /// The query tree and the strategy for a question over documents.
    ///
    /// # Errors
    /// [`AdaptiveError`] where nobody could be asked.
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, AdaptiveError>;
}

/// Who makes units of documents (Eq. 4, 5).
pub trait Constructor {
    /// The unit of each document, in their order.
    ///
    /// # Errors
    /// [`AdaptiveError`] where nobody could be asked.
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        strategy: &Strategy,
        shelf: &dyn Shelf,
    ) -> Result<Built, AdaptiveError>;
}

/// Who answers from a schema, leaves first (Eq. 8, 9).
pub trait Utiliser {
    /// What each node of the tree knows, in its order.
    ///
    /// # Errors
    /// [`AdaptiveError`] where nobody could be asked.
    fn utilise(&self, question: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, AdaptiveError>;
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

/// Why a step could not be taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdaptiveError {
    /// The model could not be asked.
    #[error(transparent)]
    Llm(#[from] LlmError),
}

/// An answer with everything that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Adaptive {
    /// Titles of the documents asked, in the order of their positions.
    pub documents: Vec<String>,
    /// Query tree and strategy.
    #[serde(flatten)]
    pub plan: Plan,
    /// What was built.
    pub schema: KnowledgeSchema,
    /// How many units were taken from where an earlier question left them.
    pub n_kept: usize,
    /// What each node of the tree knows; the first is the answer.
    pub findings: Vec<Finding>,
    /// What was wrong with what a model said, in words.
    pub defects: Vec<String>,
}

/// Answers a question over `documents` by structures chosen for it. No documents give no findings but an empty one. Cost
/// without a model O(length of the documents).
///
/// # Errors
/// [`AdaptiveError`] of the step that could not be taken.
pub fn answer(
    searcher: &Searcher,
    question: &Question,
    documents: &[DocumentIndex],
    steps: &Steps<'_>,
    shelf: &dyn Shelf,
) -> Result<Adaptive, AdaptiveError> {
    let plan = steps.thinker.think(question, documents)?;
    let built = steps
        .constructor
        .construct(question, documents, &plan.strategy, shelf)?;
    let inter = joint::join(searcher, &built.units, &plan.strategy.inter);
    let schema = KnowledgeSchema {
        inter,
        intra: built.units,
    };
    let used = steps.utiliser.utilise(question, &plan, &schema)?;
    let title = |one: &DocumentIndex| searcher.knowledge().document(*one).title.clone();
    let defects = plan.defects.iter().chain(&built.defects).chain(&used.defects);
    Ok(Adaptive {
        documents: documents.iter().map(title).collect(),
        defects: defects.cloned().collect(),
        n_kept: built.n_kept,
        findings: used.findings,
        schema,
        plan,
    })
}

/// Most calls to a model of a question that reads so many documents: one to think, one a document, one a node of the query
/// tree.
pub fn max_calls(n_documents: usize) -> usize {
    1 + n_documents.min(MAX_DOCUMENTS) + QueryTree::MAX_NODES
}

/// The documents that a question is asked of: all of a small corpus; of a larger one those it names, else those that
/// retrieval finds first; at most [`MAX_DOCUMENTS`], in canonical order.
pub fn documents(searcher: &Searcher, question: &Question) -> Vec<DocumentIndex> {
    let knowledge = searcher.knowledge();
    let n = knowledge.documents.len();
    if n <= MAX_DOCUMENTS {
        return (0..n).map(DocumentIndex::at).collect();
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

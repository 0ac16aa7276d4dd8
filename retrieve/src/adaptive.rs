//! `SchemaRAG`: knowledge structures chosen for the question.
//!
//! ```text
//! question, documents ─think─► query tree, task, K × I, strategy ─construct─► units per document, joined ─utilise─► answer
//! ```

mod aspect;
mod bound;
mod joint;
mod strategy;
mod structure;
mod task;
mod tree;
mod unit;
mod utilise;

use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::DocumentIndex;
use serde::Serialize;

pub use joint::{Group, Joint, Link};
pub use strategy::{Inter, Intra, Merge, Strategy, Utilisation};
pub use structure::{IndexStructure, KnowledgeStructure, StructureChooser};
pub use task::Task;
pub use tree::{Focus, QueryNode, QueryTree, State};
pub use unit::{Body, Edge, Field, Unit};
pub use utilise::{Finding, Line};

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

/// An answer with everything that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Adaptive {
    /// Titles of the documents asked, in the order of their positions.
    pub documents: Vec<String>,
    /// The question and what has to be known before.
    pub tree: QueryTree,
    /// What was decided, and why.
    pub strategy: Strategy,
    /// What was built.
    pub schema: KnowledgeSchema,
    /// What each node of the tree knows; the first is the answer.
    pub findings: Vec<Finding>,
}

/// Answers a question over `documents` by structures chosen for it, without a model; `vector` is the question's with its
/// embedder's id. No documents give no findings but an empty one. Cost O(length of the documents).
pub fn answer(
    searcher: &Searcher,
    question: &Question,
    documents: &[DocumentIndex],
    chooser: &StructureChooser,
) -> Adaptive {
    let titles: Vec<String> = documents
        .iter()
        .map(|one| searcher.knowledge().document(*one).title.clone())
        .collect();
    let task = Task::of(&question.text);
    let tree = QueryTree::of(&question.text, task, &titles);
    let embedder = searcher.knowledge().settings.embedder.as_str();
    let vector = question.vector.as_deref().map(|vector| (embedder, vector));
    let (knowledge, choice) = chooser.choose(&question.text, vector);
    let reasons = choice.iter().map(crate::classify::Choice::explain).collect();
    let strategy = Strategy::new(&question.text, task, knowledge, reasons, &tree);
    let intra = unit::units(searcher, question, documents, &strategy.intra);
    let inter = joint::join(searcher, &intra, &strategy.inter);
    let schema = KnowledgeSchema { inter, intra };
    let findings = utilise::utilise(searcher, question, &tree, &schema, &strategy.utilise);
    Adaptive {
        documents: titles,
        tree,
        strategy,
        schema,
        findings,
    }
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

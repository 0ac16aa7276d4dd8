//! Knowledge units (`SchemaRAG` Eq. 4, 5): what one document knows, as table, graph or passages; and where units lie
//! between questions.

use super::structure::KnowledgeStructure;
use crate::answer::Citation;
use banyan_engine::DocumentIndex;
use serde::{Deserialize, Serialize};

/// U⁽ⁱ⁾: what document i knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnowledgeUnit {
    /// Its title.
    pub title: String,
    /// Which document.
    pub document: DocumentIndex,
    /// The group that it belongs to, where documents are grouped.
    pub category: Option<String>,
    /// What it knows.
    pub content: UnitContent,
}

/// Facts in one of the three structures, each with the words that state it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitContent {
    /// Values by column.
    Table(Vec<Field>),
    /// Facts.
    Graph(Vec<Edge>),
    /// Sentences, in the document's order.
    Chunk(Vec<Citation>),
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The column.
    pub column: String,
    /// The value as the document writes it.
    pub text: String,
    /// The words that state it.
    pub citation: Citation,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Of whom or what it is said.
    pub head: String,
    /// The relation.
    pub relation: String,
    /// The thing that the head is related to.
    pub tail: String,
    /// The words that state it.
    pub citation: Citation,
}

/// Units with how they came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Built {
    /// One a document, in their order.
    pub units: Vec<KnowledgeUnit>,
    /// How many were taken from the cache.
    pub n_cached: usize,
    /// What was wrong with what a model said, in words; none without a model.
    pub defects: Vec<String>,
}

impl UnitContent {
    /// No facts, in this structure.
    pub fn empty(structure: KnowledgeStructure) -> Self {
        match structure {
            KnowledgeStructure::Table => Self::Table(Vec::new()),
            KnowledgeStructure::Graph => Self::Graph(Vec::new()),
            KnowledgeStructure::Chunk => Self::Chunk(Vec::new()),
        }
    }

    /// How many facts there are.
    pub fn n_facts(&self) -> usize {
        match self {
            Self::Table(fields) => fields.len(),
            Self::Graph(edges) => edges.len(),
            Self::Chunk(passages) => passages.len(),
        }
    }
}

/// A place where units lie between questions, so that a second question over the same documents does not build them
/// again.
pub trait UnitCache {
    /// The unit under this key, which says what it depends on, the documents included.
    fn get(&self, key: &str) -> Option<KnowledgeUnit>;
    /// Puts a unit there; where that cannot be done, nothing is lost but time.
    fn put(&self, key: &str, unit: &KnowledgeUnit);
}

//! The structures that a knowledge schema is made of (`SchemaRAG`, Definition 1 and Eq. 2).

use crate::classify::{Classifier, WeightsError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// How the facts of one document are organised: 𝒦.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnowledgeStructure {
    /// Relations between things.
    Graph,
    /// Values by attribute.
    Table,
    /// Passages as they are.
    Chunk,
}

/// How documents hang together: ℐ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IndexStructure {
    /// One document leads to the next.
    CausalChain,
    /// Documents name one another.
    CorrelationGraph,
    /// Documents stand side by side.
    ParallelChunk,
    /// Documents by what they have in common.
    CatalogueGroup,
}

impl KnowledgeStructure {
    /// All, in the order of [`KnowledgeStructure`].
    pub const ALL: [Self; 3] = [Self::Graph, Self::Table, Self::Chunk];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Table => "table",
            Self::Chunk => "chunk",
        }
    }

    /// The structure of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|structure| structure.name() == name)
    }
}

impl fmt::Display for KnowledgeStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for IndexStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CausalChain => "causal chain",
            Self::CorrelationGraph => "correlation graph",
            Self::ParallelChunk => "parallel chunk",
            Self::CatalogueGroup => "catalogue group",
        })
    }
}

/// The classifier of questions by knowledge structure that ships, read once: fitted to `data/questions/structure.jsonl`.
///
/// # Errors
/// [`WeightsError`] where the file that ships is broken.
pub fn classifier() -> Result<&'static Classifier, &'static WeightsError> {
    static SHIPPED: LazyLock<Result<Classifier, WeightsError>> =
        LazyLock::new(|| Classifier::read(include_str!("../../../data/questions/structure.weights.json")));
    SHIPPED.as_ref()
}

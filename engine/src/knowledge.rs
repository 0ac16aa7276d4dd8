//! Everything a store holds, in memory: what was read, what it says, and what was derived from it.

use crate::document::{Chunk, Document};
use crate::embed::Vectors;
use crate::fact::Contribution;
use crate::graph::{KnowledgeGraph, assemble};
use crate::id::{ChunkId, DocumentIndex};
use crate::resolution::Resolution;
use crate::schema::Schema;
use crate::tree::KnowledgeTree;
use serde::{Deserialize, Serialize};

mod dump;

/// What a build was made with; part of the store, so that later additions are made alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Identity of the embedder; `none` for a store without dense vectors.
    pub embedder: String,
    /// Most tokens of a chunk, title included.
    pub max_chunk_tokens: u32,
    /// Seed of every pseudo-random choice.
    pub seed: u64,
}

impl Default for Settings {
    /// No embedder; 256 tokens, the embedder's limit; the paper's seed 42.
    fn default() -> Self {
        Self {
            embedder: "none".to_owned(),
            max_chunk_tokens: 256,
            seed: 42,
        }
    }
}

/// One corpus, understood.
///
/// Documents and contributions run in parallel, in canonical order; chunks and graph are assembled from the
/// contributions and the resolution; the tree covers the graph's entities.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// What it was built with.
    pub settings: Settings,
    /// The schema that bounds it.
    pub schema: Schema,
    /// What was read.
    pub documents: Vec<Document>,
    /// What each document says.
    pub contributions: Vec<Contribution>,
    /// Which names are one entity.
    pub resolution: Resolution,
    /// All chunks, by document.
    pub chunks: Vec<Chunk>,
    /// The graph of all facts.
    pub graph: KnowledgeGraph,
    /// Facts that were left out because the schema does not admit them.
    pub n_refused: usize,
    /// Communities over the graph.
    pub tree: KnowledgeTree,
    /// Dense vectors `(n_chunks, d)` of title and text of every chunk; no rows without an embedder.
    pub chunk_vectors: Vectors,
}

impl Knowledge {
    /// Assembles chunks and graph; the tree and the vectors are still empty. Cost O(n log n) in the number of claims.
    pub fn assemble(
        settings: Settings,
        schema: Schema,
        documents: Vec<Document>,
        contributions: Vec<Contribution>,
        resolution: Resolution,
    ) -> Self {
        let (chunks, graph, n_refused) = assemble(&schema, &contributions, &resolution);
        Self {
            settings,
            schema,
            documents,
            contributions,
            resolution,
            chunks,
            graph,
            n_refused,
            tree: KnowledgeTree::default(),
            chunk_vectors: Vectors::new(0),
        }
    }

    /// The document behind a handle.
    pub fn document(&self, index: DocumentIndex) -> &Document {
        &self.documents[index.index()]
    }

    /// The chunk behind a handle.
    pub fn chunk(&self, id: ChunkId) -> &Chunk {
        &self.chunks[id.index()]
    }

    /// The text of a chunk.
    pub fn chunk_text(&self, id: ChunkId) -> &str {
        let chunk = self.chunk(id);
        chunk.span.of(&self.document(chunk.document).text)
    }

    /// The text that stands for a chunk before an embedder and a lexical index: its document's title, then its text.
    pub fn passage(&self, id: ChunkId) -> String {
        let heading = self.document(self.chunk(id).document).heading();
        format!("{heading}\n{}", self.chunk_text(id))
    }
}

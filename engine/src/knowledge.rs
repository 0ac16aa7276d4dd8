//! Everything a store holds, in memory: what was read, what it says, and what was derived from it.

use crate::document::{Chunk, Document};
use crate::embed::PassageVectors;
use crate::fact::Contribution;
use crate::graph::{KnowledgeGraph, Source, assemble};
use crate::id::{ChunkId, DocumentId, DocumentIndex};
use crate::paged::{Health, Lazy, Paged};
use crate::resolution::Resolution;
use crate::schema::{Growth, Refusals, Schema, SchemaMode};
use crate::stated::{Quarantine, StatedAt};
use crate::tree::KnowledgeTree;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

mod dump;
mod within;

/// What a build was made with; part of the store, so that later additions are made alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Identity of the embedder; `none` for a store without dense vectors.
    pub embedder: String,
    /// Identity of what parsed the texts; `none` for the shape of their words alone.
    pub parser: String,
    /// Who said what the documents state: `embedded`, with `+patterns:` and a content address where a compiled extractor
    /// read too, or a recording or model by name.
    pub extractor: String,
    /// Who wrote the names and descriptions of communities: `embedded`, or a model by name.
    pub summariser: String,
    /// What happens to what the schema does not define.
    pub schema_mode: SchemaMode,
    /// Least confidence with which a schema grows by itself, `0..=1` (μ, Eq. 3).
    pub mu: f32,
    /// Most tokens of a chunk, title included.
    pub max_chunk_tokens: u32,
    /// Seed of every pseudo-random choice.
    pub seed: u64,
}

impl Default for Settings {
    /// No embedder and parser, no outside extractor or summariser, a strict schema; the paper's μ of .9; 256 tokens,
    /// the embedder's limit; the paper's seed 42.
    fn default() -> Self {
        Self {
            embedder: "none".to_owned(),
            parser: "none".to_owned(),
            extractor: "embedded".to_owned(),
            summariser: "embedded".to_owned(),
            schema_mode: SchemaMode::Strict,
            mu: 0.9,
            max_chunk_tokens: 256,
            seed: 42,
        }
    }
}

/// How texts were parsed, by document, as the extractor packs it. What is not there is parsed again.
pub type Parses = BTreeMap<DocumentId, Vec<u8>>;

/// One corpus, understood.
///
/// Documents and contributions run in parallel, in canonical order; chunks and graph are assembled from the
/// contributions and the resolution; the tree covers the graph's entities.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// What it was built with.
    pub settings: Settings,
    /// The schema that bounds it, grown as far as it is.
    pub schema: Schema,
    /// How the schema grew, and what is proposed for it.
    pub growth: Growth,
    /// What was read.
    pub documents: Paged<Document>,
    /// What each document says.
    pub contributions: Paged<Contribution>,
    /// How each was parsed, so that a change parses only what is new.
    pub parses: Paged<(DocumentId, Vec<u8>)>,
    /// What an outside extractor stated, from which the contributions were bound; empty for the embedded one.
    pub statements: Lazy<BTreeMap<DocumentId, Vec<StatedAt>>>,
    /// The file of the compiled extractor that read beside the embedded rules; empty where none did.
    pub patterns: String,
    /// Stretches of text that an outside extractor gave nothing usable for, in canonical order.
    pub quarantine: Lazy<Vec<Quarantine>>,
    /// Which names are one entity.
    pub resolution: Lazy<Resolution>,
    /// All chunks, by document.
    pub chunks: Paged<Chunk>,
    /// The graph of all facts.
    pub graph: KnowledgeGraph,
    /// What was left out because the schema does not admit it, by reason.
    pub refusals: Lazy<Refusals>,
    /// Communities over the graph.
    pub tree: KnowledgeTree,
    /// Dense vectors `(n_chunks, d)` of title and text of every chunk; no rows without an embedder.
    pub chunk_vectors: PassageVectors,
    /// How many of the documents, the last ones, were added since all was derived ([`crate::Recent`]).
    pub n_recent: usize,
    /// Which of the documents were removed since then, ascending: these are blank, and so is every row of which nothing is
    /// left.
    pub gone: Arc<[DocumentIndex]>,
    /// Whether what was read from its store could be read.
    pub health: Health,
}

impl Knowledge {
    /// Assembles chunks and graph; the tree and the vectors are still empty, and the schema has not grown. Cost O(n log
    /// n) in the number of claims.
    pub fn assemble(
        settings: Settings,
        schema: Schema,
        documents: Vec<Document>,
        contributions: Vec<Contribution>,
        resolution: Resolution,
    ) -> Self {
        let (chunks, graph, refusals) = assemble(&schema, &contributions, &resolution);
        Self {
            settings,
            schema,
            growth: Growth::default(),
            documents: documents.into(),
            contributions: contributions.into(),
            parses: Paged::default(),
            statements: Lazy::default(),
            patterns: String::new(),
            quarantine: Lazy::default(),
            resolution: resolution.into(),
            chunks: chunks.into(),
            graph,
            refusals: refusals.into(),
            tree: KnowledgeTree::default(),
            chunk_vectors: PassageVectors::default(),
            n_recent: 0,
            gone: Arc::default(),
            health: Health::default(),
        }
    }

    /// A knowledge of no documents.
    pub fn nothing(schema: Schema) -> Self {
        Self::assemble(
            Settings::default(),
            schema,
            Vec::new(),
            Vec::new(),
            Resolution::default(),
        )
    }

    /// Reads what documents and people say, as far as it has not been read yet, and not what follows from it; what cannot
    /// be read is noted in its health.
    pub(crate) fn load(&self) {
        self.documents.load();
        self.contributions.load();
        self.parses.load();
        self.statements.load();
        self.quarantine.load();
        self.resolution.load();
    }

    /// How many facts were left out because the schema does not admit them.
    pub fn n_refused(&self) -> usize {
        self.refusals.n()
    }

    /// Number of documents that are there.
    pub fn n_documents(&self) -> usize {
        self.documents.len() - self.gone.len()
    }

    /// Whether a document was removed, and is blank now.
    pub fn is_gone(&self, index: DocumentIndex) -> bool {
        self.gone.binary_search(&index).is_ok()
    }

    /// The same as a slice, which is copied only where some are gone. Cost O(size) the first time.
    pub fn documents_now(&self) -> Cow<'_, [Document]> {
        if self.gone.is_empty() {
            return Cow::Borrowed(self.documents.all());
        }
        Cow::Owned(self.documents_left().cloned().collect())
    }

    /// The documents that are there. Cost O(size) the first time.
    pub fn documents_left(&self) -> impl Iterator<Item = &Document> {
        let all = (0..).map(DocumentIndex).zip(self.documents.all());
        all.filter(|(at, _)| !self.is_gone(*at)).map(|(_, document)| document)
    }

    /// The document behind a handle.
    pub fn document(&self, index: DocumentIndex) -> &Document {
        self.documents.get(index.index())
    }

    /// The chunk behind a handle.
    pub fn chunk(&self, id: ChunkId) -> &Chunk {
        self.chunks.get(id.index())
    }

    /// The positions of the chunks of the same document, which stand together. Cost O(log n) in their number.
    pub fn beside(&self, id: ChunkId) -> Range<usize> {
        let document = self.chunk(id).document;
        self.chunks.stretch(id.index(), |chunk| chunk.document == document)
    }

    /// Where a source stands, as people find it: `file:line:column`. Cost as of [`Document::place`].
    pub fn locate(&self, source: &Source) -> String {
        let document = self.document(self.chunk(source.chunk).document);
        document.locate(source.span.start)
    }

    /// Where sources stand, as [`Self::locate`] tells it of one.
    pub fn locate_all(&self, sources: &[Source]) -> Vec<String> {
        sources.iter().map(|source| self.locate(source)).collect()
    }

    /// The text of a chunk.
    pub fn chunk_text(&self, id: ChunkId) -> &str {
        let chunk = self.chunk(id);
        chunk.span.of(&self.document(chunk.document).text)
    }

    /// The text that stands for a chunk before an embedder and a lexical index: its document's title with the path of its
    /// section, then its text.
    pub fn passage(&self, id: ChunkId) -> String {
        let chunk = self.chunk(id);
        let heading = self.document(chunk.document).heading_at(chunk.span.start);
        format!("{heading}\n{}", self.chunk_text(id))
    }
}

//! What stands in the lists of a store, and whether it can stand there: a forged store must not lead outside of a list.

use super::columns::Columns;
use super::{StoreError, codec};
use crate::document::{Chunk, Document};
use crate::embed::passages::{Code, Halves};
use crate::fact::Contribution;
use crate::graph::{Around, Association, Attribute, Entity, Source, Triple};
use crate::id::{ChunkId, CommunityId, DocumentId, EntityId, TripleId};
use crate::index::bm25::Occurrences;
use crate::index::{Fact, Named};
use crate::knowledge::Knowledge;
use crate::stated::StatedAt;
use crate::tree::{Branch, Community, Keyword};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How long the lists are that rows refer to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) documents: usize,
    pub(super) chunks: usize,
    pub(super) entities: usize,
    pub(super) triples: usize,
    pub(super) attributes: usize,
    pub(super) associations: usize,
    pub(super) communities: usize,
    pub(super) types: usize,
    pub(super) relations: usize,
    pub(super) kinds: usize,
    /// Components of a vector.
    pub(super) dimension: usize,
}

impl Limits {
    pub(super) fn of(knowledge: &Knowledge) -> Self {
        let (graph, schema) = (&knowledge.graph, &knowledge.schema);
        Self {
            documents: knowledge.documents.len(),
            chunks: knowledge.chunks.len(),
            entities: graph.n_entities(),
            triples: graph.n_triples(),
            attributes: graph.n_attributes(),
            associations: graph.n_associations(),
            communities: knowledge.tree.n_communities(),
            types: schema.entity_types().len(),
            relations: schema.relations().len(),
            kinds: schema.attributes().len(),
            dimension: knowledge.chunk_vectors.dimension(),
        }
    }

    fn entity(&self, id: EntityId) -> bool {
        id.index() < self.entities
    }

    fn chunk(&self, id: ChunkId) -> bool {
        id.index() < self.chunks
    }

    fn sources(&self, sources: &[Source]) -> bool {
        sources.iter().all(|source| self.chunk(source.chunk))
    }

    fn triple(&self, id: TripleId) -> bool {
        id.index() < self.triples
    }

    fn keywords(&self, keywords: &[Keyword]) -> bool {
        keywords.iter().all(|keyword| self.entity(keyword.entity))
    }
}

/// A row of a list.
pub(super) trait Row: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Whether everything that it refers to is there.
    fn fits(&self, _: &Limits) -> bool {
        true
    }

    /// The record of a block.
    fn pack(tree: &str, rows: &[Self]) -> Result<Vec<u8>, StoreError> {
        codec::encode(tree, &rows)
    }

    /// The rows of a block, and the bytes of its record when they were not compressed.
    fn unpack(what: &str, record: &[u8]) -> Result<(Vec<Self>, usize), StoreError> {
        codec::decode_sized(what, record)
    }
}

impl Row for Document {}
impl Row for Contribution {
    fn pack(tree: &str, rows: &[Self]) -> Result<Vec<u8>, StoreError> {
        codec::encode(tree, &Columns::of(rows))
    }

    fn unpack(what: &str, record: &[u8]) -> Result<(Vec<Self>, usize), StoreError> {
        let (columns, n_bytes) = codec::decode_sized::<Columns>(what, record)?;
        let rows = columns.rows();
        let rows = rows.ok_or_else(|| StoreError::corrupt(what, "columns that fit each other", "others"))?;
        Ok((rows, n_bytes))
    }
}
impl Row for (DocumentId, Vec<StatedAt>) {}
impl Row for (DocumentId, Vec<u8>) {}

impl Row for Halves {
    fn fits(&self, limits: &Limits) -> bool {
        self.has(limits.dimension)
    }
}

impl Row for Code {
    fn fits(&self, limits: &Limits) -> bool {
        self.has(limits.dimension)
    }
}

impl Row for Vec<u32> {}
impl Row for (String, u32) {}
impl Row for (String, Occurrences) {}
impl Row for (String, Vec<u32>) {}

impl Row for Chunk {
    fn fits(&self, limits: &Limits) -> bool {
        self.document.index() < limits.documents
    }
}

impl Row for Entity {
    fn fits(&self, limits: &Limits) -> bool {
        self.entity_type.index() < limits.types
            && self
                .subject_of
                .iter()
                .all(|document| document.index() < limits.documents)
            && self.mentions.iter().all(|(source, _)| limits.chunk(source.chunk))
    }
}

impl Row for Triple {
    fn fits(&self, limits: &Limits) -> bool {
        limits.entity(self.head)
            && limits.entity(self.tail)
            && self.relation.index() < limits.relations
            && limits.sources(&self.sources)
    }
}

impl Row for Attribute {
    fn fits(&self, limits: &Limits) -> bool {
        limits.entity(self.entity) && self.attribute.index() < limits.kinds && limits.sources(&self.sources)
    }
}

impl Row for Association {
    fn fits(&self, limits: &Limits) -> bool {
        limits.entity(self.a) && limits.entity(self.b) && limits.chunk(self.source.chunk)
    }
}

impl Row for Around {
    fn fits(&self, limits: &Limits) -> bool {
        self.triples.iter().all(|id| limits.triple(*id))
            && self.associations.iter().all(|at| (*at as usize) < limits.associations)
            && self.attributes.iter().all(|at| (*at as usize) < limits.attributes)
    }
}

impl Row for (String, EntityId) {
    fn fits(&self, limits: &Limits) -> bool {
        limits.entity(self.1)
    }
}

impl Row for (String, Vec<EntityId>) {
    fn fits(&self, limits: &Limits) -> bool {
        self.1.iter().all(|id| limits.entity(*id))
    }
}

impl Row for Community {
    fn fits(&self, limits: &Limits) -> bool {
        self.members.iter().all(|id| limits.entity(*id)) && limits.keywords(&self.keywords)
    }
}

impl Row for CommunityId {
    fn fits(&self, limits: &Limits) -> bool {
        self.index() < limits.communities
    }
}

impl Row for Vec<Branch> {
    fn fits(&self, limits: &Limits) -> bool {
        self.iter().all(|branch| limits.keywords(&branch.keywords))
    }
}

impl Row for Vec<(EntityId, u8)> {
    fn fits(&self, limits: &Limits) -> bool {
        self.iter().all(|(id, _)| limits.entity(*id))
    }
}

impl Row for Named {
    fn fits(&self, limits: &Limits) -> bool {
        self.chunks.iter().all(|place| limits.chunk(place.chunk)) && self.subject.iter().all(|id| limits.chunk(*id))
    }
}

impl Row for Vec<Fact> {
    fn fits(&self, limits: &Limits) -> bool {
        self.iter().all(|fact| match fact {
            Fact::Triple(id) => limits.triple(*id),
            Fact::Association(at) => *at < limits.associations,
        })
    }
}

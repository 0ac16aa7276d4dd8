//! Which chunk names which entity: the bipartite passage–entity graph that multi-hop search walks.

use crate::id::{ChunkId, EntityId};
use crate::knowledge::Knowledge;

/// Both directions of the incidence.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    by_chunk: Vec<Vec<(EntityId, f32)>>,
    by_entity: Vec<Vec<(ChunkId, f32)>>,
    subject_chunks: Vec<Vec<ChunkId>>,
    frequency: Vec<usize>,
}

impl Incidence {
    /// Derives the incidence of a knowledge's mentions. Cost O(mentions).
    pub fn new(knowledge: &Knowledge) -> Self {
        let mut chunks_of = vec![Vec::new(); knowledge.documents.len()];
        for (position, chunk) in knowledge.chunks.iter().enumerate() {
            chunks_of[chunk.document.index()].push(ChunkId::at(position));
        }
        let mut index = Self {
            by_chunk: vec![Vec::new(); knowledge.chunks.len()],
            ..Self::default()
        };
        for (position, entity) in knowledge.graph.entities().iter().enumerate() {
            let mut row: Vec<(ChunkId, f32)> = Vec::new();
            for (source, certainty) in &entity.mentions {
                let weight = f32::from(*certainty) / 100.0;
                match row.last_mut() {
                    Some((chunk, best)) if *chunk == source.chunk => *best = best.max(weight),
                    _ => row.push((source.chunk, weight)),
                }
            }
            for (chunk, weight) in &row {
                index.by_chunk[chunk.index()].push((EntityId::at(position), *weight));
            }
            let own = |chunk: &ChunkId| entity.subject_of.contains(&knowledge.chunk(*chunk).document);
            let n_own = row.iter().filter(|(chunk, _)| own(chunk)).count();
            index.frequency.push(row.len() - n_own + n_own.min(1));
            let subjects = entity
                .subject_of
                .iter()
                .flat_map(|document| &chunks_of[document.index()]);
            index.subject_chunks.push(subjects.copied().collect());
            index.by_entity.push(row);
        }
        index
    }

    /// Entities that a chunk names, ascending, with the certainty of the link in 0..=1.
    pub fn entities_of(&self, chunk: ChunkId) -> &[(EntityId, f32)] {
        &self.by_chunk[chunk.index()]
    }

    /// Chunks that name an entity, ascending, with the certainty of the link in 0..=1.
    pub fn chunks_of(&self, entity: EntityId) -> &[(ChunkId, f32)] {
        &self.by_entity[entity.index()]
    }

    /// How many chunks name an entity, where all chunks of the documents that are about it count as one: a long article
    /// does not make its own subject common.
    pub fn frequency(&self, entity: EntityId) -> usize {
        self.frequency[entity.index()]
    }

    /// Chunks of the documents that are about an entity.
    pub fn subject_chunks(&self, entity: EntityId) -> &[ChunkId] {
        &self.subject_chunks[entity.index()]
    }
}

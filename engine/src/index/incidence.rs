//! Which chunk names which entity: the bipartite passage–entity graph that multi-hop search walks.

use crate::id::{ChunkId, EntityId};
use crate::knowledge::Knowledge;

/// Both directions of the incidence, as compressed rows: about 16 bytes a link, 24 an entity.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    by_chunk: Rows<(EntityId, f32)>,
    by_entity: Rows<(ChunkId, f32)>,
    subject_chunks: Rows<ChunkId>,
    frequency: Vec<u32>,
}

impl Incidence {
    /// Derives the incidence of a knowledge's mentions. Cost O(mentions).
    pub fn new(knowledge: &Knowledge) -> Self {
        let mut index = Self::default();
        let chunks_of = chunks_by_document(knowledge);
        for entity in knowledge.graph.entities() {
            let first = index.by_entity.items.len();
            for (source, certainty) in &entity.mentions {
                let weight = f32::from(*certainty) / 100.0;
                match index.by_entity.items[first..].last_mut() {
                    Some((chunk, best)) if *chunk == source.chunk => *best = best.max(weight),
                    _ => index.by_entity.items.push((source.chunk, weight)),
                }
            }
            let row = &index.by_entity.items[first..];
            let own = |chunk: &ChunkId| entity.subject_of.contains(&knowledge.chunk(*chunk).document);
            let n_own = row.iter().filter(|(chunk, _)| own(chunk)).count();
            let frequency = row.len() - n_own + n_own.min(1);
            index.frequency.push(u32::try_from(frequency).unwrap_or(u32::MAX));
            index.by_entity.close();
            for document in &entity.subject_of {
                index.subject_chunks.items.extend(chunks_of.row(document.index()));
            }
            index.subject_chunks.close();
        }
        index.by_chunk = turned(&index.by_entity, knowledge.chunks.len());
        index
    }

    /// Entities that a chunk names, ascending, with the certainty of the link in 0..=1.
    pub fn entities_of(&self, chunk: ChunkId) -> &[(EntityId, f32)] {
        self.by_chunk.row(chunk.index())
    }

    /// Chunks that name an entity, ascending, with the certainty of the link in 0..=1.
    pub fn chunks_of(&self, entity: EntityId) -> &[(ChunkId, f32)] {
        self.by_entity.row(entity.index())
    }

    /// How many chunks name an entity, where all chunks of the documents that are about it count as one: a long article
    /// does not make its own subject common.
    pub fn frequency(&self, entity: EntityId) -> usize {
        self.frequency[entity.index()] as usize
    }

    /// Chunks of the documents that are about an entity.
    pub fn subject_chunks(&self, entity: EntityId) -> &[ChunkId] {
        self.subject_chunks.row(entity.index())
    }
}

/// Rows of different length in one allocation: row `i` is `items[ends[i - 1]..ends[i]]`.
#[derive(Clone, Debug)]
struct Rows<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T> Rows<T> {
    /// Ends the row that was being filled.
    fn close(&mut self) {
        self.ends.push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    fn row(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[index] as usize]
    }
}

/// The other direction: for each of `n` chunks its entities, ascending.
fn turned(by_entity: &Rows<(ChunkId, f32)>, n: usize) -> Rows<(EntityId, f32)> {
    let mut next = vec![0_u32; n];
    for (chunk, _) in &by_entity.items {
        next[chunk.index()] += 1;
    }
    let mut sum = 0;
    for place in &mut next {
        let length = *place;
        *place = sum;
        sum += length;
    }
    let mut items = vec![(EntityId(0), 0.0); by_entity.items.len()];
    for entity in 0..by_entity.ends.len() {
        for (chunk, weight) in by_entity.row(entity) {
            let place = &mut next[chunk.index()];
            items[*place as usize] = (EntityId::at(entity), *weight);
            *place += 1;
        }
    }
    // Each row's next free place is now its end.
    Rows { items, ends: next }
}

fn chunks_by_document(knowledge: &Knowledge) -> Rows<ChunkId> {
    let mut rows = Rows::default();
    for (position, chunk) in knowledge.chunks.iter().enumerate() {
        while rows.ends.len() < chunk.document.index() {
            rows.close();
        }
        rows.items.push(ChunkId::at(position));
    }
    while rows.ends.len() < knowledge.documents.len() {
        rows.close();
    }
    rows
}

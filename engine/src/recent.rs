//! Documents that were added or removed since a knowledge was derived: what is new is read on its own, and both are laid over
//! it until all is derived anew.
//!
//! **What holds.** Their passages, names and facts are found like any other. An entity is one with another where both have a
//! key or a full name in common, and keeps the name and type that it had; nothing enters that the schema does not admit with
//! these types (Eq. 2, Youtu-GraphRAG).
//!
//! What only removed documents said is gone, and so are the entities and names that only they had.
//!
//! **What waits** for the next derivation: what only the whole corpus tells of them (names that are joined by more than their
//! spelling, votes on types, facts that their types would admit), and communities, of which new entities are in none, and whose
//! names and descriptions are as they were.
//!
//! Rows that the knowledge has stay where they are, so handles keep their meaning; those of which nothing is left are blank.

use crate::document::{Chunk, Document, Origin, canonicalise};
use crate::fact::Contribution;
use crate::graph::{Around, Association, Attribute, Entity, Triple};
use crate::id::{DocumentId, DocumentIndex, EntityId};
use crate::index::bm25::{Extent, Occurrences};
use crate::index::{Fact, Index, Named};
use crate::knowledge::{Knowledge, Parses};
use crate::paged::{Grow, Lazy, News, Paged};
use draft::Draft;
use removed::Removed;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

mod draft;
mod grow;
mod removed;
#[cfg(test)]
mod tests;

/// What recent documents add to a knowledge and its indexes, and what was removed from it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recent {
    pub(crate) removed: Removed,
    pub(crate) documents: Vec<Document>,
    pub(crate) contributions: Vec<Contribution>,
    parses: Parses,
    pub(crate) chunks: Vec<Chunk>,
    /// `(n_chunks, d)`, row-major.
    pub(crate) vectors: Vec<f32>,
    pub(crate) entities: News<Entity>,
    pub(crate) triples: News<Triple>,
    pub(crate) attributes: News<Attribute>,
    pub(crate) associations: News<Association>,
    pub(crate) around: News<Around>,
    pub(crate) of_relation: News<Vec<u32>>,
    pub(crate) of_attribute: News<Vec<u32>>,
    pub(crate) keys: Vec<(String, EntityId)>,
    pub(crate) names: Vec<(String, Vec<EntityId>)>,
    files: Vec<(String, Vec<u32>)>,
    terms: Vec<(String, Occurrences)>,
    lengths: Vec<u32>,
    extent: Extent,
    pub(crate) named_in: Vec<Vec<(EntityId, u8)>>,
    pub(crate) named: News<Named>,
    pub(crate) stated: Vec<Vec<Fact>>,
    words: Vec<(String, u32)>,
    name_words: News<Vec<u32>>,
    triple_words: News<Vec<u32>>,
    association_words: News<Vec<u32>>,
}

impl Recent {
    /// What `own`, the knowledge of the added documents alone, adds to one that has none of them and some of whose documents
    /// have other `places` now; those without a place are gone. Handles are as if `own` came behind it. Cost O(own and
    /// removed), and look-ups of their names and facts.
    pub fn new(base: (&Knowledge, &Index), own: Knowledge, places: &BTreeMap<DocumentIndex, Vec<Origin>>) -> Self {
        if !places.is_empty() {
            let removed = Removed::new(base, places);
            let (knowledge, index) = removed.clone().over((base.0.clone(), base.1.clone()));
            let recent = Self::new((&knowledge, &index), own, &BTreeMap::new());
            return Self { removed, ..recent };
        }
        let own_index = Index::new(&own);
        let mut draft = Draft::new(base, &own);
        draft.entities(&own);
        draft.triples(&own, &own_index);
        draft.attributes(&own);
        draft.associations(&own, &own_index);
        draft.indexes(&own, &own_index);
        draft.finish(own)
    }

    /// The documents, in canonical order.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// How each of them was parsed.
    pub fn parses(&self) -> &Parses {
        &self.parses
    }

    /// Gives its documents and what they say to a knowledge without them, from which all is to be derived anew. Cost O(size).
    pub(crate) fn join(self, knowledge: &mut Knowledge) {
        let gone = &self.removed.ids;
        self.removed.move_documents(&mut knowledge.documents);
        let mut documents = std::mem::take(&mut knowledge.documents).into_vec();
        documents.retain(|document| !document.origins.is_empty());
        documents.extend(self.documents);
        canonicalise(&mut documents);
        let said = std::mem::take(&mut knowledge.contributions).into_vec();
        let said = said.into_iter().chain(self.contributions);
        let mut said: HashMap<DocumentId, Contribution> = said.map(|one| (one.document, one)).collect();
        knowledge.contributions = documents.iter().filter_map(|one| said.remove(&one.id)).collect();
        knowledge.documents = documents.into();
        let mut parses: Parses = std::mem::take(&mut knowledge.parses).into_vec().into_iter().collect();
        parses.retain(|id, _| !gone.contains(id));
        parses.extend(self.parses);
        knowledge.parses = parses.into_iter().collect();
        let mut statements = std::mem::take(&mut knowledge.statements).into_inner();
        statements.retain(|id, _| !gone.contains(id));
        knowledge.statements = statements.into();
    }

    /// The documents of the knowledge that have other places now, by position; those without a place are gone.
    pub fn places(&self) -> impl Iterator<Item = (DocumentIndex, &[Origin])> {
        let moved = self.removed.documents.iter();
        moved.map(|(at, document)| (DocumentIndex(*at), document.origins.as_slice()))
    }

    /// Number of documents.
    pub fn n_documents(&self) -> usize {
        self.documents.len()
    }

    /// Whether nothing was added or removed.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.removed.is_empty()
    }

    /// The knowledge and its indexes with what this adds, and without what was removed. Cost O(recent): rows of the knowledge are read when they are
    /// looked at.
    pub fn over(self, base: (Knowledge, Index)) -> (Knowledge, Index) {
        let (mut knowledge, mut index) = if self.removed.is_empty() {
            base
        } else {
            self.removed.over(base)
        };
        knowledge.n_recent = self.documents.len();
        knowledge.documents = knowledge.documents.behind(self.documents);
        knowledge.contributions = knowledge.contributions.behind(self.contributions);
        knowledge.parses = knowledge.parses.behind(self.parses.into_iter().collect());
        knowledge.chunks = knowledge.chunks.behind(self.chunks);
        knowledge.chunk_vectors = knowledge.chunk_vectors.grown(&self.vectors);
        let graph = &mut knowledge.graph;
        grow(&mut graph.entities, self.entities);
        grow(&mut graph.triples, self.triples);
        grow(&mut graph.attributes, self.attributes);
        grow(&mut graph.associations, self.associations);
        grow(&mut graph.around, self.around);
        grow(&mut graph.of_relation, self.of_relation);
        grow(&mut graph.of_attribute, self.of_attribute);
        graph.keys = std::mem::take(&mut graph.keys).grown(self.keys);
        index.names = index.names.grown(self.names);
        index.files = index.files.grown(self.files);
        let passages = &mut index.passages;
        passages.terms = std::mem::take(&mut passages.terms).grown(self.terms);
        let (lengths, more) = (passages.lengths.clone(), self.lengths);
        passages.lengths = Lazy::stored(move || [lengths.as_slice(), &more].concat());
        passages.extent = passages.extent.with(self.extent);
        let incidence = &mut index.incidence;
        incidence.by_chunk = std::mem::take(&mut incidence.by_chunk).behind(self.named_in);
        grow(&mut incidence.by_entity, self.named);
        let facts = &mut index.facts;
        facts.stated = std::mem::take(&mut facts.stated).behind(self.stated);
        facts.numbers = std::mem::take(&mut facts.numbers).grown(self.words);
        grow(&mut facts.names, self.name_words);
        grow(&mut facts.triples, self.triple_words);
        grow(&mut facts.associations, self.association_words);
        (knowledge, index)
    }
}

fn grow<T: Clone + Default + Send + Sync + Grow>(list: &mut Paged<T>, news: News<T>) {
    *list = std::mem::take(list).grown(news);
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

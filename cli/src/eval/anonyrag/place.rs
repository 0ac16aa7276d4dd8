//! Gold places against what search found.

use banyan_engine::{ChunkId, Document, Knowledge, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A place of an anonymised corpus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GoldPlace {
    /// File, relative to the set's directory.
    pub file: String,
    /// Record, in files with several documents that have ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// First byte in the document's text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there.
    pub quote: String,
}

/// The chunks of a corpus by the places of its documents.
pub(super) struct Chunks<'a> {
    knowledge: &'a Knowledge,
    /// File and record → document.
    documents: BTreeMap<(String, Option<String>), usize>,
}

impl<'a> Chunks<'a> {
    /// O(documents).
    pub(super) fn new(knowledge: &'a Knowledge) -> Self {
        let each = |(position, document): (usize, &Document)| {
            let origins = document.origins.iter();
            origins
                .map(|origin| ((base(&origin.file).to_owned(), origin.record.clone()), position))
                .collect::<Vec<_>>()
        };
        Self {
            documents: knowledge.documents.iter().enumerate().flat_map(each).collect(),
            knowledge,
        }
    }

    /// The chunks that hold some of a place, ascending; none where the corpus has no such document.
    fn of(&self, place: &GoldPlace) -> BTreeSet<ChunkId> {
        let key = (base(&place.file).to_owned(), place.record.clone());
        let Some(document) = self.documents.get(&key) else {
            return BTreeSet::new();
        };
        let span = Span::new(place.start, place.end);
        let chunks = self.knowledge.chunks.iter().enumerate();
        chunks
            .filter(|(_, chunk)| chunk.document.index() == *document && chunk.span.overlaps(span))
            .map(|(position, _)| ChunkId::at(position))
            .collect()
    }

    /// For each place the rank, from 1, of the first of the ranked chunks that holds some of it.
    pub(super) fn ranks(&self, places: &[GoldPlace], ranking: &[ChunkId]) -> Vec<Option<usize>> {
        let rank = |place: &GoldPlace| {
            let chunks = self.of(place);
            let found = ranking.iter().position(|chunk| chunks.contains(chunk));
            found.map(|at| at + 1)
        };
        places.iter().map(rank).collect()
    }
}

/// A file's name without its directory.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

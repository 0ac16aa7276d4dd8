//! The part of a knowledge that some documents say.

use super::Knowledge;
use crate::document::Chunk;
use crate::id::DocumentId;
use std::collections::BTreeSet;

impl Knowledge {
    /// What only these documents say, as if there were no others: facts that others state too keep the sources that are
    /// left. The tree is empty, for communities are of the whole. Needs the contributions, which a searcher lets go. Cost
    /// O(n log n) in the number of claims.
    #[must_use]
    pub fn within(self, documents: &BTreeSet<DocumentId>) -> Self {
        let known = &self.chunk_vectors;
        let chunks = self.chunks.all().iter().enumerate();
        let is_within = |chunk: &Chunk| !known.is_empty() && documents.contains(&self.document(chunk.document).id);
        let within = chunks
            .filter(|(_, chunk)| is_within(chunk))
            .map(|(position, _)| position);
        let vectors = known.of(within);
        let kept = |id: &DocumentId| documents.contains(id);
        let (texts, claims) = self
            .documents
            .into_vec()
            .into_iter()
            .zip(self.contributions.into_vec())
            .filter(|(document, _)| kept(&document.id))
            .unzip();
        let mut part = Self::assemble(self.settings, self.schema, texts, claims, self.resolution.into_inner());
        part.chunk_vectors = vectors;
        part
    }
}

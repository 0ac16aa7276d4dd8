//! The part of a knowledge that some documents say.

use super::Knowledge;
use crate::embed::{EmbedError, Vectors};
use crate::id::DocumentId;
use std::collections::BTreeSet;

impl Knowledge {
    /// What only these documents say, as if there were no others: facts that others state too keep the sources that are
    /// left. The tree is empty, for communities are of the whole. Needs the contributions, which a searcher lets go. Cost
    /// O(n log n) in the number of claims.
    ///
    /// # Errors
    /// [`EmbedError`] where the vectors are not those of the chunks.
    pub fn within(self, documents: &BTreeSet<DocumentId>) -> Result<Self, EmbedError> {
        let known: &Vectors = &self.chunk_vectors;
        let mut vectors = Vectors::new(known.dimension());
        if !known.is_empty() {
            for (position, chunk) in self.chunks.all().iter().enumerate() {
                if documents.contains(&self.document(chunk.document).id) {
                    vectors.push(known.row(position))?;
                }
            }
        }
        let kept = |id: &DocumentId| documents.contains(id);
        let (texts, claims) = self
            .documents
            .into_vec()
            .into_iter()
            .zip(self.contributions.into_vec())
            .filter(|(document, _)| kept(&document.id))
            .unzip();
        let mut part = Self::assemble(self.settings, self.schema, texts, claims, self.resolution.into_inner());
        part.chunk_vectors = vectors.into();
        Ok(part)
    }
}

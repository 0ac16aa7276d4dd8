//! What the detection knows of meaning.

use crate::error::CommunityError;
use banyan_engine::KnowledgeGraph;
use banyan_engine::embed::Vectors;

/// Vectors of the entities and of the relations of a graph, from one embedder.
///
/// A row of zeros says that nothing is known; where all rows are zeros, relations alone decide.
#[derive(Clone, Copy, Debug)]
pub struct Semantics<'a> {
    /// `(n_entities, d)`, row `i` for entity `i`.
    pub entities: &'a Vectors,
    /// `(n_relations, d)`, row `i` for relation `i` of the schema.
    pub relations: &'a Vectors,
}

impl Semantics<'_> {
    /// Checks that the vectors fit `graph` and are finite. Cost O(n·d).
    ///
    /// # Errors
    /// [`CommunityError::Rows`], [`CommunityError::Dimension`] or [`CommunityError::NotFinite`].
    pub fn validate(&self, graph: &KnowledgeGraph) -> Result<(), CommunityError> {
        let (expected, found) = (graph.entities().len(), self.entities.len());
        if expected != found {
            return Err(CommunityError::Rows {
                matrix: "entities",
                expected,
                found,
            });
        }
        let used = graph.triples().iter().map(|triple| triple.relation.index() + 1).max();
        let (expected, found) = (used.unwrap_or(0), self.relations.len());
        if found < expected {
            return Err(CommunityError::Rows {
                matrix: "relations",
                expected,
                found,
            });
        }
        let (expected, found) = (self.entities.dimension(), self.relations.dimension());
        if expected != found && !self.relations.is_empty() && !self.entities.is_empty() {
            return Err(CommunityError::Dimension { expected, found });
        }
        finite("entities", self.entities)?;
        finite("relations", self.relations)
    }
}

fn finite(matrix: &'static str, vectors: &Vectors) -> Result<(), CommunityError> {
    let bad = vectors.as_slice().iter().position(|value| !value.is_finite());
    bad.map_or(Ok(()), |position| {
        Err(CommunityError::NotFinite {
            matrix,
            row: position / vectors.dimension(),
            value: vectors.as_slice()[position].to_string(),
        })
    })
}

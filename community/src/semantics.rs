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
    /// [`CommunityError::Input`] that tells what is wrong.
    pub fn validate(&self, graph: &KnowledgeGraph) -> Result<(), CommunityError> {
        let used = graph.triples().iter().map(|triple| triple.relation.index() + 1).max();
        let rows = [
            ("entities", self.entities, graph.entities().len(), true),
            ("relations", self.relations, used.unwrap_or(0), false),
        ];
        for (matrix, vectors, expected, is_exact) in rows {
            let found = vectors.len();
            if found < expected || (is_exact && found > expected) {
                return refuse(format!("{matrix} has {found} rows; expected {expected}"));
            }
        }
        let (expected, found) = (self.entities.dimension(), self.relations.dimension());
        if expected != found && !self.relations.is_empty() && !self.entities.is_empty() {
            return refuse(format!(
                "relation vectors have {found} dimensions; entity vectors have {expected}"
            ));
        }
        for (matrix, vectors, ..) in rows {
            let values = vectors.as_slice();
            if let Some(at) = values.iter().position(|value| !value.is_finite()) {
                let (row, value) = (at / vectors.dimension(), values[at]);
                return refuse(format!("{matrix}: row {row} holds {value}; expected finite numbers"));
            }
        }
        Ok(())
    }
}

fn refuse(told: String) -> Result<(), CommunityError> {
    Err(CommunityError::Input(told))
}

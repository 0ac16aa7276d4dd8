//! Reading and growing in turns, as Eq. 3 has the schema of iteration t bound what iteration t + 1 reads.

use super::{Candidate, ExpandError, candidates, expand};
use crate::analysis::Analysis;
use banyan_engine::embed::Embedder;
use banyan_engine::schema::{Growth, SchemaMode};
use banyan_engine::{Contribution, Schema};

/// Most times that a corpus is read anew because its schema grew. What is new after the second reading are candidates
/// whose ends got a type by the first growth; arbitrary beyond that.
const MAX_READINGS: usize = 4;

/// How a schema grows.
pub struct Rule<'a> {
    /// Whether at all.
    pub mode: SchemaMode,
    /// μ, the least confidence of what is accepted, `0..=1`.
    pub mu: f32,
    /// What compares names.
    pub embedder: &'a dyn Embedder,
    /// What was suggested from outside, whatever the contributions say; in chunk order.
    pub proposed: &'a [Candidate],
}

/// A grown schema, and what the documents say under it.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The last version.
    pub schema: Schema,
    /// How it came about, and what is still proposed.
    pub growth: Growth,
    /// What each document contributes, in the ids of the last version.
    pub contributions: Vec<Contribution>,
}

/// Reads `documents` with `read`, grows the schema by what they suggest, and reads them again with the grown one, until
/// nothing is accepted or the corpus was read anew four times. A strict schema is read with once.
///
/// # Errors
/// Those of `read` and of [`expand`].
pub fn grow_and_read<E: From<ExpandError>>(
    documents: &[Analysis],
    schema: &Schema,
    growth: &Growth,
    rule: &Rule,
    read: impl Fn(&Schema) -> Result<Vec<Contribution>, E>,
) -> Result<Grown, E> {
    let mut grown = Grown {
        schema: schema.clone(),
        growth: growth.clone(),
        contributions: read(schema)?,
    };
    for _ in 0..MAX_READINGS {
        if rule.mode == SchemaMode::Strict {
            break;
        }
        let mut found = candidates(&grown.contributions, documents, &grown.schema);
        found.extend_from_slice(rule.proposed);
        let (mode, mu) = (rule.mode, rule.mu);
        let (schema, growth) = expand(&found, &grown.schema, &grown.growth, mode, mu, rule.embedder)?;
        let is_grown = schema.version() > grown.schema.version();
        (grown.schema, grown.growth) = (schema, growth);
        if !is_grown {
            break;
        }
        grown.contributions = read(&grown.schema)?;
    }
    Ok(grown)
}

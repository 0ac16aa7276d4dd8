//! Entity resolution: which keys are one thing, with a score and the evidence for it.
//!
//! 1. `profile`: what the contributions say of each key: its spellings, type, documents and facts.
//! 2. `statement`: where a text says that two names are one ("X (Y)", "X, also known as Y").
//! 3. `block`: pairs that share something rare: a normal form, a surname and an initial, an acronym. Never all pairs.
//! 4. `judge`: what speaks for a pair, as a score; `forbid`: what makes it two things whatever speaks for it;
//!    `ambiguity`: short names that may as well stand for something else.
//! 5. `cluster`: the best pairs first, as long as every name of a cluster holds with its centre and contradicts none.
//! 6. `decide`: the user's decisions, in their order, above all evidence but a contradiction of types.
//!
//! A wrong union costs more than a missed one: it mixes the facts of two things, while a missed one leaves two halves.
//! What differs in a number, an ordinal or a generation is never joined, nor are the subjects of two documents unless a
//! text says that they are one.

use banyan_engine::resolution::ResolutionError;
use banyan_engine::{Contribution, Decision, Document, Resolution, Schema};

mod ambiguity;
mod block;
mod cluster;
mod decide;
mod forbid;
mod form;
mod judge;
mod likeness;
mod number;
mod profile;
mod statement;
#[cfg(test)]
mod tests;

pub use decide::{Held, Objection};

/// What [`resolve`] finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// Joins and decisions.
    pub resolution: Resolution,
    /// Decisions without effect, by their place in the list, and why.
    pub held: Vec<Held>,
}

/// Finds out which keys of `contributions` are one entity. `documents` run in parallel to `contributions`; `decisions`
/// are the user's, the earliest first, and may name keys that are not there.
///
/// Deterministic, also in the number of threads. Cost O(n log n) in the number of claims, plus the size of blocks,
/// which is bounded. Nothing contributed joins nothing.
///
/// # Errors
/// [`ResolutionError`] when the joins are no forest, which would be a defect of this module.
pub fn resolve(
    documents: &[Document],
    contributions: &[Contribution],
    schema: &Schema,
    decisions: &[Decision],
) -> Result<Resolved, ResolutionError> {
    let profiles = profile::profiles(documents, contributions, schema);
    let statements = statement::statements(documents, contributions, &profiles);
    let pairs = block::pairs(&profiles, &statements);
    let judge = judge::Judge::new(&profiles, schema, &statements);
    let edges = judge.edges(&pairs);
    let (clusters, held) = decide::replay(&judge, &edges, decisions);
    let merges = clusters.merges(&profiles, &edges);
    Ok(Resolved {
        resolution: Resolution::new(merges, decisions.to_vec())?,
        held,
    })
}

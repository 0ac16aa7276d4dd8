//! Growing a schema by what texts suggest, as far as the evidence carries (Eq. 3, Youtu-GraphRAG).
//!
//! Candidates come from any extractor, in chunk order. Those that mean the same are joined and measured (see
//! [`mod@confidence`]); in rounds, those at or above μ become elements of the next version of the schema, until a round
//! accepts nothing. All others stay open proposals with their numbers.
//!
//! # Differs from the paper
//! Eq. 3 compares `𝕀[f_LLM(d, S) ⊙ S]` with μ and leaves the measure to a model. Here it is a formula over counts and
//! distances, so that equal evidence always gives equal growth.

use banyan_engine::embed::{EmbedError, Embedder};
use banyan_engine::schema::{
    AcceptedBy, AttributeType, Element, ElementKind, EntityType, Growth, Proposal, RelationType, SchemaError,
    SchemaMode, SchemaVersion, ValueKind,
};
use banyan_engine::{DocumentId, Schema, Span};
use rayon::prelude::*;
use std::collections::BTreeSet;

mod attribute;
pub mod confidence;
mod cycle;
mod embedded;
mod group;
mod known;
mod normal;
mod relation;
mod stated;
#[cfg(test)]
mod tests;

pub use cycle::{Grown, Rule, grow_and_read};
pub use embedded::candidates;
pub use stated::proposed;

use confidence::{ALIAS_DISTANCE, confidence};
use group::{Group, group};
use known::Known;

/// One place that suggests a new element.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What is suggested, in the extractor's words. Its parent, domain and range may name types of the schema or of other
    /// candidates.
    pub element: Element,
    /// The document that suggests it.
    pub document: DocumentId,
    /// Where.
    pub span: Span,
    /// The type of the relation's head here, or of the attribute's entity, or what else the entity is that is said to be
    /// of the new type; by name, `None` where it is not known.
    pub head_type: Option<String>,
    /// The type of the relation's tail here.
    pub tail_type: Option<String>,
    /// The kind of the attribute's value here.
    pub value_kind: Option<ValueKind>,
}

impl Candidate {
    /// One of whose ends nothing is known.
    fn new(element: Element, document: DocumentId, span: Span) -> Self {
        Self {
            element,
            document,
            span,
            head_type: None,
            tail_type: None,
            value_kind: None,
        }
    }
}

/// An element of which nothing but the name is said.
fn named(kind: ElementKind, name: String) -> Element {
    match kind {
        ElementKind::EntityType => Element::EntityType(EntityType {
            name,
            ..EntityType::default()
        }),
        ElementKind::Relation => Element::Relation(RelationType {
            name,
            ..RelationType::default()
        }),
        ElementKind::Attribute => Element::Attribute(AttributeType {
            name,
            ..AttributeType::default()
        }),
    }
}

/// Why a schema cannot be expanded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// μ is no share.
    #[error("mu is {found}; expected a number from 0 to 1")]
    Mu {
        /// Its value.
        found: f32,
    },
    /// Names cannot be compared.
    #[error("cannot embed the names of schema elements")]
    Embed(#[from] EmbedError),
    /// What would come out is no schema, for want of ids.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// The schema after growth, and the growth.
///
/// `candidates` stand in chunk order; their order decides nothing but which of two near-equal candidates of one round
/// comes first. `growth` is what happened before: its versions are kept, its open proposals are measured anew from
/// `candidates`, its rejected names are not proposed. In [`SchemaMode::Strict`] nothing happens; in
/// [`SchemaMode::Open`] everything well-formed is accepted, whatever its confidence, in one version that says so.
///
/// A name is compared with those of the schema by `embedder`: what is close to an existing element is proposed as a
/// phrase for it and never accepted by confidence. A relation or attribute waits for the types that it refers to.
///
/// Cost O(candidates · log) and, in each round, O(open · elements · d); the same for any number of threads. No
/// candidates leave the schema as it is and nothing open.
///
/// # Errors
/// [`ExpandError`] when μ is no share, `embedder` fails or the schema has no ids left.
pub fn expand(
    candidates: &[Candidate],
    schema: &Schema,
    growth: &Growth,
    mode: SchemaMode,
    mu: f32,
    embedder: &dyn Embedder,
) -> Result<(Schema, Growth), ExpandError> {
    if !(0.0..=1.0).contains(&mu) {
        return Err(ExpandError::Mu { found: mu });
    }
    if mode == SchemaMode::Strict {
        return Ok((schema.clone(), growth.clone()));
    }
    let (mut schema, mut growth) = (schema.clone(), growth.clone());
    let form = |(kind, name): &(ElementKind, String)| (*kind, normal::normal(*kind, name));
    let unwanted: BTreeSet<(ElementKind, String)> = growth.rejected.iter().map(form).collect();
    let mut pending = group(candidates);
    pending.retain(|group| !unwanted.contains(&(group.kind, group.normal.clone())));
    let mut known = Known::new(&schema, &mut pending, embedder)?;
    let is_open = mode == SchemaMode::Open;
    loop {
        let measured: Vec<Proposal> = pending.par_iter().map(|group| measure(group, &known)).collect();
        let chosen = choose(&measured, &pending, &known, is_open, mu);
        if chosen.is_empty() {
            growth.open = ranked(measured);
            return Ok((schema, growth));
        }
        let version = accept(
            &mut schema,
            chosen.iter().map(|at| measured[*at].clone()).collect(),
            is_open,
        )?;
        growth.versions.push(version);
        known.add(chosen.iter().map(|at| &pending[*at]));
        let chosen: BTreeSet<usize> = chosen.into_iter().collect();
        let rest = pending.into_iter().enumerate().filter(|(at, _)| !chosen.contains(at));
        pending = rest.map(|(_, group)| group).filter(|group| !known.has(group)).collect();
    }
}

fn ranked(mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by(|a, b| {
        let by_confidence = b.confidence.total_cmp(&a.confidence);
        by_confidence.then_with(|| a.id().cmp(&b.id()))
    });
    proposals
}

/// Grows the schema by one version.
fn accept(schema: &mut Schema, mut accepted: Vec<Proposal>, is_open: bool) -> Result<SchemaVersion, ExpandError> {
    for proposal in &mut accepted {
        // Only an open schema chooses what nearly equals an element; there it is one of its own.
        proposal.alias_of = None;
    }
    accepted.sort_by_key(|proposal| proposal.element.kind());
    *schema = schema.grow_by(&accepted)?;
    Ok(SchemaVersion {
        number: schema.version(),
        by: if is_open {
            AcceptedBy::OpenMode
        } else {
            AcceptedBy::Confidence
        },
        accepted,
        withdrawn: Vec::new(),
    })
}

/// A group as a proposal, with its numbers against what is known now.
fn measure(group: &Group, known: &Known) -> Proposal {
    let (distance, nearest) = known.nearest(group);
    let consistency = group.consistency();
    let n_documents = group.n_documents();
    Proposal {
        element: group.element(|name| known.has_type(name)),
        alias_of: nearest.filter(|_| distance <= ALIAS_DISTANCE),
        confidence: confidence(n_documents, consistency, distance),
        n_documents,
        consistency,
        distance,
        evidence: group.evidence.clone(),
    }
}

/// Positions of what this round accepts, merged in chunk order: of two that nearly equal each other the first, and
/// nothing whose types are neither known nor accepted with it.
fn choose(measured: &[Proposal], pending: &[Group], known: &Known, is_open: bool, mu: f32) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let comes = |chosen: &[usize], name: &str| {
        let of_type = |at: &usize| measured[*at].id() == (ElementKind::EntityType, name);
        chosen.iter().any(of_type)
    };
    for kind in ElementKind::ALL {
        let of_kind = (0..measured.len()).filter(|at| pending[*at].kind == kind);
        // A type may name one that stands after it as its parent; each pass settles at least one, or is the last.
        let mut waiting: Vec<usize> = of_kind.collect();
        loop {
            let n_before = chosen.len();
            waiting.retain(|&at| {
                let (proposal, group) = (&measured[at], &pending[at]);
                let fits = proposal
                    .element
                    .references()
                    .iter()
                    .all(|name| known.has_type(name) || comes(&chosen, name));
                let is_wanted = is_open || (proposal.alias_of.is_none() && proposal.confidence >= mu);
                let repeats = |other: &usize| known::distance(group, &pending[*other]) <= ALIAS_DISTANCE;
                let is_new = is_open || !chosen.iter().any(repeats);
                if fits && is_wanted && is_new {
                    chosen.push(at);
                }
                !fits
            });
            if chosen.len() == n_before {
                break;
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

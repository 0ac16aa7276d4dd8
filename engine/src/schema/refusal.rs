//! What a schema did not admit, by reason, so that nothing is lost without a trace.

use super::element::{ElementKind, ValueKind};
use crate::document::Span;
use crate::fact::UnboundClaim;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a statement is not part of the graph (Eq. 2, Youtu-GraphRAG).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalReason {
    /// The schema has no such entity type.
    UnknownType {
        /// The name that was stated.
        name: String,
    },
    /// The schema has no such relation.
    UnknownRelation {
        /// The name that was stated.
        name: String,
    },
    /// The schema has no such attribute.
    UnknownAttribute {
        /// The name that was stated.
        name: String,
    },
    /// The head is of a type that the relation does not admit there.
    Domain {
        /// The relation.
        relation: String,
        /// The head's type.
        found: String,
    },
    /// The tail is of a type that the relation does not admit there.
    Range {
        /// The relation.
        relation: String,
        /// The tail's type.
        found: String,
    },
    /// The entity is of a type that the attribute is not said of.
    AttributeDomain {
        /// The attribute.
        attribute: String,
        /// The entity's type.
        found: String,
    },
    /// The value is none of the attribute's kind.
    ValueKind {
        /// The attribute.
        attribute: String,
        /// The kind that it takes.
        expected: ValueKind,
    },
    /// Somebody decided that it does not hold.
    Denied {
        /// The relation or attribute.
        relation: String,
    },
    /// Both ends turned out to be one thing.
    OneThing {
        /// The relation.
        relation: String,
    },
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType { name } => write!(f, "no entity type `{name}`"),
            Self::UnknownRelation { name } => write!(f, "no relation `{name}`"),
            Self::UnknownAttribute { name } => write!(f, "no attribute `{name}`"),
            Self::Domain { relation, found } => write!(f, "head of `{relation}` cannot be {found}"),
            Self::Range { relation, found } => write!(f, "tail of `{relation}` cannot be {found}"),
            Self::AttributeDomain { attribute, found } => write!(f, "`{attribute}` cannot be said of {found}"),
            Self::ValueKind { attribute, expected } => write!(f, "value of `{attribute}` is no {expected}"),
            Self::Denied { relation } => write!(f, "`{relation}` was decided not to hold"),
            Self::OneThing { relation } => write!(f, "both ends of `{relation}` are one thing"),
        }
    }
}

/// One statement of a document that the schema does not admit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refusal {
    /// Why.
    pub reason: RefusalReason,
    /// The statement in words.
    pub fact: String,
    /// Where it stands.
    pub span: Span,
}

impl Refusal {
    /// The refusal of a claim whose words the schema does not know.
    pub(crate) fn of(claim: &UnboundClaim) -> Self {
        let name = claim.word.clone();
        let reason = match claim.kind {
            ElementKind::EntityType => RefusalReason::UnknownType { name },
            ElementKind::Relation => RefusalReason::UnknownRelation { name },
            ElementKind::Attribute => RefusalReason::UnknownAttribute { name },
        };
        Self {
            reason,
            fact: format!("{} · {} · {}", claim.subject, claim.word, claim.object),
            span: claim.span,
        }
    }
}

/// Statements refused for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// How many.
    pub n: usize,
    /// The first of them in words.
    pub fact: String,
    /// The document that states it.
    pub document: DocumentId,
    /// Where in its text.
    pub span: Span,
}

/// Everything that was refused, counted by reason, with the first example of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals(BTreeMap<RefusalReason, Refused>);

impl Refusals {
    /// Counts one statement; the first of a reason is its example.
    pub fn add(&mut self, document: DocumentId, refusal: Refusal) {
        let first = Refused {
            n: 0,
            fact: refusal.fact,
            document,
            span: refusal.span,
        };
        self.0.entry(refusal.reason).or_insert(first).n += 1;
    }

    /// The same with no example from these documents.
    #[must_use]
    pub(crate) fn without(&self, documents: &BTreeSet<DocumentId>) -> Self {
        let mut left = self.clone();
        let examples = left.0.values_mut();
        for example in examples.filter(|example| documents.contains(&example.document)) {
            "(in a document that was removed)".clone_into(&mut example.fact);
            example.span = Span::default();
        }
        left
    }

    /// Statements refused for any reason.
    pub fn n(&self) -> usize {
        self.0.values().map(|refused| refused.n).sum()
    }

    /// Every reason with what was refused for it, in the order of the reasons.
    pub fn iter(&self) -> impl Iterator<Item = (&RefusalReason, &Refused)> {
        self.0.iter()
    }
}

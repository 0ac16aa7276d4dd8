//! Which names are one entity: every join with its score and evidence, and what the user decided about them.
//!
//! A resolution is derived from the contributions and the decisions, never part of a contribution: so a document that
//! goes takes the joins with it that only its words supported.

use crate::document::Span;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// Why two names are held to be one entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Evidence {
    /// A text says so: "X (Y)", "X, also known as Y".
    Alias {
        /// The document.
        document: DocumentId,
        /// The words that say so, both names included.
        span: Span,
    },
    /// One is the initials of the other, or has initials where the other has words.
    Initials,
    /// They differ in a title of honour ("Dr.") or a legal form ("Inc.") only.
    Title,
    /// One is part of the other, and rare.
    Containment,
    /// They are one name in two spellings.
    Spelling,
    /// An embedder finds them alike.
    Embedding {
        /// Cosine of their vectors, -1..=1.
        cosine: f32,
    },
    /// The texts show the same type of both.
    Type,
    /// They have company in common.
    Context {
        /// Documents that name both, and facts that are stated of both.
        n_shared: u32,
    },
    /// The user decided so.
    Decision,
}

impl Evidence {
    /// One word for it, as logs and dumps print it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Alias { .. } => "alias",
            Self::Initials => "initials",
            Self::Title => "title",
            Self::Containment => "containment",
            Self::Spelling => "spelling",
            Self::Embedding { .. } => "embedding",
            Self::Type => "type",
            Self::Context { .. } => "context",
            Self::Decision => "decision",
        }
    }
}

/// One join: the entity of one key is the entity of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merge {
    /// The key that is no entity of its own any more.
    pub from: String,
    /// The key it is joined to, which may itself be joined to another.
    pub into: String,
    /// How sure it is, 0..=1; 1 for the user's decisions.
    pub score: f32,
    /// Why: what texts and names say first, then what supports it; at least one.
    pub evidence: Vec<Evidence>,
}

/// What somebody holds against what was read; it counts whatever documents say, and outlives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// A fact does not hold.
    Deny {
        /// Whose fact.
        head: String,
        /// The relation or attribute, by name.
        relation: String,
        /// The other entity's key, or the value.
        tail: String,
    },
    /// An entity has another name.
    Rename {
        /// Which.
        entity: String,
        /// The name.
        name: String,
    },
    /// An entity is of another type.
    Retype {
        /// Which.
        entity: String,
        /// The type's name.
        kind: String,
    },
    /// Something is no entity.
    Delete {
        /// What.
        entity: String,
    },
}

impl Correction {
    /// Whose it is.
    pub fn entity(&self) -> &str {
        match self {
            Self::Deny { head: entity, .. }
            | Self::Rename { entity, .. }
            | Self::Retype { entity, .. }
            | Self::Delete { entity } => entity,
        }
    }
}

impl Display for Correction {
    /// As it was typed: `deny "a" r "b"`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deny { head, relation, tail } => write!(f, "deny {head:?} {relation} {tail:?}"),
            Self::Rename { entity, name } => write!(f, "rename {entity:?} {name:?}"),
            Self::Retype { entity, kind } => write!(f, "retype {entity:?} {kind}"),
            Self::Delete { entity } => write!(f, "delete {entity:?}"),
        }
    }
}

/// What the user decided, which no evidence outweighs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// They are one entity.
    Merge {
        /// A key.
        a: String,
        /// Another key.
        b: String,
    },
    /// They are two: `b` leaves whatever `a` is joined with.
    Split {
        /// The key that stays.
        a: String,
        /// The key that leaves.
        b: String,
    },
    /// What was read is wrong.
    Correct {
        /// How.
        what: Correction,
        /// Who says so; may be empty.
        author: String,
        /// Why; may be empty.
        note: String,
    },
}

impl Display for Decision {
    /// As it was typed: `merge "a" "b"`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Merge { a, b } => write!(f, "merge {a:?} {b:?}"),
            Self::Split { a, b } => write!(f, "split {a:?} {b:?}"),
            Self::Correct { what, .. } => what.fmt(f),
        }
    }
}

/// Why merges do not make a resolution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolutionError {
    /// A key is joined to two others.
    #[error("`{key}` is joined twice; expected one merge a key")]
    Twice {
        /// The key.
        key: String,
    },
    /// Merges lead back to where they start.
    #[error("the merges of `{key}` lead back to it; expected an end")]
    Circle {
        /// A key on the circle.
        key: String,
    },
}

/// All joins of one corpus and the decisions they respect.
///
/// # Invariants
/// 1. `merges` is sorted by `from`, and no key is the `from` of two.
/// 2. Following merges ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Resolution {
    merges: Vec<Merge>,
    decisions: Vec<Decision>,
}

impl Resolution {
    /// The same without merges of keys that nobody has any more, and without evidence in documents that are gone.
    #[must_use]
    pub(crate) fn without(&self, keys: &BTreeSet<String>, gone: &BTreeSet<DocumentId>) -> Self {
        let is_left = |merge: &Merge| !keys.contains(&merge.from) && !keys.contains(&merge.into);
        let is_gone = |one: &Evidence| matches!(one, Evidence::Alias { document, .. } if gone.contains(document));
        let mut left = self.clone();
        left.merges.retain(is_left);
        for merge in &mut left.merges {
            merge.evidence.retain(|one| !is_gone(one));
        }
        left
    }

    /// The resolution of these merges, in any order, and decisions, in the order in which they were made.
    /// Cost O(n log n). Nothing of both joins nothing.
    ///
    /// # Errors
    /// [`ResolutionError`] when a key is joined twice or merges form a circle.
    pub fn new(mut merges: Vec<Merge>, decisions: Vec<Decision>) -> Result<Self, ResolutionError> {
        merges.sort_by(|a, b| a.from.cmp(&b.from));
        if let Some(pair) = merges.windows(2).find(|pair| pair[0].from == pair[1].from) {
            return Err(ResolutionError::Twice {
                key: pair[0].from.clone(),
            });
        }
        let resolution = Self { merges, decisions };
        resolution.refuse_circles()?;
        Ok(resolution)
    }

    /// The key of the entity that `key` belongs to; `key` itself where it is joined to none. Cost O(log n) a step.
    pub fn canonical<'a>(&'a self, key: &'a str) -> &'a str {
        let mut current = key;
        while let Some(merge) = self.merge_of(current) {
            current = &merge.into;
        }
        current
    }

    /// All joins, by `from`.
    pub fn merges(&self) -> &[Merge] {
        &self.merges
    }

    /// What the user decided, the earliest first.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Every key of the entity that `key` belongs to, sorted, `key` included. Cost O(n log n).
    pub fn cluster<'a>(&'a self, key: &'a str) -> Vec<&'a str> {
        let root = self.canonical(key);
        let keys = self.merges.iter().map(|merge| merge.from.as_str());
        let mut cluster: Vec<&str> = keys.filter(|other| self.canonical(other) == root).collect();
        cluster.push(root);
        cluster.sort_unstable();
        cluster
    }

    fn merge_of(&self, key: &str) -> Option<&Merge> {
        let at = self.merges.binary_search_by(|merge| merge.from.as_str().cmp(key));
        at.ok().and_then(|at| self.merges.get(at))
    }

    /// Keys that are known to lead to an end are not followed again.
    fn refuse_circles(&self) -> Result<(), ResolutionError> {
        let mut ends = BTreeSet::new();
        for start in &self.merges {
            let mut path = BTreeSet::new();
            let mut key = start.from.as_str();
            while let Some(merge) = self.merge_of(key).filter(|_| !ends.contains(key)) {
                if !path.insert(key) {
                    return Err(ResolutionError::Circle { key: key.to_owned() });
                }
                key = &merge.into;
            }
            ends.append(&mut path);
        }
        Ok(())
    }
}

/// A resolution as it is stored, before it is checked.
#[derive(Serialize, Deserialize)]
struct Parts {
    merges: Vec<Merge>,
    decisions: Vec<Decision>,
}

impl TryFrom<Parts> for Resolution {
    type Error = ResolutionError;

    fn try_from(parts: Parts) -> Result<Self, Self::Error> {
        Self::new(parts.merges, parts.decisions)
    }
}

impl From<Resolution> for Parts {
    fn from(resolution: Resolution) -> Self {
        Self {
            merges: resolution.merges,
            decisions: resolution.decisions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(from: &str, into: &str) -> Merge {
        Merge {
            from: from.to_owned(),
            into: into.to_owned(),
            score: 0.9,
            evidence: vec![Evidence::Spelling],
        }
    }

    #[test]
    fn every_key_of_a_cluster_has_the_same_canonical_one() {
        let merges = vec![merge("c", "b"), merge("b", "a"), merge("d", "a")];
        let resolution = Resolution::new(merges, Vec::new()).unwrap();
        for key in ["a", "b", "c", "d"] {
            assert_eq!(resolution.canonical(key), "a");
            assert_eq!(resolution.cluster(key), ["a", "b", "c", "d"]);
        }
        assert_eq!(resolution.canonical("e"), "e");
        assert_eq!(resolution.cluster("e"), ["e"]);
        assert_eq!(Resolution::default().canonical("a"), "a");
    }

    #[test]
    fn circles_and_keys_joined_twice_are_refused() {
        let circle = vec![merge("d", "a"), merge("a", "b"), merge("b", "c"), merge("c", "a")];
        assert!(matches!(
            Resolution::new(circle, Vec::new()),
            Err(ResolutionError::Circle { .. })
        ));
        let twice = vec![merge("a", "b"), merge("a", "c")];
        let error = Resolution::new(twice, Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "`a` is joined twice; expected one merge a key");
        let own = vec![merge("a", "a")];
        assert!(Resolution::new(own, Vec::new()).is_err());
    }
}

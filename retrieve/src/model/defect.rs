//! What was wrong with the replies of a model, counted.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Why a part of a reply is of no use, or was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Defect {
    /// The reply holds no object of the form that was asked for.
    Unreadable,
    /// It was not written as JSON, but it is clear what is meant.
    Repaired,
    /// It breaks off; what is complete counts.
    Cut,
    /// A part without the text or number that it needs.
    Empty,
    /// A text is longer than asked for.
    TooLong,
    /// More parts than asked for.
    TooMany,
    /// The same for the second time.
    Repeated,
    /// A type that the schema does not have.
    UnknownType,
    /// A relation that the schema does not have.
    UnknownRelation,
    /// A level that is none of node, triple and community.
    UnknownLevel,
    /// `#k` where k is no earlier sub-question.
    Reference,
    /// A number that no sub-question has.
    UnknownStep,
    /// A number that no passage shown has.
    UnknownPassage,
    /// A quote that does not stand in the passage.
    NotVerbatim,
}

impl Defect {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "reply without the object asked for",
            Self::Repaired => "reply repaired",
            Self::Cut => "reply breaks off",
            Self::Empty => "part without a text",
            Self::TooLong => "text longer than asked for",
            Self::TooMany => "more parts than asked for",
            Self::Repeated => "the same twice",
            Self::UnknownType => "type that the schema does not have",
            Self::UnknownRelation => "relation that the schema does not have",
            Self::UnknownLevel => "unknown level",
            Self::Reference => "reference to no earlier sub-question",
            Self::UnknownStep => "about no sub-question",
            Self::UnknownPassage => "about no passage shown",
            Self::NotVerbatim => "quote that stands in no passage",
        }
    }
}

/// How often each defect was met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Defects(BTreeMap<Defect, usize>);

impl Defects {
    /// Counts one.
    pub fn note(&mut self, defect: Defect) {
        self.note_many(defect, 1);
    }

    /// Counts several; none leaves no trace.
    pub fn note_many(&mut self, defect: Defect, n: usize) {
        if n > 0 {
            *self.0.entry(defect).or_default() += n;
        }
    }

    /// Counts all of `other`, too.
    pub fn add(&mut self, other: &Self) {
        other.0.iter().for_each(|(defect, n)| self.note_many(*defect, *n));
    }

    /// How often this one was met.
    pub fn count(&self, defect: Defect) -> usize {
        self.0.get(&defect).copied().unwrap_or_default()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Display for Defects {
    /// "2 × quote that stands in no passage, 1 × reply repaired"; nothing for none.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, (defect, n)) in self.0.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{n} × {}", defect.as_str())?;
        }
        Ok(())
    }
}

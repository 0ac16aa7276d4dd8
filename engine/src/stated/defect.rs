//! What was wrong in what an extractor said: a closed list of kinds, so that they can be counted.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Longest detail of a defect in characters; arbitrary, a line of a terminal.
const MAX_DETAIL_CHARS: usize = 120;

/// What was wrong. The kinds are closed: whoever meets something new adds one here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DefectKind {
    /// Nothing in the reply can be read as JSON of any known shape.
    NotJson,
    /// The JSON was written wrongly and was repaired; the detail says how and how often.
    Syntax,
    /// The reply ends in the middle; what was open was dropped.
    Truncated,
    /// Something has a shape that says nothing here, such as a list of two for a triple.
    WrongShape,
    /// A number, a truth value or a nested object stood where text belongs; it was taken as text.
    WrongType,
    /// A part of a statement is missing.
    MissingField,
    /// A name or value without a letter or digit.
    EmptyName,
    /// A name or value that is too long to be one, or a reply that is too long to be read whole.
    TooLong,
    /// More statements than one reply can hold.
    TooMany,
    /// Nested deeper than any reply should be; what lies deeper was dropped.
    TooDeep,
    /// Head and tail are the same thing.
    SelfLoop,
    /// A name or value that the passage does not contain.
    NotInText,
    /// Said before in the same reply.
    Duplicate,
    /// A proposal for something that a schema does not have.
    UnknownKind,
    /// A statement about a passage that was not asked about.
    UnknownPassage,
    /// A proposal for the schema that no statement of the reply makes use of.
    Unused,
    /// A call that was to tell gave no reply.
    Unanswered,
    /// Something that there is not is referred to: an element of the schema, a column, a step, a line.
    UnknownReference,
    /// A date, a number or a clause stood where a thing belongs.
    NoThing,
}

impl DefectKind {
    /// The kind as people read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not JSON",
            Self::Syntax => "repaired syntax",
            Self::Truncated => "cut off",
            Self::WrongShape => "wrong shape",
            Self::WrongType => "wrong type",
            Self::MissingField => "missing field",
            Self::EmptyName => "empty name",
            Self::TooLong => "too long",
            Self::TooMany => "too many",
            Self::TooDeep => "too deep",
            Self::SelfLoop => "head is tail",
            Self::NotInText => "not in the text",
            Self::Duplicate => "said twice",
            Self::UnknownKind => "unknown kind",
            Self::UnknownPassage => "unknown passage",
            Self::Unused => "proposed but not used",
            Self::Unanswered => "no answer",
            Self::UnknownReference => "about nothing that there is",
            Self::NoThing => "a value as a thing",
        }
    }
}

impl fmt::Display for DefectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that was wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Defect {
    /// What kind of thing.
    pub kind: DefectKind,
    /// What it concerned, in at most 120 characters on one line.
    pub detail: String,
}

impl Defect {
    /// A defect; control characters in `detail` become spaces and the rest is cut. Cost O(1).
    pub fn new(kind: DefectKind, detail: impl AsRef<str>) -> Self {
        let one_line = |ch: char| if ch.is_control() { ' ' } else { ch };
        let detail = detail.as_ref().chars().take(MAX_DETAIL_CHARS).map(one_line).collect();
        Self { kind, detail }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() {
            return self.kind.fmt(f);
        }
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// How many defects of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefectCounts(BTreeMap<DefectKind, u64>);

impl DefectCounts {
    /// Counts these too.
    pub fn add<'a>(&mut self, defects: impl IntoIterator<Item = &'a Defect>) {
        for defect in defects {
            self.note(defect.kind, 1);
        }
    }

    /// Counts so many of a kind; none leave no trace.
    pub fn note(&mut self, kind: DefectKind, n: usize) {
        if n > 0 {
            *self.0.entry(kind).or_default() += n as u64;
        }
    }

    /// Counts all of `other`, too.
    pub fn merge(&mut self, other: &Self) {
        other
            .0
            .iter()
            .for_each(|(kind, n)| *self.0.entry(*kind).or_default() += n);
    }

    /// How many of this kind.
    pub fn of(&self, kind: DefectKind) -> u64 {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// Kinds that were seen, in the order of declaration, with how often.
    pub fn iter(&self) -> impl Iterator<Item = (DefectKind, u64)> {
        self.0.iter().map(|(kind, n)| (*kind, *n))
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for DefectCounts {
    /// "2 × not in the text, 1 × repaired syntax"; nothing for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (kind, n)) in self.0.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{n} × {kind}")?;
        }
        Ok(())
    }
}

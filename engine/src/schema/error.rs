//! What can be wrong with a schema, told so that its author can mend it.

use super::element::{ElementKind, ValueKind};
use super::node::{Format, Place};
use std::fmt;

/// Why a schema cannot be used, and where in which file, as far as that is known.
#[derive(Debug, thiserror::Error)]
pub struct SchemaError {
    file: Option<String>,
    place: Option<Place>,
    fault: Box<SchemaFault>,
}

impl SchemaError {
    pub(super) fn new(fault: SchemaFault, place: Option<Place>) -> Self {
        Self {
            file: None,
            place,
            fault: Box::new(fault),
        }
    }

    /// The error with the name of the file that it is about, which then opens the message.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }

    /// What is wrong.
    pub fn fault(&self) -> &SchemaFault {
        &self.fault
    }

    /// Where it is wrong; `None` for a schema that was not read from a text, and for imported formats.
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}

impl fmt::Display for SchemaError {
    /// One line: `FILE:LINE:COLUMN: what is wrong`, with the parts that are known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.place) {
            (Some(file), Some(place)) => write!(f, "{file}:{}:{}: ", place.line, place.column)?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some(place)) => write!(f, "line {}, column {}: ", place.line, place.column)?,
            (None, None) => {}
        }
        write!(f, "{}", self.fault)
    }
}

impl From<SchemaFault> for SchemaError {
    fn from(fault: SchemaFault) -> Self {
        Self::new(fault, None)
    }
}

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFault {
    /// The text is not of the language it is read as.
    #[error("not a schema in {format}: {message}")]
    Syntax {
        /// The language.
        format: Format,
        /// What its parser says.
        message: String,
    },
    /// The text has another shape: an unknown key, a value of the wrong type, a key that is missing.
    #[error("not a schema: {message}")]
    Shape {
        /// What was expected and found.
        message: String,
    },
    /// Nothing is defined.
    #[error(
        "the schema is empty and would admit no fact; add at least one entry to `entity_types`, `relations` or `attributes`"
    )]
    Empty,
    /// A name has neither letter nor digit.
    #[error("{kind} `{found}` has no name; expected one with letters or digits")]
    NoName {
        /// What is named.
        kind: ElementKind,
        /// The name as written.
        found: String,
    },
    /// Two definitions share a name.
    #[error(
        "{kind} `{name}` is defined twice; expected unique names{}",
        spellings(name, first, second)
    )]
    Repeated {
        /// What is named.
        kind: ElementKind,
        /// The name in its normal form.
        name: String,
        /// How the first definition spells it.
        first: String,
        /// How the second one does.
        second: String,
    },
    /// A definition refers to something that does not exist.
    #[error("{owner_kind} `{owner}`: its {field} names `{name}`, which the schema does not define")]
    Unknown {
        /// What refers.
        owner_kind: ElementKind,
        /// Its name.
        owner: String,
        /// Its field.
        field: &'static str,
        /// The name it uses.
        name: String,
    },
    /// More definitions than ids.
    #[error("the schema has {found} definitions of one kind ({kind}); at most {max} fit")]
    TooMany {
        /// Which kind.
        kind: ElementKind,
        /// How many there are.
        found: usize,
        /// How many fit.
        max: usize,
    },
    /// A type is its own ancestor.
    #[error("the parents of entity types form a cycle ({}); expected a type without a parent at the end", .cycle.join(" → "))]
    Cycle {
        /// The types of the cycle; the last is the first again.
        cycle: Vec<String>,
    },
    /// A relation's inverse has another inverse.
    #[error("relation `{relation}` names `{inverse}` as its inverse, but the inverse of `{inverse}` is `{found}`")]
    OtherInverse {
        /// The relation.
        relation: String,
        /// Its inverse.
        inverse: String,
        /// The inverse of its inverse.
        found: String,
    },
    /// A relation and its inverse cannot hold between the same two things.
    #[error(
        "relation `{relation}` names `{inverse}` as its inverse, but no type is in both the {side} of `{relation}` ({}) and the {other_side} of `{inverse}` ({})",
        .types.join(", "), .other_types.join(", ")
    )]
    InverseTypes {
        /// The relation.
        relation: String,
        /// Its inverse.
        inverse: String,
        /// `domain` or `range`.
        side: &'static str,
        /// The types there.
        types: Vec<String>,
        /// The side of the inverse that must agree with it.
        other_side: &'static str,
        /// The types there.
        other_types: Vec<String>,
    },
    /// An enum without its words.
    #[error("attribute `{attribute}` has kind enum and no values; list the words it takes in `values`")]
    NoValues {
        /// The attribute.
        attribute: String,
    },
    /// Words or a unit for a kind that has none.
    #[error("attribute `{attribute}` has kind {kind} and `{field}`, which only kind {expected} takes")]
    NotForKind {
        /// The attribute.
        attribute: String,
        /// Its kind.
        kind: ValueKind,
        /// The field that does not fit.
        field: &'static str,
        /// The kind that has it.
        expected: ValueKind,
    },
}

fn spellings(name: &str, first: &str, second: &str) -> String {
    if first == name && second == name {
        String::new()
    } else {
        format!(", and `{first}` and `{second}` are one")
    }
}

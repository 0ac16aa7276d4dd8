//! A relation as the reader needs it.

/// A relation that statements may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// Its label, as the schema spells it: `birthPlace`, `place_of_birth` or `place of birth`.
    pub label: String,
    /// Names of the types that its object may have; empty admits any.
    pub range: Vec<String>,
    /// Whether its dates are written `dd Month yyyy`, a bare year as the first of January of that year.
    pub is_dated: bool,
}

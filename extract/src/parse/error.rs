//! What can be wrong with a model's files.

use std::fmt::Display;

/// Why a model could not be loaded: which of its files is broken or of another architecture. Parsing itself cannot fail.
#[derive(Debug, thiserror::Error)]
#[error("{file}: expected {expected}, found {found}")]
pub struct ParseError {
    /// As named in the package.
    file: &'static str,
    expected: String,
    found: String,
}

impl ParseError {
    pub(crate) fn new(file: &'static str, expected: impl Into<String>, found: impl Display) -> Self {
        Self {
            file,
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}

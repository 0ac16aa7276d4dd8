//! What can be wrong with a model's files.

use thiserror::Error;

/// Why a model could not be loaded. Parsing itself cannot fail.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes are not well-formed msgpack.
    #[error("{file}: broken msgpack at byte {at}: expected {expected}")]
    Msgpack {
        /// The model file, as named in the package.
        file: &'static str,
        /// Offset of the offending byte.
        at: usize,
        /// What should have been there.
        expected: &'static str,
    },
    /// The bytes are not the JSON that was expected.
    #[error("{file}: not the JSON that was expected")]
    Json {
        /// The model file, as named in the package.
        file: &'static str,
        /// What the JSON reader says.
        source: serde_json::Error,
    },
    /// A part that the architecture needs is missing or of another form.
    #[error("{file}: expected {expected}, found {found}")]
    Content {
        /// The model file, as named in the package.
        file: &'static str,
        /// What was expected.
        expected: String,
        /// What was there instead.
        found: String,
    },
    /// A tokenizer pattern uses something beyond the forms that the runtime translates.
    #[error("tokenizer: cannot translate the pattern at {at:?}: {reason}")]
    Pattern {
        /// The rest of the pattern from where it fails, at most 40 characters.
        at: String,
        /// Why.
        reason: &'static str,
    },
}

impl ParseError {
    /// A [`ParseError::Content`] of these words.
    pub(super) fn content(file: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Content {
            file,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

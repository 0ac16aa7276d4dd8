//! What can be wrong with a model's files.

use thiserror::Error;

/// Why a model could not be loaded. Parsing itself cannot fail.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes are not well-formed msgpack.
    #[error("{file}: broken msgpack")]
    Msgpack {
        /// The model file, as named in the package.
        file: &'static str,
        /// What the reader says.
        source: rmpv::decode::Error,
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
    /// A pattern of the tokenizer cannot be compiled.
    #[error("tokenizer: cannot compile the pattern {name}")]
    Pattern {
        /// The pattern's name in the file.
        name: &'static str,
        /// Why.
        source: Box<fancy_regex::Error>,
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

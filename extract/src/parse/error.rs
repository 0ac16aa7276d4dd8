//! What can be wrong with a model's files.

use thiserror::Error;

/// Why a model could not be loaded. Parsing itself cannot fail.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes cannot be read as what the file should be.
    #[error("{file}: expected {expected}")]
    Malformed {
        /// The model file, as named in the package.
        file: &'static str,
        /// What was expected.
        expected: String,
        /// What the reader of the format says.
        source: Box<dyn std::error::Error + Send + Sync>,
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
}

impl ParseError {
    /// A [`ParseError::Malformed`] of these words.
    pub(super) fn malformed(
        file: &'static str,
        expected: impl Into<String>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Self::Malformed {
            file,
            expected: expected.into(),
            source: Box::new(source),
        }
    }

    /// A [`ParseError::Content`] of these words.
    pub(super) fn content(file: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Content {
            file,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

//! What can go wrong between a text and its vector.

use std::path::PathBuf;

/// An embedding failed. Variants are split by what the caller can do about them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The vector cache could not be read or written, or is another file.
    #[error("{0}")]
    Cache(String),
    /// A file of the model could not be read.
    #[error("cannot access {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The model or its runtime refused to load or to run, or gave another number of vectors than texts.
    #[error("{0}")]
    Model(String),
    /// Vectors of another width than expected.
    #[error("expected vectors of {expected} dimensions, found {found}")]
    Dimension {
        /// Width required.
        expected: usize,
        /// Width met.
        found: usize,
    },
    /// Bytes that are not what they should be: another format, another version, or damage.
    #[error("{0}")]
    Format(String),
    /// The progress callback asked to stop; what was computed so far is in the cache.
    #[error("embedding was cancelled after {done} of {total} texts")]
    Cancelled {
        /// Distinct texts that have their vector.
        done: usize,
        /// Distinct texts asked for.
        total: usize,
    },
}

impl EmbedError {
    /// Holds that vectors have the width that is expected.
    pub(super) fn check_width(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found {
            return Ok(());
        }
        Err(Self::Dimension { expected, found })
    }
}

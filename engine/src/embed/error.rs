//! What can go wrong between a text and its vector.

use std::path::PathBuf;

/// An embedding failed. Variants are split by what the caller can do about them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A file of the model or of the cache could not be read or written.
    #[error("cannot access {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The inference runtime could not be loaded from the path given.
    #[error("cannot load the inference runtime {}: {reason}", path.display())]
    Runtime {
        /// The shared library tried.
        path: PathBuf,
        /// The loader's reason.
        reason: String,
    },
    /// The model refused to load or to run.
    #[error("the embedding model failed while {doing}: {reason}")]
    Model {
        /// What was being done.
        doing: &'static str,
        /// The runtime's reason.
        reason: String,
    },
    /// Vectors of another width than expected.
    #[error("expected vectors of {expected} dimensions, found {found}")]
    Dimension {
        /// Width required.
        expected: usize,
        /// Width met.
        found: usize,
    },
    /// The embedder returned another number of rows than texts.
    #[error("expected {expected} vectors, found {found}")]
    Count {
        /// Number of texts.
        expected: usize,
        /// Number of rows.
        found: usize,
    },
    /// Bytes that are not what they should be: another format, another version, or damage.
    #[error("{what}: expected {expected}, found {found}")]
    Format {
        /// The artefact, for people: a path or a name.
        what: String,
        /// What would have been right.
        expected: String,
        /// What was there.
        found: String,
    },
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

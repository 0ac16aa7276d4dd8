//! Why a file or extraction gives nothing.

/// Why extraction gives nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The automaton over all names of the corpus does not fit.
    #[error("cannot index {n_names} names at once; split the corpus")]
    TooManyNames {
        /// How many names there are.
        n_names: usize,
        /// What the library says.
        source: aho_corasick::BuildError,
    },
    /// A trained reader of texts failed.
    #[error("the reader {id} failed: {reason}")]
    Reader {
        /// Which one.
        id: String,
        /// What it says.
        reason: String,
    },
    /// What was found of a text cannot be packed.
    #[error("cannot keep what was parsed: {0}")]
    Packing(#[from] bincode::error::EncodeError),
    /// A schema cannot be written down.
    #[error("cannot write down the schema: {0}")]
    Writing(#[from] serde_json::Error),
    /// The built-in schema is none.
    #[error(transparent)]
    Schema(#[from] banyan_engine::schema::SchemaError),
    /// The caller asked to stop.
    #[error("stopped before extraction was complete")]
    Stopped,
}

/// Why a file cannot be used: where in it, what was expected, and what was found.
#[derive(Debug, thiserror::Error)]
#[error("{file}{reason}")]
pub struct FileError {
    file: String,
    reason: String,
}

impl FileError {
    /// `reason` begins with the place in the file, or with a colon.
    pub(crate) fn new(file: &str, reason: String) -> Self {
        let file = file.to_owned();
        Self { file, reason }
    }

    /// What is wrong, without where.
    pub fn reason(&self) -> &str {
        self.reason
            .split_once(": ")
            .map_or(self.reason.as_str(), |(_, reason)| reason)
    }
}

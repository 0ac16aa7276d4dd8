//! What can be wrong with a store, told so that its owner can act.

use crate::paged::Fault;
use std::path::PathBuf;

/// Why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing is there.
    #[error("no store at {}; build one with `banyan build CORPUS --store {}`, or of facts alone with `--facts FILE`", path.display(), path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Something else is there, or a store of another format.
    #[error("{0}")]
    Unusable(String),
    /// Another process writes it.
    #[error("store {} is being written by another process; try again when it has finished", path.display())]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// A record is damaged or missing.
    #[error(
        "the store is damaged: {what}: expected {expected}, found {found}; `banyan verify` says what is left of it"
    )]
    Corrupt {
        /// The record.
        what: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file system refused.
    #[error("{}: {action}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What was being done.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The caller asked to stop.
    #[error("stopped before the store was complete; what it held before is unchanged")]
    Stopped,
}

impl StoreError {
    /// The record `what` is not as it should be.
    #[expect(clippy::needless_pass_by_value, reason = "what was found is made for this call")]
    pub(super) fn corrupt(what: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Self {
        Self::Corrupt {
            what: what.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }

    /// The error as what could not be read.
    pub(super) fn into_fault(self) -> Fault {
        match self {
            Self::Corrupt { what, expected, found } => Fault { what, expected, found },
            other => Fault {
                what: other.to_string(),
                expected: "what can be read".to_owned(),
                found: match &other {
                    Self::Io { source, .. } => source.to_string(),
                    _ => "something else".to_owned(),
                },
            },
        }
    }
}

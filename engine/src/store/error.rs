//! What can be wrong with a store, told so that its owner can act.

use crate::tree::TreeError;
use std::path::PathBuf;

/// Why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing is there.
    #[error("no store at {}; build one with `banyan build CORPUS --store {}`", path.display(), path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Something else is there.
    #[error("{} is not a store: expected {expected}, found {found}; name another directory", path.display())]
    NotAStore {
        /// The path.
        path: PathBuf,
        /// What a store has.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Written by a newer or older program.
    #[error("store {} has format {found}, this program reads {expected}; {}", path.display(), advice(*expected, *found))]
    Format {
        /// The path.
        path: PathBuf,
        /// The format read here.
        expected: u32,
        /// The format found.
        found: u32,
    },
    /// Another process writes.
    #[error("store {} is being written by another process; try again when it has finished", path.display())]
    Locked {
        /// The path.
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
    /// The stored tree is not one.
    #[error("the store is damaged; `banyan verify` says what is left of it")]
    Tree(#[from] TreeError),
    /// The schema, or how it grew, cannot be written.
    #[error("cannot encode the schema or how it grew")]
    Encode(#[source] serde_json::Error),
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
}

/// What to do about a store of another format.
fn advice(expected: u32, found: u32) -> &'static str {
    if found > expected {
        "use a newer banyan, or build into another directory"
    } else {
        "what was decided on it cannot be carried over; move the directory away or name another, and build again"
    }
}

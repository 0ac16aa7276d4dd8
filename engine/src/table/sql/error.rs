//! Why a statement was not run, or not to its end.

use super::{Limits, guard::Meter};
use rusqlite::ErrorCode;

/// What went wrong, by what a caller can do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SqlError {
    /// It does more than read: nothing was done.
    #[error("refused: {what}; expected one SELECT over the tables of the records")]
    Refused {
        /// What it wanted.
        what: String,
    },
    /// It is no statement that these tables can answer: mend it.
    #[error("not understood: {message}")]
    Invalid {
        /// `SQLite`'s own words.
        message: String,
    },
    /// It was stopped: ask for less.
    #[error("stopped after {max} {what}; ask for less")]
    Limit {
        /// What there was too much of.
        what: &'static str,
        /// How much was allowed.
        max: u64,
    },
    /// The tables cannot be loaded.
    #[error("the records cannot be loaded: {message}")]
    Load {
        /// `SQLite`'s own words.
        message: String,
    },
}

impl SqlError {
    #[expect(clippy::needless_pass_by_value, reason = "it serves as the function of a map_err")]
    pub(super) fn load(error: rusqlite::Error) -> Self {
        Self::Load {
            message: error.to_string(),
        }
    }

    /// What an error of `SQLite` means to who asked.
    #[expect(clippy::needless_pass_by_value, reason = "it serves as the function of a map_err")]
    pub(super) fn of(error: rusqlite::Error, meter: &Meter, limits: Limits) -> Self {
        if let Some(what) = meter.refused() {
            return Self::Refused { what };
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Self::Limit {
                what: "steps",
                max: limits.max_steps,
            },
            Some(ErrorCode::OutOfMemory | ErrorCode::TooBig) => Self::Limit {
                what: "bytes",
                max: super::guard::MAX_LENGTH,
            },
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => Self::Refused {
                what: error.to_string(),
            },
            _ if matches!(error, rusqlite::Error::MultipleStatement) => Self::Refused {
                what: "more than one statement".to_owned(),
            },
            _ => Self::Invalid {
                message: error.to_string(),
            },
        }
    }
}

//! Why a statement was not run, or not to its end.

use super::{Limits, guard::Meter};
use rusqlite::ErrorCode;

/// In a sentence, by what to do: ask for something else (refused), mend the statement (not understood), or ask for less
/// (stopped).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SqlError(String);

impl SqlError {
    /// It does more than read: nothing was done.
    pub(super) fn refused(what: &str) -> Self {
        Self(format!(
            "refused: {what}; expected one SELECT over the tables of the records"
        ))
    }

    /// It was stopped.
    pub(super) fn limit(max: u64, what: &str) -> Self {
        Self(format!("stopped after {max} {what}; ask for less"))
    }

    #[expect(clippy::needless_pass_by_value, reason = "it serves as the function of a map_err")]
    pub(super) fn load(error: rusqlite::Error) -> Self {
        Self(format!("the records cannot be loaded: {error}"))
    }

    /// What an error of `SQLite` means to who asked.
    #[expect(clippy::needless_pass_by_value, reason = "it serves as the function of a map_err")]
    pub(super) fn of(error: rusqlite::Error, meter: &Meter, limits: Limits) -> Self {
        if let Some(what) = meter.refused() {
            return Self::refused(&what);
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Self::limit(limits.max_steps, "steps"),
            Some(ErrorCode::OutOfMemory | ErrorCode::TooBig) => Self::limit(super::guard::MAX_LENGTH, "bytes"),
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => Self::refused(&error.to_string()),
            _ if matches!(error, rusqlite::Error::MultipleStatement) => Self::refused("more than one statement"),
            _ => Self(format!("not understood: {error}")),
        }
    }
}

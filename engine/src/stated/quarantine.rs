//! Stretches of text of which no usable statement was had, and why.

use crate::document::Span;
use crate::id::DocumentId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A stretch of text that is still to be asked about, with what became of it so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quarantine {
    /// The document it is from.
    pub document: DocumentId,
    /// Its place in the document's text.
    pub span: Span,
    /// Why it is here.
    pub reason: QuarantineReason,
    /// What went wrong, in one line.
    pub detail: String,
    /// The beginning of the reply, where there was one.
    pub excerpt: String,
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { start, end } = self.span;
        write!(
            f,
            "{} bytes {start}..{end}: {}: {}",
            self.document, self.reason, self.detail
        )
    }
}

/// Why a stretch of text is in quarantine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuarantineReason {
    /// It does not fit the model's context, or its reply does not, alone and after every split.
    TooLong,
    /// The endpoint gave no reply to it.
    Failed,
    /// The reply says nothing that can be used.
    Unusable,
    /// The work ended before it was asked about.
    NotAsked,
    /// The reply broke off, alone and after every split; what was complete of it counts.
    Cut,
}

impl fmt::Display for QuarantineReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "too long for the model",
            Self::Failed => "no reply",
            Self::Unusable => "unusable reply",
            Self::NotAsked => "not asked yet",
            Self::Cut => "reply cut off",
        })
    }
}

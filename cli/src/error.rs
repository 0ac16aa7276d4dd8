//! What can go wrong, by what a caller can do about it.

use banyan_engine::embed::EmbedError;
use banyan_engine::llm::LlmError;
use banyan_engine::store::StoreError;
use banyan_retrieve::reason::ReasonError;

/// Why a call failed. The text of each says what, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store is missing, damaged, locked, of another format, or cannot be written.
    #[error(transparent)]
    Store(anyhow::Error),
    /// The embedding model or the language model cannot be had, or gave no usable reply.
    #[error(transparent)]
    Model(anyhow::Error),
    /// What was asked for cannot be done as it stands: a document, a schema, an option or a question is at fault.
    #[error(transparent)]
    Input(anyhow::Error),
    /// [`Stop`](crate::Stop) was asked; the store is as it was.
    #[error(transparent)]
    Stopped(anyhow::Error),
}

/// Tells a kind of cause.
type Is = fn(&(dyn std::error::Error + 'static)) -> bool;

impl Error {
    /// Sorts `error` by its causes.
    pub(crate) fn of(error: anyhow::Error, is_stopped: bool) -> Self {
        let has = |is: Is| error.chain().any(is);
        if is_stopped {
            Self::Stopped(error)
        } else if has(<dyn std::error::Error>::is::<StoreError>) {
            Self::Store(error)
        } else if has(|cause| cause.is::<LlmError>() || cause.is::<ReasonError>() || cause.is::<EmbedError>()) {
            Self::Model(error)
        } else {
            Self::Input(error)
        }
    }
}

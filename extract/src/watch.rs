//! What goes with a long run: progress, and the wish to stop.

use crate::error::ExtractError;
use rayon::prelude::*;

/// What goes with a long run.
pub trait Watch: Sync {
    /// Called once a finished document, from any thread.
    fn on_document(&self) {}

    /// Called once a reply of a language model, from the thread that waits for them.
    fn on_reply(&self) {}

    /// Whether to stop; asked once a document and stage, and before each call of a model.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Maps in parallel, in order, until the watch says stop.
pub(crate) fn each<In, Out: Send>(
    items: impl IndexedParallelIterator<Item = In>,
    watch: &dyn Watch,
    work: impl Fn(In) -> Out + Sync + Send,
) -> Result<Vec<Out>, ExtractError> {
    let results = items.map(|item| (!watch.is_stopped()).then(|| work(item)));
    results.collect::<Option<Vec<Out>>>().ok_or(ExtractError::Stopped)
}

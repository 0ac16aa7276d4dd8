//! `banyan model`: the embedding model in the user's cache.

use crate::Outcome;
use crate::args::Global;
use crate::compose::{model_files, open_model};
use crate::model;
use crate::progress::Progress;
use anyhow::Result;
use banyan_engine::embed::Embedder;

/// Gets model and runtime, unless they are there, and proves that they compute.
pub(crate) fn fetch(global: &Global, progress: Progress) -> Result<Outcome> {
    let (model, _) = open_model(global, progress)?;
    progress.remark(&format!("ready: {} ({} dimensions)", model.id(), model.dimension()));
    Ok(Outcome::Done)
}

/// Checks what is on disk, fetching what is not.
pub(crate) fn verify(global: &Global, progress: Progress) -> Result<Outcome> {
    let files = model_files(global, progress)?;
    model::verify(&files)?;
    progress.remark(&format!("as published: {}", files.onnx.display()));
    Ok(Outcome::Done)
}

//! The static token vectors beside the model: distilled once, then read.

use super::{Progress, files, stage};
use anyhow::{Context, Result};
use banyan_engine::embed::{Embedder, MiniLm, StaticEmbedder};
use std::path::Path;

/// The table's file in the model's directory in the cache.
const FILE: &str = "static.bin";

/// Reads the static token vectors of `teacher` from the cache, or distils and stores them: half a minute,
/// once. A table of another teacher, or a damaged one, is replaced.
///
/// # Errors
/// When the teacher fails or the cache cannot be written.
pub(crate) fn ensure_static(teacher: &MiniLm, cache_dir: &Path, progress: Progress<'_>) -> Result<StaticEmbedder> {
    let directory = files::model_directory(cache_dir);
    let path = directory.join(FILE);
    let stored = std::fs::read(&path)
        .ok()
        .and_then(|bytes| StaticEmbedder::from_bytes(&bytes).ok());
    if let Some(stored) = stored.filter(|table| table.is_of(teacher.id())) {
        return Ok(stored);
    }
    let report = |done: usize, total: usize| progress("distilling token vectors", done as u64, total as u64);
    let table = StaticEmbedder::distil(teacher, teacher.tokenizer(), &report).context("cannot distil token vectors")?;
    let staging = stage()?;
    let staged = staging.path().join(FILE);
    std::fs::write(&staged, table.to_bytes()?).with_context(|| format!("cannot write {}", staged.display()))?;
    std::fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    std::fs::rename(&staged, &path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(table)
}

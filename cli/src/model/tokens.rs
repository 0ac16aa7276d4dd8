//! The static token vectors beside the model: distilled once, then read.

use super::{files, stage};
use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result};
use banyan_engine::embed::{Embedder, MiniLm, StaticEmbedder};

/// The table's file in the model's directory in the cache.
const FILE: &str = "static.bin";

/// Reads the static token vectors of `teacher` from the cache, or distils and stores them: half a minute,
/// once. A table of another teacher, or a damaged one, is replaced.
///
/// # Errors
/// When the teacher fails or the cache cannot be written.
pub(crate) fn ensure_static(teacher: &MiniLm, env: &Environment) -> Result<StaticEmbedder> {
    let directory = files::model_directory(&cache_dir()?);
    let path = directory.join(FILE);
    let stored = std::fs::read(&path)
        .ok()
        .and_then(|bytes| StaticEmbedder::from_bytes(&bytes).ok());
    if let Some(stored) = stored.filter(|table| table.is_of(teacher.id())) {
        return Ok(stored);
    }
    let bar = env.progress.transfer("distilling token vectors");
    let report = |done: usize, total: usize| bar.at(done as u64, total as u64);
    let table = StaticEmbedder::distil(teacher, teacher.tokenizer(), &report).context("cannot distil token vectors")?;
    let staging = stage()?;
    let staged = staging.path().join(FILE);
    std::fs::write(&staged, table.to_bytes()?).with_context(|| format!("cannot write {}", staged.display()))?;
    std::fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    std::fs::rename(&staged, &path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(table)
}

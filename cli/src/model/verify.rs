//! Is it the model we mean? By its bytes, and by its numbers.

use super::files::{NETWORK, Pinned, TOKENIZER};
use crate::digest::hex;
use anyhow::{Context, Result, bail, ensure};
use banyan_engine::embed::{Embedder, MiniLm, MiniLmFiles};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A sentence and the first components of its vector by the fp32 model.
const SENTENCE: &str = "A banyan spreads by aerial roots that grow into new trunks.";
const COMPONENTS: [f32; 8] = [-0.0346, 0.0104, -0.0629, 0.0226, 0.0420, -0.1136, -0.0362, 0.0013];

/// Farthest a component may be off. 8-bit weights stay within .01; other pooling, another maximal length
/// or another model do not.
const TOLERANCE: f32 = 0.01;

/// Checks a file's size and SHA-256. Reads it whole.
///
/// # Errors
/// When it cannot be read or differs, with expected and found.
pub(super) fn check(directory: &Path, file: &Pinned) -> Result<()> {
    file.check_size(directory).map_err(anyhow::Error::msg)?;
    let path = directory.join(file.name);
    let found = sha256(&path)?;
    ensure!(
        found == file.sha256,
        "{}: SHA-256 is {found}, expected {}",
        path.display(),
        file.sha256
    );
    Ok(())
}

/// Checks every pinned file of the model by SHA-256, then its numbers by embedding a fixed sentence.
///
/// # Errors
/// Every file that differs, or the numbers that do.
pub(crate) fn verify(files: &MiniLmFiles) -> Result<()> {
    let directory = files.onnx.parent().context("the model has no directory")?;
    let pinned = TOKENIZER.iter().chain([&NETWORK]);
    let wrong: Vec<String> = pinned
        .filter_map(|file| check(directory, file).err())
        .map(|error| format!("  - {error:#}"))
        .collect();
    if !wrong.is_empty() {
        bail!(
            "the model in {} is not the published one:\n{}\nhint: delete that directory and run `banyan model fetch`",
            directory.display(),
            wrong.join("\n")
        );
    }
    self_test(files)
}

/// Embeds one fixed sentence and compares it with stored components. About half a second.
///
/// # Errors
/// When model or runtime cannot be loaded, or a component is off by more than .01.
pub(super) fn self_test(files: &MiniLmFiles) -> Result<()> {
    let model = MiniLm::load(files).context("cannot load the model")?;
    let vectors = model.embed(&[SENTENCE]).context("cannot run the model")?;
    let found = &vectors.row(0)[..COMPONENTS.len()];
    let off = found
        .iter()
        .zip(&COMPONENTS)
        .map(|(found, expected)| (found - expected).abs());
    let off = off.max_by(f32::total_cmp).unwrap_or(f32::INFINITY);
    ensure!(
        off <= TOLERANCE,
        "the model computes other numbers than it should: {found:?}, expected {COMPONENTS:?}"
    );
    Ok(())
}

fn sha256(path: &Path) -> Result<String> {
    let mut file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let n = file
            .read(&mut buffer)
            .with_context(|| format!("cannot read {}", path.display()))?;
        if n == 0 {
            break;
        }
        hasher.update(&buffer[..n]);
    }
    Ok(hex(&hasher.finalize()))
}

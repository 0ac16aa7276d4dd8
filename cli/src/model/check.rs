//! Is it the model we mean? By its bytes, and by its numbers.

use super::files::{NETWORK, TOKENIZER};
use anyhow::{Context, Result, bail, ensure};
use banyan_engine::embed::{Embedder, MiniLm, MiniLmFiles};

/// A sentence and the first components of its vector by the fp32 model.
const SENTENCE: &str = "A banyan spreads by aerial roots that grow into new trunks.";
const COMPONENTS: [f32; 8] = [-0.0346, 0.0104, -0.0629, 0.0226, 0.0420, -0.1136, -0.0362, 0.0013];

/// Farthest a component may be off. 8-bit weights stay within .01; other pooling, another maximal length
/// or another model do not.
const TOLERANCE: f32 = 0.01;

/// Checks every pinned file of the model by SHA-256, then its numbers by embedding a fixed sentence.
///
/// # Errors
/// Every file that differs, or the numbers that do.
pub(crate) fn check(files: &MiniLmFiles) -> Result<()> {
    let directory = files.onnx.parent().context("the model has no directory")?;
    let pinned = TOKENIZER.iter().chain([&NETWORK]);
    let wrong: Vec<String> = pinned
        .filter_map(|file| file.check(directory).err())
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
    let is_near = |(found, expected): (&f32, &f32)| (found - expected).abs() <= TOLERANCE;
    ensure!(
        found.iter().zip(&COMPONENTS).all(is_near),
        "the model computes other numbers than it should: {found:?}, expected {COMPONENTS:?}"
    );
    Ok(())
}

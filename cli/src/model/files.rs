//! Which files make the model, where they lie, what they must be, and what the model must compute.

use crate::digest;
use anyhow::{Context, Result, bail, ensure};
use banyan_engine::embed::{Embedder, MiniLm, MiniLmFiles};
use std::path::{Path, PathBuf};

/// The network, written by [`super::onnx`] from [`WEIGHTS`].
pub(super) const NETWORK: Pinned = Pinned {
    name: "model.onnx",
    bytes: 90_272_651,
    sha256: "01dc957a1ebc1545d237bdbec382a471db7759642e003c2faf59167929ea60e4",
};

/// The published weights, fp32.
pub(super) const WEIGHTS: Pinned = Pinned {
    name: "model.safetensors",
    bytes: 90_868_376,
    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};

/// What the tokenizer is made of.
pub(super) const TOKENIZER: [Pinned; 4] = [
    Pinned {
        name: "config.json",
        bytes: 612,
        sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
    Pinned {
        name: "special_tokens_map.json",
        bytes: 112,
        sha256: "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    },
    Pinned {
        name: "tokenizer_config.json",
        bytes: 350,
        sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    },
    Pinned {
        name: "tokenizer.json",
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
];

/// A sentence and the first components of its vector by the fp32 model.
const SENTENCE: &str = "A banyan spreads by aerial roots that grow into new trunks.";
const COMPONENTS: [f32; 8] = [-0.0346, 0.0104, -0.0629, 0.0226, 0.0420, -0.1136, -0.0362, 0.0013];

/// Farthest a component may be off. 8-bit weights stay within .01; other pooling, another maximal length
/// or another model do not.
const TOLERANCE: f32 = 0.01;

/// A file whose content is known in advance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pinned {
    pub(super) name: &'static str,
    pub(super) bytes: u64,
    /// SHA-256 in lower-case hex.
    pub(super) sha256: &'static str,
}

impl Pinned {
    /// Checks the file's size. Costs one `stat`.
    fn check_size(&self, directory: &Path) -> Result<()> {
        let metadata = std::fs::metadata(directory.join(self.name)).with_context(|| self.name)?;
        let (name, found, expected) = (self.name, metadata.len(), self.bytes);
        ensure!(found == expected, "{name} has {found} bytes, expected {expected}");
        Ok(())
    }

    /// Checks the file's size and SHA-256. Reads it whole.
    pub(super) fn check(&self, directory: &Path) -> Result<()> {
        self.check_size(directory)?;
        let path = directory.join(self.name);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (path, found, expected) = (path.display(), digest::sha256(&bytes), self.sha256);
        ensure!(found == expected, "{path}: SHA-256 is {found}, expected {expected}");
        Ok(())
    }
}

/// A file whose content is known in advance.
pub(super) const fn pinned(name: &'static str, bytes: u64, sha256: &'static str) -> Pinned {
    Pinned { name, bytes, sha256 }
}

/// The model's directory in the user's cache.
pub(super) fn model_directory(cache: &Path) -> PathBuf {
    cache.join("models/all-minilm-l6-v2")
}

/// What a directory with the model has.
fn parts() -> impl Iterator<Item = &'static Pinned> {
    TOKENIZER.iter().chain([&NETWORK])
}

/// Whether the cached model is whole, by sizes; the first reason when not.
pub(super) fn check_cached(directory: &Path) -> Result<()> {
    parts().try_for_each(|file| file.check_size(directory))
}

/// Whether a directory that the user names has all parts. Their content is the user's choice.
pub(super) fn check_named(directory: &Path) -> Result<()> {
    let missing = parts()
        .map(|file| file.name)
        .filter(|name| !directory.join(name).is_file());
    let missing: Vec<&str> = missing.collect();
    ensure!(missing.is_empty(), "it lacks {}", missing.join(", "));
    Ok(())
}

/// Checks every pinned file of the model by SHA-256, then its numbers by embedding a fixed sentence.
///
/// # Errors
/// Every file that differs, or the numbers that do.
pub(crate) fn check(files: &MiniLmFiles) -> Result<()> {
    let wrong: Vec<String> = parts()
        .filter_map(|file| file.check(&files.directory).err())
        .map(|error| format!("  - {error:#}"))
        .collect();
    if !wrong.is_empty() {
        bail!(
            "the model in {} is not the published one:\n{}\nhint: delete that directory and run `banyan model fetch`",
            files.directory.display(),
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

//! Which files make the model, where they lie, and what they must be.

use crate::digest;
use anyhow::{Context, Result, ensure};
use banyan_engine::embed::MiniLmFiles;
use std::path::{Path, PathBuf};

/// Name of the model's directory in the cache.
pub(super) const MODEL: &str = "all-minilm-l6-v2";

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
        name: "tokenizer.json",
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
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
];

/// A file whose content is known in advance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pinned {
    /// Name within the model's directory.
    pub(super) name: &'static str,
    /// Size.
    pub(super) bytes: u64,
    /// SHA-256 in lower-case hex.
    pub(super) sha256: &'static str,
}

impl Pinned {
    /// Checks the file's size. Costs one `stat`.
    ///
    /// # Errors
    /// When it is not there or differs.
    pub(super) fn check_size(&self, directory: &Path) -> Result<()> {
        let metadata = std::fs::metadata(directory.join(self.name)).with_context(|| self.name)?;
        let (name, found, expected) = (self.name, metadata.len(), self.bytes);
        ensure!(found == expected, "{name} has {found} bytes, expected {expected}");
        Ok(())
    }

    /// Checks the file's size and SHA-256. Reads it whole.
    ///
    /// # Errors
    /// When it cannot be read or differs, with expected and found.
    pub(super) fn check(&self, directory: &Path) -> Result<()> {
        self.check_size(directory)?;
        let path = directory.join(self.name);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (path, found, expected) = (path.display(), digest::sha256(&bytes), self.sha256);
        ensure!(found == expected, "{path}: SHA-256 is {found}, expected {expected}");
        Ok(())
    }
}

/// The model's directory in the user's cache.
pub(super) fn model_directory(cache: &Path) -> PathBuf {
    cache.join("banyan").join("models").join(MODEL)
}

/// Where the runtime library is kept in the user's cache.
pub(super) fn runtime_directory(cache: &Path) -> PathBuf {
    cache.join("banyan").join("runtime")
}

/// Whether the cached model is whole, by sizes; the first reason when not.
pub(super) fn check_cached(directory: &Path) -> Result<()> {
    TOKENIZER
        .iter()
        .chain([&NETWORK])
        .try_for_each(|file| file.check_size(directory))
}

/// Whether a directory that the user names has all parts. Their content is the user's choice.
pub(super) fn check_named(directory: &Path) -> Result<()> {
    let names = TOKENIZER.iter().chain([&NETWORK]).map(|file| file.name);
    let missing: Vec<&str> = names.filter(|name| !directory.join(name).is_file()).collect();
    ensure!(missing.is_empty(), "it lacks {}", missing.join(", "));
    Ok(())
}

/// The parts of the model in `directory`, run by `runtime`.
pub(super) fn parts(directory: &Path, runtime: PathBuf) -> MiniLmFiles {
    let [tokenizer, config, special_tokens_map, tokenizer_config] = TOKENIZER.map(|file| directory.join(file.name));
    MiniLmFiles {
        onnx: directory.join(NETWORK.name),
        tokenizer,
        config,
        special_tokens_map,
        tokenizer_config,
        runtime,
    }
}

//! Sets that were measured before: a stopped suite goes on where it stood, a repeated one reads what it wrote.

use crate::eval::suite::Part;
use anyhow::{Context, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A directory with one file a set.
pub(super) struct Kept {
    directory: PathBuf,
}

impl Kept {
    /// `parts` below `directory`, made where it is not there.
    pub(super) fn open(directory: &Path) -> Result<Self> {
        let directory = directory.join("parts");
        fs::create_dir_all(&directory).with_context(|| format!("{}: cannot create", directory.display()))?;
        Ok(Self { directory })
    }

    /// The measurement with this key; `None` where there is none. One that does not parse is an error, as nothing but
    /// [`Kept::keep`] writes there.
    pub(super) fn part(&self, key: &str) -> Result<Option<Part>> {
        let file = self.file(key);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot read", file.display())),
        };
        let part = serde_json::from_str(&text);
        part.with_context(|| format!("{}: not a measurement; delete it, or use --fresh", file.display()))
    }

    /// Keeps a measurement under its key, whole or not at all.
    pub(super) fn keep(&self, key: &str, part: &Part) -> Result<()> {
        let (file, half) = (self.file(key), self.directory.join(format!("{key}.part")));
        let text = serde_json::to_string(part).context("cannot encode JSON")?;
        fs::write(&half, text).with_context(|| format!("{}: cannot write", half.display()))?;
        fs::rename(&half, &file).with_context(|| format!("{}: cannot write", file.display()))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.directory.join(format!("{key}.json"))
    }
}

//! The model hub: the files as their authors publish them.

use super::Progress;
use super::files::Pinned;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// The model as its authors publish it.
const REPOSITORY: &str = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main";

/// Silence after which the hub counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(8);

/// Downloads `files` into `directory` under their own names.
///
/// # Errors
/// When the hub cannot be reached, or is silent for 8 s.
pub(super) fn download(files: &[Pinned], directory: &Path, progress: &dyn Progress) -> Result<()> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE))
        .build()
        .into();
    for file in files {
        let response = agent.get(format!("{REPOSITORY}/{}", file.name)).call();
        let mut response = response.with_context(|| format!("cannot download {}", file.name))?;
        // A byte more than the file has is enough to tell another one.
        let mut body = response.body_mut().as_reader().take(file.bytes + 1);
        let path = directory.join(file.name);
        let mut target = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let (mut done, mut buffer) = (0, vec![0; 1 << 16]);
        loop {
            let n = body
                .read(&mut buffer)
                .with_context(|| format!("cannot download {}", file.name))?;
            if n == 0 {
                break;
            }
            target
                .write_all(&buffer[..n])
                .with_context(|| format!("cannot write {}", path.display()))?;
            done += n as u64;
            progress.report(file.name, done, file.bytes);
        }
    }
    Ok(())
}

//! The model hub, through the client that fastembed uses: the documented way with an internet connection.

use super::Progress;
use super::files::Pinned;
use anyhow::{Context, Result, bail};
use hf_hub::Cache;
use hf_hub::api::sync::{ApiBuilder, ApiRepo};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The model as its authors publish it.
const REPOSITORY: &str = "sentence-transformers/all-MiniLM-L6-v2";

/// Silence after which the hub counts as unreachable; its client knows no time-out of its own.
const PATIENCE: Duration = Duration::from_secs(8);

enum Event {
    Received(u64),
    Finished(Result<PathBuf>),
}

/// Downloads `files` into `directory` under their own names; `scratch` is for the client's own layout.
///
/// # Errors
/// When the hub cannot be reached, or stays silent for 8 s: the download is then given up, and its
/// thread ends with the process.
pub(super) fn download(files: &[Pinned], directory: &Path, scratch: &Path, progress: &dyn Progress) -> Result<()> {
    for file in files {
        let repository = ApiBuilder::from_cache(Cache::new(scratch.to_owned()))
            .with_progress(false)
            .with_retries(0)
            .build()
            .context("cannot set up the client")?
            .model(REPOSITORY.to_owned());
        let events = begin(repository, file.name);
        let path = watch(&events, file, progress)?;
        std::fs::copy(&path, directory.join(file.name)).with_context(|| format!("cannot copy {}", path.display()))?;
    }
    Ok(())
}

fn begin(repository: ApiRepo, name: &'static str) -> Receiver<Event> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        let result = repository.download_with_progress(name, Reporter(sender.clone()));
        // Nobody listens any more when the download was given up.
        let _ = sender.send(Event::Finished(
            result.with_context(|| format!("cannot download {name}")),
        ));
    });
    events
}

fn watch(events: &Receiver<Event>, file: &Pinned, progress: &dyn Progress) -> Result<PathBuf> {
    let mut done = 0;
    loop {
        match events.recv_timeout(PATIENCE) {
            Ok(Event::Received(bytes)) => {
                done += bytes;
                progress.report(file.name, done, file.bytes);
            }
            Ok(Event::Finished(result)) => return result,
            Err(RecvTimeoutError::Timeout) => {
                bail!("{}: no answer for {} s", file.name, PATIENCE.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("{}: the download ended without a result", file.name)
            }
        }
    }
}

/// Carries the client's progress over to the waiting thread.
struct Reporter(Sender<Event>);

impl hf_hub::api::Progress for Reporter {
    fn init(&mut self, _size: usize, _filename: &str) {
        self.update(0);
    }

    fn update(&mut self, size: usize) {
        // Nobody listens any more when the download was given up.
        let _ = self.0.send(Event::Received(size as u64));
    }

    fn finish(&mut self) {}
}

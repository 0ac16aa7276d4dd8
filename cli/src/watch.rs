//! A store that follows a folder.

use crate::banyan::Banyan;
use crate::change::AddOptions;
use crate::corpus;
use crate::environment::Environment;
use crate::error::Error;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// How often the wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Keeps `banyan` what the files and directories of `corpus` hold, by [`Banyan::sync`], until somebody asks to stop: they are
/// looked at `every` so often, and read when they changed and then stayed as they are for one look. What cannot be read is
/// told, and tried again when it changed.
///
/// # Errors
/// Where the first reading fails; [`Error::Stopped`] is none.
pub fn watch(
    banyan: &mut Banyan,
    corpus: &[PathBuf],
    options: &AddOptions,
    every: Duration,
    env: &Environment,
) -> Result<(), Error> {
    let mut read = corpus::state(corpus, &options.read);
    banyan.sync(corpus, options)?;
    let mut before = read.clone();
    while !env.stop.is_asked() {
        let n_looks = every.as_millis() / LOOK.as_millis();
        for _ in 0..n_looks.max(1) {
            if env.stop.is_asked() {
                return Ok(());
            }
            sleep(LOOK);
        }
        let now = corpus::state(corpus, &options.read);
        let is_settled = now == before;
        before = now;
        if !is_settled || before == read {
            continue;
        }
        read.clone_from(&before);
        match banyan.sync(corpus, options) {
            Ok(()) => {}
            Err(Error::Stopped(_)) => return Ok(()),
            Err(error) => env
                .progress
                .remark(&format!("{error}; looked at again when it changes")),
        }
    }
    Ok(())
}

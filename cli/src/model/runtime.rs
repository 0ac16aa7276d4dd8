//! The inference runtime, ONNX Runtime's shared library: finding it, or getting it once.

use super::{OFFLINE, not_found, pip, stage};
use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The package that carries the library, any version that has the interface we call (1.24).
const PACKAGE: &str = "onnxruntime>=1.24";

/// Minor version of the oldest 1.x library that has it.
const MIN_MINOR: u32 = 24;

/// Longest library that is unpacked; ten times what it has.
const MAX_LIBRARY_BYTES: u64 = 400_000_000;

const SYSTEM_DIRECTORIES: [&str; 7] = [
    "/usr/local/lib",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
    "/opt/onnxruntime/lib",
];

/// The library, from: the directory the user names, the file that `ORT_DYLIB_PATH` names, the cache, the system, pip.
///
/// # Errors
/// When none of them has it; the message lists each with its reason.
pub(super) fn ensure(env: &Environment) -> Result<PathBuf> {
    // Where the library is kept.
    let cache = cache_dir()?.join("runtime");
    let mut attempts = Vec::new();
    if let Some(found) = find(env, &cache, &mut attempts) {
        return Ok(found);
    }
    if env.offline {
        attempts.push(format!("pip download {PACKAGE}: {OFFLINE}"));
    } else {
        match fetch(&cache, env) {
            Ok(library) => return Ok(library),
            Err(error) => attempts.push(format!("pip download {PACKAGE}: {error:#}")),
        }
    }
    Err(not_found(
        "ONNX Runtime's shared library",
        &attempts,
        [
            "install Python's pip and run `banyan model fetch` again, or",
            "point ORT_DYLIB_PATH at a libonnxruntime of version 1.24 or later, or",
            "run without dense vectors: --embedder none",
        ],
    ))
}

fn find(env: &Environment, cache: &Path, attempts: &mut Vec<String>) -> Option<PathBuf> {
    if let Some(library) = std::env::var_os("ORT_DYLIB_PATH").map(PathBuf::from) {
        match std::fs::metadata(&library) {
            Ok(metadata) if metadata.is_file() => return Some(library),
            Ok(_) => attempts.push(format!("{}: it is not a file", library.display())),
            Err(error) => attempts.push(format!("{}: {error}", library.display())),
        }
    }
    let own = env.model_dir.iter().map(PathBuf::as_path).chain([cache]);
    for directory in own.chain(SYSTEM_DIRECTORIES.iter().map(Path::new)) {
        match newest_in(directory) {
            Some(library) => return Some(library),
            None if directory.is_dir() => {
                attempts.push(format!("{}: no such library in it", directory.display()));
            }
            None => {}
        }
    }
    None
}

/// The newest library in `directory` that is new enough.
fn newest_in(directory: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?;
    let paths = entries.flatten().map(|entry| entry.path());
    let candidates = paths.filter_map(|path| {
        let real = path.canonicalize().ok()?;
        let minor = minor_version(path.file_name()?.to_str()?).max(minor_version(real.file_name()?.to_str()?))?;
        (minor >= MIN_MINOR).then_some((minor, real))
    });
    candidates.max().map(|(_, path)| path)
}

/// The x of a library file's version 1.x; of one that does not say, the oldest good one; `None` for any other file.
fn minor_version(name: &str) -> Option<u32> {
    let unversioned = ["libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"];
    if unversioned.contains(&name) {
        return Some(MIN_MINOR);
    }
    let version = name.strip_prefix("libonnxruntime.so.1.").or_else(|| {
        name.strip_prefix("libonnxruntime.1.")
            .and_then(|rest| rest.strip_suffix(".dylib"))
    });
    version?.split('.').next()?.parse().ok()
}

fn fetch(directory: &Path, env: &Environment) -> Result<PathBuf> {
    let staging = stage()?;
    let wheel = pip::download(PACKAGE, staging.path(), env)?;
    let staged = staging.path().join("library");
    let library = |member: &str| {
        member
            .strip_prefix("onnxruntime/capi/")
            .filter(|name| minor_version(name).is_some())
            .map(str::to_owned)
    };
    let member = pip::extract(&wheel, |member| library(member).is_some(), &staged, MAX_LIBRARY_BYTES)?;
    let name = library(&member).unwrap_or(member);
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let target = directory.join(name);
    std::fs::rename(&staged, &target).with_context(|| format!("cannot write {}", target.display()))?;
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_runtime_itself_counts_and_its_version_is_read() {
        assert_eq!(minor_version("libonnxruntime.so.1.31.1"), Some(31));
        assert_eq!(minor_version("libonnxruntime.1.24.0.dylib"), Some(24));
        assert_eq!(minor_version("onnxruntime.dll"), Some(MIN_MINOR));
        assert_eq!(minor_version("libonnxruntime_providers_shared.so"), None);
    }

    #[test]
    fn the_newest_good_library_is_taken() {
        let directory = tempfile::tempdir().unwrap();
        for name in [
            "libonnxruntime.so.1.9.0",
            "libonnxruntime.so.1.26.0",
            "libonnxruntime.so.1.31.1",
            "x",
        ] {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        let newest = newest_in(directory.path()).unwrap();
        assert!(newest.ends_with("libonnxruntime.so.1.31.1"));
    }
}

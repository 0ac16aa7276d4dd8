//! The files of this workspace, for tests that read the code itself.

use std::fs;
use std::path::{Path, PathBuf};

/// Directories that hold no source.
const NOT_SOURCE: [&str; 2] = [".git", "target"];

/// The workspace's directory.
pub fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// The text of a file of the workspace.
#[track_caller]
pub fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// Every source file with its path below the root, in the order of the paths; files that are not UTF-8 are left out.
pub fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(root(), &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let name = path.strip_prefix(root()).ok()?.to_string_lossy().replace('\\', "/");
            Some((name, fs::read_to_string(path).ok()?))
        })
        .collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the workspace can be listed") {
        let path = entry.expect("the workspace can be listed").path();
        if !path.is_dir() {
            files.push(path);
        } else if !NOT_SOURCE.iter().any(|name| path.ends_with(name)) {
            collect(&path, files);
        }
    }
}

/// Directories of the workspace's members, in the order of the root manifest.
pub fn members() -> Vec<String> {
    let manifest = text("Cargo.toml");
    let (_, rest) = manifest
        .split_once("\nmembers = [")
        .expect("the root manifest lists its members");
    let (list, _) = rest.split_once(']').expect("the list of members ends");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

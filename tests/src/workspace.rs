//! The files of this workspace, for tests that read the code itself.

use std::fs;
use std::path::{Path, PathBuf};

/// What holds no source; in a work tree of git `.git` is a file.
const NOT_SOURCE: [&str; 2] = [".git", "target"];

/// The workspace's directory.
pub fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// The place of a file of the workspace, as an argument.
pub fn place(path: &str) -> String {
    root().join(path).to_string_lossy().into_owned()
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
        if NOT_SOURCE.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
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

/// The code that a member ships, file by file, each with its path below `src`: without tests and comments.
pub fn shipped(member: &str) -> Vec<(String, String)> {
    let start = format!("{member}/src/");
    let code = |(name, text): (String, String)| {
        let place = name.strip_prefix(&start)?.to_owned();
        if place.strip_suffix(".rs").is_none() || place.split('/').any(|part| part.starts_with("tests")) {
            return None;
        }
        let code = text.split_once("#[cfg(test)]").map_or(text.as_str(), |(code, _)| code);
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        Some((place, code.collect::<Vec<_>>().join("\n")))
    };
    sources().into_iter().filter_map(code).collect()
}

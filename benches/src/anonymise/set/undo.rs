//! `banyan anonymize --restore`: the files as they were, byte for byte.

use super::{KEY, check_vacant, extension, is_json, put};
use crate::anonymise::Key;
use crate::args::Anonymize;
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Environment;
use banyan::counted as count;
use serde::Serialize;
use std::fs;
use std::path::{Component, Path, PathBuf};

#[derive(Serialize)]
struct Restored {
    files: Vec<String>,
}

pub(super) fn run(args: &Anonymize, env: &Environment) -> Result<()> {
    let [set] = &args.corpus[..] else {
        bail!(
            "found {} places to restore; expected one directory, as `anonymize` wrote it",
            args.corpus.len()
        );
    };
    check_vacant(&args.out)?;
    let key = read_key(&args.key.clone().unwrap_or_else(|| set.join(KEY)))?;
    // Everything is read and checked before anything is written.
    let files = originals(set, &key, env)?;
    for (file, raw) in &files {
        put(&args.out.join(file), raw)?;
    }
    let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
    if args.json {
        render::json(&Restored { files: names })?;
    } else {
        render::text(&format!(
            "{} restored in {}",
            count(files.len(), "file"),
            args.out.display()
        ))?;
    }
    Ok(())
}

/// Every file of a set as it was, below the directory where they lay together.
pub(crate) fn originals(set: &Path, key: &Key, env: &Environment) -> Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for file in &key.files {
        env.stop.check()?;
        let path = set.join(&file.anonymised);
        let text = fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
        let is_json = is_json(&extension(&file.anonymised));
        let raw = key
            .open(file, &text, is_json)
            .with_context(|| path.display().to_string())?;
        files.push((inside(&file.file), raw));
    }
    Ok(files)
}

/// The key in a file.
pub(crate) fn read_key(path: &Path) -> Result<Key> {
    let json = fs::read_to_string(path).with_context(|| {
        format!(
            "{}: cannot read the key that `anonymize` wrote; where it is elsewhere, `anonymize --restore` takes --key",
            path.display()
        )
    })?;
    Key::parse(&json).with_context(|| path.display().to_string())
}

/// A file's path as one below the directory that is written, whatever a key says.
fn inside(file: &str) -> PathBuf {
    let parts = Path::new(file).components();
    parts.filter(|part| matches!(part, Component::Normal(_))).collect()
}

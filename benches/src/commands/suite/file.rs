//! The file of a suite, and the files of its sets.

use crate::commands::aggregate::Pages;
use crate::commands::anonymize::KEY;
use crate::commands::anonyrag::read_items;
use crate::eval::anony::Item;
use crate::eval::dataset::{self, Dataset};
use anyhow::{Context, Result, bail};
use banyan::digest::hex;
use banyan::parts::parse_toml;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A suite as it is written; an unknown key is an error.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Suite {
    pub(crate) name: String,
    /// Seed of resampling.
    #[serde(default = "seed")]
    pub(crate) seed: u64,
    /// Further seeds of community detection, to see what chance in it is worth: sets of questions with answers are measured
    /// again under each.
    #[serde(default)]
    pub(crate) seeds: Vec<u64>,
    /// Numbers of passages to count hits among.
    #[serde(default = "ks")]
    pub(crate) k: Vec<usize>,
    #[serde(default = "Method::all")]
    pub(crate) methods: BTreeSet<Method>,
    #[serde(default = "ModeName::all")]
    pub(crate) modes: BTreeSet<ModeName>,
    /// The method that the others are compared with.
    #[serde(default = "baseline")]
    pub(crate) baseline: String,
    /// Whether to measure also without each route.
    #[serde(default)]
    pub(crate) routes: bool,
    #[serde(rename = "set")]
    pub(crate) sets: Vec<Entry>,
}

/// What ranks passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Method {
    Bm25,
    Dense,
    Hybrid,
    Banyan,
}

impl Method {
    fn all() -> BTreeSet<Self> {
        BTreeSet::from([Self::Bm25, Self::Dense, Self::Hybrid, Self::Banyan])
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
            Self::Banyan => "banyan",
        }
    }
}

/// What happens where the evidence is weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModeName {
    Open,
    Reject,
}

impl ModeName {
    fn all() -> BTreeSet<Self> {
        BTreeSet::from([Self::Open, Self::Reject])
    }
}

fn seed() -> u64 {
    42
}

fn ks() -> Vec<usize> {
    vec![2, 5, 8, 10]
}

fn baseline() -> String {
    Method::Bm25.name().to_owned()
}

/// What is asked of a set, and so in which shapes its files are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Questions with accepted answers or gold passages, in any shape that `eval::dataset` reads.
    #[default]
    Questions,
    /// Questions over anonymised texts, as `eval anonyrag` reads them.
    Anonyrag,
    /// Questions over many records, as `eval aggregate` reads them.
    Aggregate,
}

/// A set of a suite.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) kind: Kind,
    /// File of questions; a path is taken from the suite's directory, and may begin with a `$VARIABLE`.
    pub(crate) questions: String,
    /// File or directory of texts; the passages that come with the questions where there is none.
    pub(crate) corpus: Option<String>,
    /// Anonymised sets of one's own: the key, where it is not `key.json` beside the questions.
    pub(crate) key: Option<String>,
    /// Aggregative sets: gold records (CSV with a header).
    pub(crate) gold: Option<String>,
    /// Whether the set may be left out where its files are not there.
    #[serde(default)]
    pub(crate) optional: bool,
    /// Least values by `method metric`.
    #[serde(default)]
    pub(crate) floor: BTreeMap<String, f64>,
}

/// A set whose files are there and whose questions were read.
pub(crate) struct Opened<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) content: Content,
    pub(crate) questions: PathBuf,
    pub(crate) corpus: Option<PathBuf>,
    /// Of all files but the corpus.
    digest: String,
}

/// The questions of a set.
pub(crate) enum Content {
    /// With accepted answers or gold passages.
    Questions(Dataset),
    /// Over anonymised texts.
    Anonymised(Vec<Item>),
    /// Over records.
    Aggregate(Pages),
}

/// The files that a set names, which are all there.
pub(crate) struct Files {
    pub(crate) questions: PathBuf,
    pub(crate) corpus: Option<PathBuf>,
    key: Option<PathBuf>,
    gold: Option<PathBuf>,
}

impl Files {
    /// Questions, and texts where they do not come with them.
    pub(crate) fn new(questions: PathBuf, corpus: Option<PathBuf>) -> Self {
        Self {
            questions,
            corpus,
            key: None,
            gold: None,
        }
    }

    /// The files of an entry; the first that is missing, with why.
    fn of(entry: &Entry, suite: &Path) -> std::result::Result<Self, String> {
        let other = |path: &Option<String>| path.as_ref().map(|path| located(suite, path)).transpose();
        let questions = located(suite, &entry.questions)?;
        let beside = Some(questions.with_file_name(KEY)).filter(|key| entry.kind == Kind::Anonyrag && key.exists());
        Ok(Self {
            questions,
            corpus: other(&entry.corpus)?,
            key: other(&entry.key)?.or(beside),
            gold: other(&entry.gold)?,
        })
    }

    /// Of everything but the corpus.
    fn digest(&self) -> Result<String> {
        let mut digest = Sha256::new();
        feed(&mut digest, &self.questions)?;
        for file in [&self.key, &self.gold].into_iter().flatten() {
            feed(&mut digest, file)?;
        }
        Ok(hex(&digest.finalize()))
    }
}

impl Suite {
    /// Banyan alone in both modes, to be compared with itself.
    pub(crate) fn alone(name: &str, k: Vec<usize>) -> Self {
        Self {
            name: name.to_owned(),
            seed: seed(),
            seeds: Vec::new(),
            k,
            methods: BTreeSet::from([Method::Banyan]),
            modes: ModeName::all(),
            baseline: Method::Banyan.name().to_owned(),
            routes: false,
            sets: Vec::new(),
        }
    }

    /// Reads a suite and checks what can be checked without its sets.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let place = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read the suite"))?;
        let suite: Self = parse_toml(&place.to_string(), &text)?;
        let mut names = BTreeSet::new();
        if let Some(entry) = suite.sets.iter().find(|entry| !names.insert(&entry.name)) {
            bail!(
                "{place}: two sets are called {}; expected names that differ",
                entry.name
            );
        }
        if suite.sets.is_empty() {
            bail!("{place}: no sets; expected at least one [[set]]");
        }
        if suite.k.is_empty() || suite.k.contains(&0) {
            bail!("{place}: k is {:?}; expected numbers from 1", suite.k);
        }
        if suite.methods.iter().all(|method| method.name() != suite.baseline) {
            bail!("{place}: baseline {:?} is not among the methods", suite.baseline);
        }
        Ok(suite)
    }
}

impl Entry {
    /// Finds the files and reads the questions; the reason where an optional set is left out.
    pub(crate) fn open(&self, suite: &Path) -> Result<Result<Opened<'_>, String>> {
        match Files::of(self, suite) {
            Ok(files) => self.load(files).map(Ok),
            Err(reason) if self.optional => Ok(Err(format!("{}: {reason}", self.name))),
            Err(reason) => bail!("set {}: {reason}", self.name),
        }
    }

    /// Reads the questions in files that are there.
    pub(crate) fn load(&self, files: Files) -> Result<Opened<'_>> {
        let content = match self.kind {
            Kind::Questions => Content::Questions(self.dataset(&files)?),
            Kind::Anonyrag => Content::Anonymised(read_items(&files.questions, files.key.as_deref())?),
            Kind::Aggregate => Content::Aggregate(Pages::read(&files.questions, files.gold.as_deref())?),
        };
        if files.corpus.is_none() && self.kind != Kind::Questions {
            bail!("set {}: no texts; expected a `corpus` in the suite", self.name);
        }
        Ok(Opened {
            entry: self,
            content,
            digest: files.digest()?,
            questions: files.questions,
            corpus: files.corpus,
        })
    }

    fn dataset(&self, files: &Files) -> Result<Dataset> {
        let name = files.questions.display().to_string();
        let text = fs::read_to_string(&files.questions).with_context(|| format!("{name}: cannot read"))?;
        let dataset = dataset::parse(&name, &text)?;
        if files.corpus.is_none() && dataset.passages.is_empty() {
            bail!(
                "set {}: {name} brings no passages; expected a `corpus` in the suite",
                self.name
            );
        }
        Ok(dataset)
    }
}

/// A path of the suite, which must lead somewhere.
fn located(suite: &Path, path: &str) -> std::result::Result<PathBuf, String> {
    let path = match path.strip_prefix('$') {
        None => suite.parent().unwrap_or(Path::new("")).join(path),
        Some(rest) => {
            let (variable, rest) = rest.split_once('/').unwrap_or((rest, ""));
            let base = env::var_os(variable).ok_or_else(|| format!("the variable {variable} is not set"))?;
            PathBuf::from(base).join(rest)
        }
    };
    match path.try_exists() {
        Ok(true) => Ok(path),
        Ok(false) => Err(format!("{}: there is no such file", path.display())),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

impl Opened<'_> {
    /// What a measurement depends on, as a digest: the program, the suite's settings, the data, and the embedder.
    pub(crate) fn key(&self, suite: &Suite, embedder: &str) -> Result<String> {
        let mut digest = Sha256::new();
        let program = env::current_exe().context("cannot tell where this program is")?;
        let program = fs::read(&program).with_context(|| format!("{}: cannot read", program.display()))?;
        digest.update(Sha256::digest(&program));
        let settings = Suite {
            sets: Vec::new(),
            name: String::new(),
            ..suite.clone()
        };
        digest.update(
            serde_json::to_vec(&(settings, &self.entry.name, self.entry.kind, embedder))
                .context("cannot encode the suite")?,
        );
        digest.update(&self.digest);
        if let Some(corpus) = &self.corpus {
            feed(&mut digest, corpus)?;
        }
        Ok(hex(&digest.finalize()))
    }
}

/// Every file below `path`, by name and content.
fn feed(digest: &mut Sha256, path: &Path) -> Result<()> {
    let reading = || format!("{}: cannot read", path.display());
    if path.is_dir() {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let mut entries: Vec<PathBuf> = entries
            .with_context(reading)?
            .into_iter()
            .map(|entry| entry.path())
            .collect();
        entries.sort();
        return entries.iter().try_for_each(|entry| feed(digest, entry));
    }
    let bytes = fs::read(path).with_context(reading)?;
    digest.update(path.file_name().unwrap_or_default().as_encoded_bytes());
    digest.update(Sha256::digest(&bytes));
    Ok(())
}

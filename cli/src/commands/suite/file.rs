//! The file of a suite, and the files of its sets.

use crate::config;
use crate::digest::{hex, sha256};
use anyhow::{Context, Result, bail};
use banyan_retrieve::eval::dataset::{self, Dataset};
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

/// A set of a suite.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// File of questions; a path is taken from the suite's directory, and may begin with a `$VARIABLE`.
    pub(crate) questions: String,
    /// File or directory of texts; the passages that come with the questions where there is none.
    pub(crate) corpus: Option<String>,
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
    pub(crate) dataset: Dataset,
    pub(crate) questions: PathBuf,
    pub(crate) corpus: Option<PathBuf>,
    /// Of the questions' file.
    digest: String,
}

impl Suite {
    /// Banyan alone in both modes, to be compared with itself.
    pub(crate) fn alone(name: &str, k: Vec<usize>) -> Self {
        Self {
            name: name.to_owned(),
            seed: seed(),
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
        let suite: Self = config::parse(&place.to_string(), &text)?;
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
        let questions = located(suite, &self.questions);
        let corpus = self.corpus.as_ref().map(|corpus| located(suite, corpus)).transpose();
        let (questions, corpus) = match questions.and_then(|questions| Ok((questions, corpus?))) {
            Ok(paths) => paths,
            Err(reason) if self.optional => return Ok(Err(format!("{}: {reason}", self.name))),
            Err(reason) => bail!("set {}: {reason}", self.name),
        };
        self.load(questions, corpus).map(Ok)
    }

    /// Reads the questions in a file that is there.
    pub(crate) fn load(&self, questions: PathBuf, corpus: Option<PathBuf>) -> Result<Opened<'_>> {
        let name = questions.display().to_string();
        let text = fs::read_to_string(&questions).with_context(|| format!("{name}: cannot read"))?;
        let dataset = dataset::parse(&name, &text)?;
        if corpus.is_none() && dataset.passages.is_empty() {
            bail!(
                "set {}: {name} brings no passages; expected a `corpus` in the suite",
                self.name
            );
        }
        Ok(Opened {
            entry: self,
            dataset,
            questions,
            corpus,
            digest: sha256(text.as_bytes()),
        })
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
        digest.update(serde_json::to_vec(&(settings, &self.entry.name, embedder)).context("cannot encode the suite")?);
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

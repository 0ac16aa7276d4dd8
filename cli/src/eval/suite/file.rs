//! The file of a suite, and the files of its sets.

use crate::config;
use crate::eval::anonyrag;
use crate::eval::directory::corpus;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};

/// A suite as it is written; an unknown key is an error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Seed of resampling.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Numbers of passages to count hits among.
    #[serde(default = "ks")]
    pub k: Vec<usize>,
    /// Whether answers count beside ranking: not where the weights of the answerer have seen the questions.
    #[serde(default = "answers")]
    pub answers: bool,
    /// The method that the others are compared with.
    #[serde(default = "baseline")]
    pub baseline: String,
    /// Its sets, at least one.
    #[serde(rename = "set")]
    pub sets: Vec<Entry>,
    #[serde(skip)]
    directory: PathBuf,
}

fn seed() -> u64 {
    42
}

fn ks() -> Vec<usize> {
    vec![2, 5, 8, 10]
}

fn answers() -> bool {
    true
}

fn baseline() -> String {
    "bm25".to_owned()
}

/// A set of a suite.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the report calls it.
    pub name: String,
    /// What is asked of it; questions with answers or gold passages by default.
    pub kind: Option<String>,
    /// File or directory of questions; a path is taken from the suite's directory, and may begin with a `$VARIABLE`.
    pub questions: PathBuf,
    /// File or directory of texts; the passages that come with the questions where there is none.
    pub corpus: Option<PathBuf>,
    /// Anonymised sets of one's own: the key, where it is not `key.json` beside the questions.
    pub key: Option<PathBuf>,
    /// Aggregative sets: gold records (CSV with a header).
    pub gold: Option<PathBuf>,
    /// Whether passages lose their titles, as most texts of users have none.
    #[serde(default)]
    pub untitled: bool,
    /// Whether the set may be left out where its files are not there.
    #[serde(default)]
    pub optional: bool,
    /// Least values by `method metric`.
    #[serde(default)]
    pub floor: BTreeMap<String, f64>,
}

impl Entry {
    /// The entry with its files where they are; else the first that is missing, with why.
    pub(super) fn located(&self, suite: &Suite) -> Result<Self, String> {
        let other = |path: &Option<PathBuf>| path.as_ref().map(|path| located(&suite.directory, path)).transpose();
        Ok(Self {
            questions: located(&suite.directory, &self.questions)?,
            corpus: other(&self.corpus)?,
            key: other(&self.key)?,
            gold: other(&self.gold)?,
            ..self.clone()
        })
    }

    /// The texts, for a kind that has them in a file of their own.
    ///
    /// # Errors
    /// When the set names none.
    pub fn texts(&self) -> Result<PathBuf> {
        let corpus = self.corpus.clone();
        corpus.with_context(|| format!("set {}: no texts; expected a `corpus` in the suite", self.name))
    }
}

impl Suite {
    /// Reads a suite and checks what can be checked without its sets.
    ///
    /// # Errors
    /// When it cannot be read, has an unknown key, no sets, two sets of one name, or a `k` of 0.
    pub fn read(file: &Path) -> Result<Self> {
        let place = file.display();
        let text = crate::corpus::text(file)?;
        let mut suite: Self = config::parse(&place.to_string(), &text)?;
        file.parent().unwrap_or(Path::new("")).clone_into(&mut suite.directory);
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
        Ok(suite)
    }

    /// A suite of one set.
    #[must_use]
    pub fn alone(entry: Entry) -> Self {
        Self {
            name: entry.name.clone(),
            seed: seed(),
            k: vec![2, 5, 10, 20],
            answers: answers(),
            baseline: baseline(),
            sets: vec![entry],
            directory: PathBuf::new(),
        }
    }

    /// The anonymised set that a directory holds: `questions.jsonl`, the corpus as `banyan eval` finds it and, apart
    /// from them,
    /// `key.json`.
    ///
    /// # Errors
    /// When the directory does not name its corpus.
    pub fn of_directory(directory: &Path) -> Result<Self> {
        let name = directory.file_name().unwrap_or_default();
        Ok(Self::alone(Entry {
            name: name.to_string_lossy().into_owned(),
            kind: Some(anonyrag::KIND.name.to_owned()),
            questions: directory.join("questions.jsonl"),
            corpus: Some(corpus(directory)?),
            ..Entry::default()
        }))
    }
}

/// A path of the suite, which must lead somewhere.
fn located(directory: &Path, path: &Path) -> Result<PathBuf, String> {
    let path = match path.to_str().and_then(|path| path.strip_prefix('$')) {
        None => directory.join(path),
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

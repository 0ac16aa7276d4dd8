//! A folder of one's own with questions whose evidence is told by regular expressions: is it among the first passages?

use super::ranking::rankings;
use crate::build::{Bounds, Timing, build};
use crate::corpus::{self, ReadOptions};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::Statements;
use crate::tree::grow;
use anyhow::{Context, Result, bail};
use banyan_engine::{ChunkId, Schema};
use banyan_retrieve::reason::{EmbeddedReasoner, Reasoner, Task};
use banyan_retrieve::{Config, Mode, Searcher};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// A question as its file has it.
#[derive(Deserialize)]
struct Line {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
}

/// The share of questions whose evidence stands in the first passages, by system.
#[derive(Clone, Debug, Serialize)]
pub struct EvidenceReport {
    /// The folder.
    pub set: String,
    /// Identity of the embedder.
    pub embedder: String,
    /// Passages of the corpus.
    pub passages: usize,
    /// Questions with evidence.
    pub questions: usize,
    /// Share by system and number of passages.
    pub systems: BTreeMap<String, BTreeMap<usize, f64>>,
}

/// The corpus of a set: `corpus/`, or the file or folder that `corpus.path` names, looked for from the set upwards; none
/// where the set is of another form.
pub fn folder(data: &Path) -> Option<PathBuf> {
    let own = data.join("corpus");
    if own.is_dir() {
        return Some(own);
    }
    let named = std::fs::read_to_string(data.join("corpus.path")).ok()?;
    let data = data.canonicalize().ok()?;
    let mut above = data.ancestors().map(|above| above.join(named.trim()));
    above.find(|place| place.exists())
}

/// Builds the corpus in memory, asks every question that tells its evidence, and counts those for which every regular
/// expression matches title or text of one of the first k passages.
///
/// # Errors
/// When the set cannot be read, or a regular expression is none.
pub fn evidence(data: &Path, corpus: PathBuf, ks: &[usize], env: &Environment) -> Result<EvidenceReport> {
    let lines = read(&data.join("questions.jsonl"))?;
    let embedding = Embedding::open(env)?;
    let documents = corpus::read(&[corpus], &ReadOptions::default(), env)?;
    let bounds = Bounds::strict(Schema::general()?);
    let mut timing = Timing::default();
    let mut knowledge = build(documents, Statements::embedded(), &bounds, &embedding, env, &mut timing)?;
    grow(&mut knowledge, &embedding, &mut timing)?;
    let searcher = embedding.searcher(knowledge);
    let top_k = ks.iter().copied().max().unwrap_or(1);
    let mut hits: BTreeMap<String, BTreeMap<usize, usize>> = BTreeMap::new();
    let bar = env.progress.bar("asking", lines.len());
    for (text, patterns) in &lines {
        env.stop.check()?;
        let question = embedding.questions(&[text.as_str()])?.remove(0);
        let mut ranked: BTreeMap<&str, Vec<ChunkId>> = rankings(&searcher, &question);
        let config = Config {
            top_k,
            ..Config::default()
        };
        let task = Task {
            searcher: &searcher,
            question: &question,
            evidence: &searcher.search(&question, &config),
            mode: Mode::Open,
            embedder: embedding.sentences(),
        };
        let found = EmbeddedReasoner::default().conclude(&task, &mut |_| {})?.evidence;
        ranked.insert("banyan", found.passages.iter().map(|passage| passage.chunk).collect());
        for (system, chunks) in ranked {
            for k in ks {
                let is_hit = holds(&searcher, &chunks[..chunks.len().min(*k)], patterns);
                *hits.entry(system.to_owned()).or_default().entry(*k).or_default() += usize::from(is_hit);
            }
        }
        bar.step();
    }
    let share = |n: usize| n as f64 / lines.len() as f64;
    let shares = |by_k: BTreeMap<usize, usize>| by_k.into_iter().map(|(k, n)| (k, share(n))).collect();
    Ok(EvidenceReport {
        set: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        embedder: embedding.id().to_owned(),
        passages: searcher.knowledge().chunks.len(),
        questions: lines.len(),
        systems: hits.into_iter().map(|(system, by_k)| (system, shares(by_k))).collect(),
    })
}

/// Whether every pattern matches one of the passages.
fn holds(searcher: &Searcher, chunks: &[ChunkId], patterns: &[Regex]) -> bool {
    let texts: Vec<String> = chunks
        .iter()
        .map(|chunk| searcher.knowledge().passage(*chunk))
        .collect();
    patterns
        .iter()
        .all(|pattern| texts.iter().any(|text| pattern.is_match(text)))
}

/// The questions that tell their evidence.
fn read(file: &Path) -> Result<Vec<(String, Vec<Regex>)>> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("{name}: cannot read"))?;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{name} line {number}");
        let line: Line = serde_json::from_str(line)
            .with_context(|| format!("{}: expected an object with `question` and `evidence`", place()))?;
        let patterns = line
            .evidence
            .iter()
            .map(|pattern| Regex::new(&format!("(?s){pattern}")));
        let patterns = patterns.collect::<Result<Vec<_>, _>>().with_context(place)?;
        if !patterns.is_empty() {
            lines.push((line.question, patterns));
        }
    }
    if lines.is_empty() {
        bail!("{name}: no question tells its evidence; expected `evidence`, a list of regular expressions");
    }
    Ok(lines)
}

impl Display for EvidenceReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} questions with evidence over {} passages, embedder {}",
            self.set, self.questions, self.passages, self.embedder
        )?;
        for (system, by_k) in &self.systems {
            write!(f, "\n  {system:<8}")?;
            for (k, share) in by_k {
                write!(f, "  evidence@{k} {share:.3}")?;
            }
        }
        Ok(())
    }
}

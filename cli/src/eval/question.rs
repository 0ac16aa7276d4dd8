//! Questions with accepted answers, gold passages or evidence, asked of Banyan and of what a user has for free.

use super::Built;
use super::dataset::{self, Dataset, QaPair};
use super::metric::{all_gold, recall, rounded};
use super::ranking::{Ranking, documents as ranked_documents, gold, rankings};
use super::report::{Asked, Cost, Part, Source};
use super::suite::{Bench, Entry, Kind, Work};
use crate::corpus::{self, ReadOptions};
use crate::cpu;
use crate::environment::Environment;
use crate::timing::Timing;
use anyhow::{Result, bail, ensure};
use banyan_engine::document::canonicalise;
use banyan_engine::embed::{EmbedError, Embedder, Vectors};
use banyan_engine::{ChunkId, Document, Origin};
use banyan_retrieve::answer::score::score;
use banyan_retrieve::reason::{Conclusion, EmbeddedReasoner, Reasoner, Task as Reasoning};
use banyan_retrieve::route::{Route, Routes};
use banyan_retrieve::{Answer, Config, Evidence, Mode, Question, Searcher};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What search with the answer's steps is called, search alone, and answers in reject mode.
pub(super) const BANYAN: &str = "banyan";
pub(super) const SEARCH: &str = "banyan routes";
pub(super) const REJECT: &str = "banyan reject";
/// What all routes together are called beside each without one.
pub(super) const ALL_ROUTES: &str = "all";

/// This kind of set.
pub const KIND: Kind = Kind {
    name: "questions",
    open,
};

fn open(entry: &Entry) -> Result<Work> {
    let (entry, dataset) = (entry.clone(), dataset::read(&entry.questions)?);
    if entry.corpus.is_none() && dataset.passages.is_empty() {
        let (name, place) = (&entry.name, entry.questions.display());
        bail!("set {name}: {place} brings no passages; expected a `corpus` in the suite");
    }
    Ok(Box::new(move |bench| {
        let task = Task {
            documents: documents(&entry, &dataset, bench.env)?,
            dataset: &dataset,
            beside: Beside::default(),
            name: entry.name,
        };
        Ok(measure(task, bench)?.part)
    }))
}

/// A set with the facts it is measured on.
pub(super) struct Task<'a> {
    /// The set's name.
    pub name: String,
    /// Its questions.
    pub dataset: &'a Dataset,
    /// In canonical order, gold passages with the ids that questions know them by.
    pub documents: Vec<Document>,
    /// What is measured beside ranking and answers.
    pub beside: Beside,
}

/// What is measured beside ranking and answers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// What search alone ranks, without the passages of an answer's steps.
    pub search: bool,
    /// Search without each route and by each alone.
    pub routes: bool,
}

/// What became of a set.
pub(super) struct Measured {
    /// A value for every question, method and metric.
    pub part: Part,
    /// Recall without each route and by each alone, where that was asked for.
    pub(super) routes: Option<Part>,
    /// The documents that Banyan ranked for each question.
    pub(super) rankings: Vec<Ranking>,
    pub(super) gold: Vec<BTreeSet<usize>>,
    pub(super) searcher: Searcher,
    pub(super) timing: Timing,
    pub(super) search_ms: Vec<f64>,
}

/// The set's texts in canonical order, without titles where the set asks for that, gold passages with the ids that
/// questions know them by.
///
/// # Errors
/// When they cannot be read, or do not hold the gold passages.
pub(super) fn documents(entry: &Entry, dataset: &Dataset, env: &Environment) -> Result<Vec<Document>> {
    let mut documents = titled(entry, dataset, env)?;
    if entry.untitled {
        documents = documents.into_iter().map(untitled).collect();
    }
    canonicalise(&mut documents);
    Ok(documents)
}

fn untitled(document: Document) -> Document {
    let Document {
        text, layout, origins, ..
    } = document;
    Document {
        layout,
        origins,
        ..Document::new("", text, Origin::default())
    }
}

fn titled(entry: &Entry, dataset: &Dataset, env: &Environment) -> Result<Vec<Document>> {
    let name = corpus::name(&entry.questions);
    let Some(path) = &entry.corpus else {
        return Ok(dataset.documents(&name));
    };
    let mut documents = corpus::read(std::slice::from_ref(path), &ReadOptions::default(), env)?;
    let missing = dataset.find_gold_in(&name, &mut documents);
    ensure!(
        missing.is_empty(),
        "set {}: {} gold passages are not in {}, the first is {:?}; expected a corpus that holds them",
        entry.name,
        missing.len(),
        path.display(),
        missing[0]
    );
    Ok(documents)
}

/// Builds the set's corpus into a temporary store, opens it and asks the questions.
///
/// # Errors
/// When the user asked to stop, or a question names gold that the corpus does not hold.
pub(super) fn measure(task: Task<'_>, bench: &Bench<'_>) -> Result<Measured> {
    let (env, ks) = (bench.env, &bench.suite.k);
    // Where memory cannot be counted afresh, the peak would be that of the sets before.
    let is_fresh = cpu::reset_peak();
    let Task {
        name,
        dataset,
        documents,
        beside,
    } = task;
    let Built { searcher, dump, timing } = Built::new(documents, bench.reading, bench)?;
    let pairs = &dataset.questions;
    let gold = gold(&searcher, pairs)?;
    let mut part = Part {
        set: name,
        source: Source {
            store: dump,
            embedder: bench.embedding.id().to_owned(),
            n_documents: searcher.knowledge().documents.len(),
        },
        questions: pairs.iter().zip(&gold).map(|(pair, gold)| asked(pair, gold)).collect(),
        baseline: bench.suite.baseline.clone(),
        ..Part::default()
    };
    let mut routes = beside.routes.then(|| Part {
        set: format!("{} by route", part.set),
        questions: part.questions.clone(),
        baseline: ALL_ROUTES.to_owned(),
        ..Part::default()
    });
    let top_k = ks.iter().copied().max().unwrap_or(1);
    // Several chunks may belong to one document, so more chunks are ranked than documents wanted.
    let config = Config {
        top_k: 3 * top_k,
        ..Config::default()
    };
    let (mut ranked, mut search_ms, mut answer_ms) = (Vec::new(), Vec::new(), Vec::new());
    let bar = env.progress.bar("asking", pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        env.stop.check()?;
        let wanted = Wanted {
            searcher: &searcher,
            at,
            gold: &gold[at],
            evidence: &pair.evidence,
            ks,
        };
        let question = bench.embedding.questions(&[pair.question.as_str()])?.remove(0);
        for (name, chunks) in rankings(&searcher, &question) {
            wanted.mark(&mut part, name, &chunks);
        }
        let embedder = bench.embedding.sentences().map(Timed::new);
        let embedder = embedder.as_ref();
        let start = Instant::now();
        let evidence = searcher.search(&question, &config);
        search_ms.push(start.elapsed().as_secs_f64() * 1000.0);
        let open = conclude(&searcher, &question, &evidence, (Mode::Open, embedder))?;
        let embedding = embedder.map_or(Duration::ZERO, Timed::spent);
        answer_ms.push(start.elapsed().saturating_sub(embedding).as_secs_f64() * 1000.0);
        let reject = conclude(&searcher, &question, &evidence, (Mode::Reject, embedder))?;
        if beside.search {
            wanted.mark(&mut part, SEARCH, &chunks(&evidence));
        }
        ranked.push(wanted.mark(&mut part, BANYAN, &chunks(&open.evidence)));
        if bench.suite.answers {
            mark_answer(&mut part, BANYAN, at, pair, Some(&open.answer));
            mark_answer(&mut part, REJECT, at, pair, Some(&reject.answer));
        }
        if let Some(routes) = &mut routes {
            wanted.mark(routes, ALL_ROUTES, &chunks(&evidence));
            for route in Route::ALL {
                let mut by = |name: String, routes_on| {
                    let config = Config {
                        routes: routes_on,
                        ..config.clone()
                    };
                    wanted.mark(routes, &name, &chunks(&searcher.search(&question, &config)));
                };
                by(format!("without {route}"), config.routes.without(route));
                by(format!("{route} alone"), Routes::only(route));
            }
        }
        bar.step();
    }
    drop(bar);
    answer_ms.sort_by(f64::total_cmp);
    search_ms.sort_by(f64::total_cmp);
    part.cost = Cost {
        query_ms: answer_ms.into_iter().map(rounded).collect(),
        ..Cost::of_build(&timing, is_fresh)
    };
    Ok(Measured {
        part,
        routes,
        rankings: ranked,
        gold,
        searcher,
        timing,
        search_ms,
    })
}

/// An embedder whose time is taken, which figures of a question leave out.
struct Timed<'a> {
    inner: &'a dyn Embedder,
    microseconds: AtomicU64,
}

impl<'a> Timed<'a> {
    fn new(inner: &'a dyn Embedder) -> Self {
        Self {
            inner,
            microseconds: AtomicU64::new(0),
        }
    }

    fn spent(&self) -> Duration {
        Duration::from_micros(self.microseconds.load(Ordering::Relaxed))
    }
}

impl Embedder for Timed<'_> {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dimension(&self) -> usize {
        self.inner.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        let start = Instant::now();
        let vectors = self.inner.embed(texts);
        let spent = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(spent, Ordering::Relaxed);
        vectors
    }
}

/// A question with the groups that it counts in: the set's kind, and how many passages hold its evidence.
fn asked(pair: &QaPair, gold: &BTreeSet<usize>) -> Asked {
    let kind = Some(pair.kind.clone()).filter(|kind| !kind.is_empty());
    let n_gold = (!gold.is_empty()).then(|| format!("{} gold", gold.len()));
    Asked {
        id: pair.id.clone(),
        text: pair.question.clone(),
        accepted: pair.answers.clone(),
        groups: kind.into_iter().chain(n_gold).collect(),
    }
}

fn conclude(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    (mode, embedder): (Mode, Option<&Timed<'_>>),
) -> Result<Conclusion> {
    let task = Reasoning {
        searcher,
        question,
        evidence,
        mode,
        embedder: embedder.map(|embedder| embedder as &dyn Embedder),
    };
    Ok(EmbeddedReasoner::default().conclude(&task, &mut |_| {})?)
}

fn chunks(evidence: &Evidence) -> Vec<ChunkId> {
    evidence.passages.iter().map(|passage| passage.chunk).collect()
}

/// What a ranking for the question at a position is measured by.
struct Wanted<'a> {
    searcher: &'a Searcher,
    at: usize,
    gold: &'a BTreeSet<usize>,
    evidence: &'a [Regex],
    ks: &'a [usize],
}

impl Wanted<'_> {
    /// Sets down a ranking of chunks, and gives the documents of its first ones. Gold documents are counted among the
    /// first k documents; evidence stands where each expression matches title or text of one of the first k chunks.
    fn mark(&self, part: &mut Part, method: &str, ranking: &[ChunkId]) -> Ranking {
        let top_k = self.ks.iter().copied().max().unwrap_or(1);
        let documents = ranked_documents(self.searcher, ranking.iter().copied(), top_k);
        mark_ranking(part, method, self.at, &documents, self.gold, self.ks);
        if !self.evidence.is_empty() {
            let first = ranking.iter().take(top_k);
            let texts: Vec<String> = first.map(|chunk| self.searcher.knowledge().passage(*chunk)).collect();
            for k in self.ks {
                let shown = &texts[..texts.len().min(*k)];
                let stands = |expression: &Regex| shown.iter().any(|text| expression.is_match(text));
                let is_there = self.evidence.iter().all(stands);
                part.score(method, &format!("evidence@{k}"), self.at, f64::from(u8::from(is_there)));
            }
        }
        documents
    }
}

/// Sets down a ranking of documents for a question with gold.
pub(super) fn mark_ranking(
    part: &mut Part,
    method: &str,
    at: usize,
    ranking: &[usize],
    gold: &BTreeSet<usize>,
    ks: &[usize],
) {
    for k in ks.iter().filter(|_| !gold.is_empty()) {
        part.score(method, &format!("recall@{k}"), at, recall(ranking, gold, *k));
        part.score(method, &format!("all-gold@{k}"), at, all_gold(ranking, gold, *k));
    }
}

/// Sets down an answer, none where a reply was of no use. A question that was refused does not count in `em` and `f1`,
/// but in
/// `answered`.
pub(super) fn mark_answer(part: &mut Part, method: &str, at: usize, pair: &QaPair, found: Option<&Answer>) {
    let text = found.and_then(|found| found.text.clone());
    if !pair.answers.is_empty() {
        if found.is_none_or(|found| !found.is_rejected) {
            let (em, f1) = score(text.as_deref(), &pair.answers);
            part.score(method, "em", at, em);
            part.score(method, "f1", at, f1);
        }
        part.score(method, "answered", at, f64::from(u8::from(text.is_some())));
    }
    let sure = found
        .filter(|_| text.is_some())
        .map_or(0.0, |found| rounded(found.sufficiency.into()));
    part.answer(method, text, sure);
}

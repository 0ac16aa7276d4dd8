//! `banyan eval`: questions with known answers, and how well they are answered beside what a user has for free.

use crate::build::{Bounds, Stage, Timing, build, save};
use crate::corpus::{self, ReadOptions};
use crate::cpu;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::eval::ablation::Ablation;
use crate::eval::asked::{Asked, groups};
use crate::eval::multihop::{Ranking, gold};
use crate::eval::report::{Answers, Rejection, Report, System};
use crate::eval::sensitivity::Sensitivity;
use crate::extraction::{Asking, ExtractorKind, Statements};
use crate::reasoning::ReasonerKind;
use crate::tree::grow;
use anyhow::{Context, Result};
use banyan_engine::schema::SchemaMode;
use banyan_engine::store::{self, Writer};
use banyan_engine::{QaPair, Schema, Settings};
use banyan_retrieve::Searcher;
use reasoned::ModelAnswers;
use replies::Replies;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

pub mod ablation;
pub mod asked;
pub mod coverage;
pub mod evidence;
pub mod metric;
pub mod multihop;
pub mod peer;
pub mod questions;
mod reasoned;
mod replies;
pub mod report;
pub mod sensitivity;

/// Seed of the bootstrap.
const SEED: u64 = 42;
/// Stored rankings of other systems, beside the questions.
const PEERS: &str = "peer_outputs.jsonl";
/// What Banyan is called in the table, and Banyan on recorded facts.
const BANYAN: &str = "banyan";
/// What search alone is called: the routes without the passages of steps.
const SEARCH: &str = "banyan routes";
const RECORDED: &str = "recorded";

/// How a set is measured.
#[derive(Clone, Debug)]
pub struct EvalOptions {
    /// Who reads the facts.
    pub extractor: ExtractorKind,
    /// Who answers beside the embedded reasoner.
    pub reasoner: ReasonerKind,
    /// Most rounds of a model that answers.
    pub max_rounds: usize,
    /// A recording of another system's facts, to be measured beside those of `extractor`.
    pub recorded: Option<PathBuf>,
    /// Measure also without each route and by each route alone.
    pub ablation: bool,
    /// Measure also with each weight of retrieval halved and raised by half.
    pub sensitivity: bool,
    /// Numbers of passages to count hits among.
    pub k: Vec<usize>,
}

impl Default for EvalOptions {
    fn default() -> Self {
        Self {
            extractor: ExtractorKind::Embedded,
            reasoner: ReasonerKind::Embedded,
            max_rounds: 5,
            recorded: None,
            ablation: false,
            sensitivity: false,
            k: vec![2, 5, 8, 10],
        }
    }
}

/// What a set came to.
#[derive(Serialize)]
pub struct Evaluation {
    #[serde(flatten)]
    report: Report,
    build: BuildFigures,
    query: QueryFigures,
    /// Recall with changed weights, where that was asked for.
    sensitivity: Option<Sensitivity>,
    /// Answers on recorded facts, where there are such.
    recorded_answers: Option<Answers>,
    /// Answers by a language model, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_answers: Option<ModelAnswers>,
    per_question: Vec<Asked>,
}

#[derive(Serialize)]
struct BuildFigures {
    /// Apart from embedding.
    cpu_seconds: f64,
    embedding_cpu_seconds: f64,
    peak_mb: Option<u64>,
    stages: Vec<Stage>,
}

#[derive(Serialize)]
struct QueryFigures {
    /// Search, apart from embedding the question.
    #[serde(flatten)]
    search: Latency,
    /// The same with the answer.
    with_answer: Latency,
}

#[derive(Serialize)]
struct Latency {
    p50_ms: f64,
    p95_ms: f64,
}

impl Latency {
    fn of(times: &mut [f64]) -> Self {
        Self {
            p50_ms: percentile(times, 50),
            p95_ms: percentile(times, 95),
        }
    }
}

/// What stays the same while a set is measured.
struct Bench<'a> {
    data: &'a Path,
    options: &'a EvalOptions,
    questions: Vec<QaPair>,
    top_k: usize,
    env: &'a Environment,
}

/// Builds a temporary store from `corpus.jsonl` in `data` and asks it the questions of `questions.jsonl`.
///
/// # Errors
/// When the set cannot be read, or a model cannot be had.
pub fn evaluate(data: &Path, options: &EvalOptions, env: &Environment) -> Result<Evaluation> {
    let ks = &options.k;
    let bench = Bench {
        data,
        options,
        questions: questions::read(&data.join("questions.jsonl"))?,
        top_k: ks.iter().copied().max().unwrap_or(1),
        env,
    };
    let embedding = Embedding::open(env)?;
    let mut timing = Timing::default();
    let searcher = bench.open(&options.extractor, &embedding, &mut timing)?;
    let gold = gold(&searcher, &bench.questions)?;
    let mut replies = Replies::gather(&bench, &searcher, &gold, &embedding, options.ablation)?;
    let build = BuildFigures::new(timing);
    let mut rankings = replies.baselines.clone();
    rankings.extend(bench.peers(&searcher)?);
    rankings.insert(BANYAN.to_owned(), replies.rankings.clone());
    rankings.insert(SEARCH.to_owned(), replies.searched.clone());
    let mut recorded_answers = None;
    if let Some(file) = &options.recorded {
        let recorded = bench.open(
            &ExtractorKind::Recorded(file.clone()),
            &embedding,
            &mut Timing::default(),
        )?;
        let replies = Replies::gather(&bench, &recorded, &gold, &embedding, false)?;
        recorded_answers = answers(&replies.asked);
        rankings.insert(RECORDED.to_owned(), replies.rankings);
    }
    let system = |(name, lists): (String, Vec<Ranking>)| (name, System::new(&lists, &gold, ks, SEED));
    Ok(Evaluation {
        report: Report {
            dataset: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            embedder: embedding.id().to_owned(),
            passages: searcher.knowledge().documents.len(),
            questions: bench.questions.len(),
            scored: gold.iter().filter(|gold| !gold.is_empty()).count(),
            systems: rankings.into_iter().map(system).collect(),
            answers: answers(&replies.asked),
            rejection: Rejection::new(&replies.asked),
            groups: groups(&replies.asked, &replies.rankings, &gold, ks),
            ablation: options
                .ablation
                .then(|| Ablation::new(&replies.variants, &replies.searched, &gold, ks, SEED)),
        },
        build,
        query: QueryFigures {
            search: Latency::of(&mut replies.times),
            with_answer: Latency::of(&mut replies.answer_times),
        },
        sensitivity: options
            .sensitivity
            .then(|| Sensitivity::new(&replies.shaken, &replies.searched, &gold, ks, SEED)),
        recorded_answers,
        model_answers: ModelAnswers::gather(&bench, &searcher, &embedding)?,
        per_question: replies.asked,
    })
}

fn answers(asked: &[Asked]) -> Option<Answers> {
    Answers::new(&asked.iter().filter_map(Asked::scores).collect::<Vec<_>>())
}

impl BuildFigures {
    fn new(timing: Timing) -> Self {
        Self {
            cpu_seconds: timing.cpu_without_embedding(),
            embedding_cpu_seconds: timing.cpu_of_embedding(),
            peak_mb: cpu::peak_mb(),
            stages: timing.stages,
        }
    }
}

impl Bench<'_> {
    /// Builds a store with the facts that `extractor` reads, and opens it.
    fn open(&self, extractor: &ExtractorKind, embedding: &Embedding, timing: &mut Timing) -> Result<Searcher> {
        let env = self.env;
        let corpus = [self.data.join("corpus.jsonl")];
        let documents = timing.stage("read", || corpus::read(&corpus, &ReadOptions::default(), env))?;
        let schema = Schema::general()?;
        let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
        let path = directory.path().join("store");
        let asking = Asking {
            env,
            store: &path,
            schema: &schema,
            mode: SchemaMode::Strict,
            counter: embedding.counter(),
            max_chunk_tokens: Settings::default().max_chunk_tokens,
            failed: &[],
        };
        let statements = Statements::gather(extractor, &documents, &asking)?;
        let bounds = Bounds::strict(schema);
        let mut knowledge = build(documents, statements, &bounds, embedding, env, timing)?;
        grow(&mut knowledge, embedding, timing)?;
        env.stop.check()?;
        save(&Writer::lock(&path)?, &knowledge, env, timing)?;
        drop(knowledge);
        timing.stage("open", || Ok(embedding.searcher(store::read(&path)?)))
    }

    /// The stored rankings of other systems; none where the set has none.
    fn peers(&self, searcher: &Searcher) -> Result<BTreeMap<String, Vec<Ranking>>> {
        let file = self.data.join(PEERS);
        if !file.exists() {
            return Ok(BTreeMap::new());
        }
        let outputs = peer::parse(&questions::text(&file)?).with_context(|| file.display().to_string())?;
        Ok(peer::rankings(searcher, &self.questions, &outputs))
    }
}

/// A corpus with the facts that the embedded rules read, built in a temporary store and opened.
///
/// # Errors
/// When it cannot be read or embedded.
pub fn measured(corpus: &Path, embedding: &Embedding, env: &Environment) -> Result<Searcher> {
    let documents = corpus::read(&[corpus.to_owned()], &ReadOptions::default(), env)?;
    let bounds = Bounds::strict(Schema::general()?);
    let mut timing = Timing::default();
    let knowledge = build(documents, Statements::embedded(), &bounds, embedding, env, &mut timing)?;
    Ok(embedding.searcher(knowledge))
}

fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or(0.0)
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let BuildFigures {
            cpu_seconds,
            embedding_cpu_seconds,
            peak_mb,
            stages,
        } = &self.build;
        writeln!(f, "{}", self.report)?;
        if let Some(sensitivity) = &self.sensitivity {
            writeln!(f, "{sensitivity}")?;
        }
        if let Some(Answers { scored, em, f1 }) = self.recorded_answers {
            writeln!(
                f,
                "answers on recorded facts: exact match {em:.3}, F1 {f1:.3} on {scored} questions"
            )?;
        }
        if let Some(answers) = &self.model_answers {
            writeln!(f, "{answers}")?;
        }
        let peak = peak_mb.map_or_else(|| "unknown".to_owned(), |mb| format!("{mb} MB"));
        let stages: Vec<String> = stages
            .iter()
            .map(|stage| format!("{} {:.2}", stage.name, stage.cpu_seconds))
            .collect();
        writeln!(
            f,
            "build {cpu_seconds:.2} s cpu and {embedding_cpu_seconds:.2} s embedding, peak {peak}; cpu by stage: {}",
            stages.join(", ")
        )?;
        let QueryFigures { search, with_answer } = &self.query;
        write!(
            f,
            "query p50 {:.2} ms, p95 {:.2} ms; with the answer {:.2} and {:.2} ms; apart from embedding the question",
            search.p50_ms, search.p95_ms, with_answer.p50_ms, with_answer.p95_ms
        )
    }
}

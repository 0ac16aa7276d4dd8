//! A directory with a corpus and questions: recall of gold passages and answers, beside what a user has for free.

use super::dataset;
use super::ranking::{Ranking, gold};
use super::sheet::{Asking, Sheet};
use crate::build::{Bounds, Stage, Timing, build, save};
use crate::corpus::{self, ReadOptions};
use crate::cpu;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::extraction::{self, ExtractorKind, Statements};
use crate::reasoning::ReasonerKind;
use crate::tree::grow;
use anyhow::{Context, Result};
use asked::{Asked, groups};
use banyan_engine::schema::SchemaMode;
use banyan_engine::store::{self, Writer};
use banyan_engine::{QaPair, Schema, Settings};
use banyan_retrieve::Searcher;
use reasoned::ModelAnswers;
use report::{Answers, Rejection, Report, System};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) mod ablation;
mod asked;
mod peer;
mod reasoned;
mod report;

/// Seed of the bootstrap.
const SEED: u64 = 42;
/// Stored rankings of other systems, beside the questions.
const PEERS: &str = "peer_outputs.jsonl";
/// What Banyan is called in the table, search alone (without the passages of steps), and Banyan on recorded facts.
const BANYAN: &str = "banyan";
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
    /// Nothing since weights are no longer shaken; programs that read the report may look for it.
    sensitivity: (),
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
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let within = |percent: usize| {
            let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
            times.get(at).copied().unwrap_or(0.0)
        };
        Self {
            p50_ms: within(50),
            p95_ms: within(95),
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
        questions: dataset::read(&data.join("questions.jsonl"))?.questions,
        top_k: ks.iter().copied().max().unwrap_or(1),
        env,
    };
    let embedding = Embedding::open(env)?;
    let mut timing = Timing::default();
    let searcher = bench.open(&options.extractor, &embedding, &mut timing)?;
    let gold = gold(&searcher, &bench.questions)?;
    let sheet = bench.ask(&searcher, &embedding, options.ablation)?;
    let asked = bench.asked(&searcher, &sheet, &gold);
    let build = BuildFigures::new(timing);
    let mut recorded_answers = None;
    let mut rankings = bench.peers(&searcher)?;
    if let Some(file) = &options.recorded {
        let recorded = bench.open(
            &ExtractorKind::Recorded(file.clone()),
            &embedding,
            &mut Timing::default(),
        )?;
        let sheet = bench.ask(&recorded, &embedding, false)?;
        recorded_answers = answers(&bench.asked(&recorded, &sheet, &gold));
        rankings.insert(RECORDED.to_owned(), sheet.rankings);
    }
    let ablation =
        (options.ablation).then(|| ablation::Ablation::new(&sheet.variants, &sheet.searched, &gold, ks, SEED));
    let groups = groups(&asked, &sheet.rankings, &gold, ks);
    rankings.extend(sheet.baselines);
    rankings.insert(BANYAN.to_owned(), sheet.rankings);
    rankings.insert(SEARCH.to_owned(), sheet.searched);
    let system = |(name, lists): (String, Vec<Ranking>)| (name, System::new(&lists, &gold, ks, SEED));
    Ok(Evaluation {
        report: Report {
            dataset: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            embedder: embedding.id().to_owned(),
            passages: searcher.knowledge().documents.len(),
            questions: bench.questions.len(),
            scored: gold.iter().filter(|gold| !gold.is_empty()).count(),
            systems: rankings.into_iter().map(system).collect(),
            answers: answers(&asked),
            rejection: Rejection::new(&asked),
            groups,
            ablation,
        },
        build,
        query: QueryFigures {
            search: Latency::of(sheet.times),
            with_answer: Latency::of(sheet.answer_times),
        },
        sensitivity: (),
        recorded_answers,
        model_answers: ModelAnswers::gather(&bench, &searcher, &embedding)?,
        per_question: asked,
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
        let asking = extraction::Asking {
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

    fn ask(&self, searcher: &Searcher, embedding: &Embedding, is_ablated: bool) -> Result<Sheet> {
        let asking = Asking {
            searcher,
            pairs: &self.questions,
            top_k: self.top_k,
            also_rejects: false,
            is_ablated,
            env: self.env,
        };
        asking.ask(embedding)
    }

    fn asked(&self, searcher: &Searcher, sheet: &Sheet, gold: &[BTreeSet<usize>]) -> Vec<Asked> {
        let answered = sheet.answers.iter().zip(&sheet.rankings);
        let each = self.questions.iter().zip(answered).zip(gold);
        each.map(|((pair, (answer, ranking)), gold)| Asked::new(searcher, pair, answer, ranking, gold))
            .collect()
    }

    /// The stored rankings of other systems; none where the set has none.
    fn peers(&self, searcher: &Searcher) -> Result<BTreeMap<String, Vec<Ranking>>> {
        let file = self.data.join(PEERS);
        if !file.exists() {
            return Ok(BTreeMap::new());
        }
        let text = fs::read_to_string(&file).with_context(|| format!("{}: cannot read", file.display()))?;
        let outputs = peer::parse(&text).with_context(|| file.display().to_string())?;
        Ok(peer::rankings(searcher, &self.questions, &outputs))
    }
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

//! `banyan eval multihop`: recall of gold passages, beside what a user has for free.

use crate::Outcome;
use crate::args::{Global, Multihop};
use crate::build::{Bounds, Stage, Timing, build, save};
use crate::compose::Embedding;
use crate::extraction::{Asking, Statements};
use crate::patterns::Compiled;
use crate::progress::Progress;
use crate::stop::Stop;
use crate::{corpus, cpu, render};
use anyhow::{Context, Result, bail};
use banyan_engine::schema::SchemaMode;
use banyan_engine::store::{self, Writer};
use banyan_engine::{QaPair, Schema, Settings};
use banyan_retrieve::eval::asked::Asked;
use banyan_retrieve::eval::multihop::{Ranking, baselines, documents, gold};
use banyan_retrieve::eval::report::{Answers, Report, System};
use banyan_retrieve::{Config, Mode, Question, Searcher, answer};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Seed of the bootstrap.
const SEED: u64 = 42;

#[derive(Serialize)]
struct Output {
    #[serde(flatten)]
    report: Report,
    build: BuildFigures,
    query: QueryFigures,
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
    /// Apart from embedding the question.
    p50_ms: f64,
    p95_ms: f64,
}

pub(crate) fn run(args: &Multihop, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let questions = read_questions(&args.data.join("questions.jsonl"))?;
    let mut embedding = Embedding::open(global, progress)?;
    let mut timing = Timing::default();
    let searcher = build_in_temporary_store(args, &mut embedding, progress, stop, &mut timing)?;
    let gold = gold(&searcher, &questions)?;
    let ks: Vec<usize> = args.k.iter().map(|k| usize::from(*k)).collect();
    let mut replies = Replies::default();
    let bar = progress.bar("asking", questions.len());
    for (pair, gold) in questions.iter().zip(&gold) {
        stop.check()?;
        let question = Question::new(&pair.question, embedding.question(&pair.question)?);
        replies.ask(&searcher, &question, pair, gold, ks.iter().copied().max().unwrap_or(1));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let systems = replies.rankings.iter();
    let output = Output {
        report: Report {
            dataset: args.data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            embedder: embedding.id().to_owned(),
            passages: searcher.knowledge().documents.len(),
            questions: questions.len(),
            scored: gold.iter().filter(|gold| !gold.is_empty()).count(),
            systems: systems
                .map(|(name, lists)| ((*name).to_owned(), System::new(lists, &gold, &ks, SEED)))
                .collect(),
            answers: Answers::new(&replies.asked.iter().filter_map(Asked::scores).collect::<Vec<_>>()),
        },
        build: BuildFigures::new(timing),
        query: QueryFigures {
            p50_ms: percentile(&mut replies.times, 50),
            p95_ms: percentile(&mut replies.times, 95),
        },
        per_question: replies.asked,
    };
    print(&output, args.json)?;
    Ok(Outcome::Done)
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

/// What came back, question by question.
#[derive(Default)]
struct Replies {
    rankings: BTreeMap<&'static str, Vec<Ranking>>,
    asked: Vec<Asked>,
    /// Milliseconds of each search.
    times: Vec<f64>,
}

impl Replies {
    fn ask(&mut self, searcher: &Searcher, question: &Question, pair: &QaPair, gold: &BTreeSet<usize>, top_k: usize) {
        for (name, ranking) in baselines(searcher, question, top_k) {
            self.rankings.entry(name).or_default().push(ranking);
        }
        // Several chunks may belong to one document, so more chunks are ranked than documents wanted.
        let config = Config {
            top_k: 3 * top_k,
            ..Config::default()
        };
        let start = Instant::now();
        let evidence = searcher.search(question, &config);
        self.times.push(start.elapsed().as_secs_f64() * 1000.0);
        let ranking = documents(searcher, evidence.passages.iter().map(|passage| passage.chunk), top_k);
        let found = answer(searcher, question, &evidence, Mode::Open);
        self.asked.push(Asked::new(searcher, pair, &found, &ranking, gold));
        self.rankings.entry("banyan").or_default().push(ranking);
    }
}

fn build_in_temporary_store(
    args: &Multihop,
    embedding: &mut Embedding,
    progress: Progress,
    stop: &Stop,
    timing: &mut Timing,
) -> Result<Searcher> {
    let corpus = [args.data.join("corpus.jsonl")];
    let documents = timing.stage("read", || corpus::read(&corpus, false, progress, stop))?;
    let schema = Schema::general()?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let path = directory.path().join("store");
    let asking = Asking {
        args: &args.model,
        store: &path,
        schema: &schema,
        mode: SchemaMode::Strict,
        counter: embedding.counter(),
        max_chunk_tokens: Settings::default().max_chunk_tokens,
        failed: &[],
        progress,
        stop,
    };
    let patterns = Compiled::chosen(args.patterns.as_deref(), &args.extractor, &schema)?;
    let statements = match patterns {
        Some(patterns) => Statements::compiled(patterns),
        None => Statements::gather(&args.extractor, &documents, &asking)?,
    };
    let knowledge = build(
        documents,
        statements,
        &Bounds::strict(schema),
        embedding,
        progress,
        stop,
        timing,
    )?;
    save(&Writer::lock(&path)?, &knowledge, progress, stop, timing)?;
    drop(knowledge);
    timing.stage("open", || Ok(Searcher::new(store::read(&path)?)))
}

fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or(0.0)
}

fn print(output: &Output, is_json: bool) -> Result<()> {
    if is_json {
        return render::json(output);
    }
    let BuildFigures {
        cpu_seconds,
        embedding_cpu_seconds,
        peak_mb,
        stages,
    } = &output.build;
    let peak = peak_mb.map_or_else(|| "unknown".to_owned(), |mb| format!("{mb} MB"));
    let stages: Vec<String> = stages
        .iter()
        .map(|stage| format!("{} {:.2}", stage.name, stage.cpu_seconds))
        .collect();
    render::text(&output.report.to_string())?;
    render::text(&format!(
        "build {cpu_seconds:.2} s cpu and {embedding_cpu_seconds:.2} s embedding, peak {peak}; cpu by stage: {}",
        stages.join(", ")
    ))?;
    render::text(&format!(
        "query p50 {:.2} ms, p95 {:.2} ms, apart from embedding the question",
        output.query.p50_ms, output.query.p95_ms
    ))
}

fn read_questions(file: &Path) -> Result<Vec<QaPair>> {
    let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    let questions = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| {
                format!(
                    "{} line {number}: expected an object with `id`, `question` and `gold`",
                    file.display()
                )
            })
        })
        .collect::<Result<Vec<QaPair>>>()?;
    if questions.is_empty() {
        bail!("{}: no questions", file.display());
    }
    Ok(questions)
}

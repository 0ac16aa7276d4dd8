//! A directory with a corpus and questions: every figure beside what a user has for free, what a build and a question
//! take, and where the gold passages of each question stand.

use super::Reading;
use super::dataset;
use super::model::ask_model;
use super::question::{self, BANYAN, Beside, Measured, Task};
use super::records::records;
use super::report::{self, Figure, Part, Report, figures};
use super::suite::{Bench, Entry, Suite};
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::eval::coverage::Coverage;
use crate::extraction::ExtractorKind;
use crate::language::Worker;
use crate::reasoning::AskOptions;
use anyhow::{Context, Result};
use banyan_engine::name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

const PEERS: &str = "peer_outputs.jsonl";
/// What Banyan on recorded facts is called.
const RECORDED: &str = "recorded";

/// How a directory is measured.
#[derive(Clone, Debug)]
pub struct EvalOptions {
    /// How the corpus is read.
    pub reading: Reading,
    /// Who answers beside the embedded reasoner, and in how many rounds.
    pub asking: AskOptions,
    /// A recording of another system's facts, to be measured beside those of `extractor`.
    pub recorded: Option<PathBuf>,
    /// Measure also without each route and by each route alone.
    pub ablation: bool,
    /// Take the titles from all passages.
    pub untitled: bool,
    /// Numbers of passages to count hits among.
    pub k: Vec<usize>,
}

/// What a directory came to. The parts of the report are the set, its questions by group, and its routes where asked for.
#[derive(Serialize)]
pub struct Evaluation {
    dataset: String,
    embedder: String,
    passages: usize,
    questions: usize,
    /// Questions with gold passages or evidence.
    scored: usize,
    systems: Value,
    /// Banyan's figures by the set's kind of question and by number of gold passages.
    groups: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    ablation: Option<Value>,
    /// Reject mode by exact match and by F1, where there are accepted answers.
    rejection: BTreeMap<&'static str, Coverage>,
    /// What a build takes, in all and by stage.
    build: Value,
    /// Percentiles of search, apart from embedding the question, and of search `with_answer`.
    query: Value,
    /// Where the gold passages of each question stand, from 1, and the titles of what was ranked, best first.
    per_question: Vec<Value>,
    #[serde(flatten)]
    report: Report,
    /// What stands below the table.
    #[serde(skip)]
    remarks: String,
}

/// The corpus of a set: `corpus.jsonl`, the folder `corpus`, or the file or folder that `corpus.path` names, looked for
/// from the set upwards.
pub(super) fn corpus(data: &Path) -> Result<PathBuf> {
    let (file, folder, pointer) = (data.join("corpus.jsonl"), data.join("corpus"), data.join("corpus.path"));
    if file.exists() || !folder.is_dir() && !pointer.exists() {
        return Ok(file);
    }
    if folder.is_dir() {
        return Ok(folder);
    }
    let named = crate::corpus::text(&pointer)?;
    let set = data.canonicalize();
    let set = set.with_context(|| format!("{}: cannot be opened", data.display()))?;
    let mut places = set.ancestors().map(|above| above.join(named.trim()));
    let found = places.find(|place| place.exists());
    found.with_context(|| {
        let (pointer, named) = (pointer.display(), named.trim());
        format!("{pointer}: neither the set's directory nor one above it holds {named:?}")
    })
}

/// Builds a temporary store from the corpus in `data` and asks it the questions of `questions.jsonl`.
///
/// # Errors
/// When the set cannot be read, or a model cannot be had.
pub fn evaluate(data: &Path, options: &EvalOptions, env: &Environment) -> Result<Evaluation> {
    let entry = Entry {
        name: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        questions: data.join("questions.jsonl"),
        corpus: Some(corpus(data)?),
        untitled: options.untitled,
        ..Entry::default()
    };
    let dataset = dataset::read(&entry.questions)?;
    let embedding = Embedding::open(env)?;
    let mut suite = Suite::alone(entry.clone());
    suite.k.clone_from(&options.k);
    let bench = Bench {
        suite: &suite,
        embedding: &embedding,
        reading: &options.reading,
        asking: &options.asking,
        env,
    };
    let documents = question::documents(&entry, &dataset, env)?;
    let measure = |reading: &Reading, routes| {
        let task = Task {
            name: entry.name.clone(),
            dataset: &dataset,
            documents: documents.clone(),
            beside: Beside { search: true, routes },
        };
        question::measure(task, &Bench { reading, ..bench })
    };
    let mut measured = measure(&options.reading, options.ablation)?;
    if let Some(file) = &options.recorded {
        let reading = Reading {
            extractor: ExtractorKind::Recorded(file.clone()),
            schema: options.reading.schema.clone(),
        };
        let mut recorded = measure(&reading, false)?.part;
        let method = recorded.methods.remove(BANYAN).unwrap_or_default();
        measured.part.methods.insert(RECORDED.to_owned(), method);
    }
    let peers = data.join(PEERS);
    if peers.exists() {
        add_peers(&mut measured, &peers, &options.k)?;
    }
    if options.asking.reasoner != Worker::Embedded {
        ask_model(&mut measured.part, &dataset.questions, &measured.searcher, &bench)?;
    }
    let command = format!("banyan eval {}", data.display());
    Ok(Evaluation::new(measured, command, suite.seed))
}

impl Evaluation {
    fn new(measured: Measured, command: String, seed: u64) -> Self {
        let per_question = per_question(&measured);
        let Measured {
            part,
            routes,
            timing,
            search_ms,
            ..
        } = measured;
        let groups = by_group(&part, BANYAN);
        let figures_of = |part: &Part| figures(part, seed);
        let systems = figures_of(&part);
        let of_groups = figures_of(&groups);
        let shown_groups = Some(groups).filter(|_| !of_groups.is_empty());
        let scored = systems.iter().filter(|one| one.metric.contains('@')).map(|one| one.n);
        let curves = ["em", "f1"].map(|metric| Some((metric, rejection(&part, metric)?)));
        let rejection: BTreeMap<&str, Coverage> = curves.into_iter().flatten().collect();
        let latency = |sorted: &[f64]| [50, 95].map(|percent| report::percentile(sorted, percent));
        let ([p50, p95], [p50_answered, p95_answered]) = (latency(&search_ms), latency(&part.cost.query_ms));
        let curves = rejection
            .iter()
            .map(|(metric, coverage)| format!("by {metric}: {coverage}\n"));
        let stages = timing
            .stages
            .iter()
            .map(|stage| format!("{} {:.2}", stage.name, stage.cpu_seconds));
        let remarks = format!(
            "{}cpu by stage: {}; search alone p50 {p50:.2} ms, p95 {p95:.2} ms",
            curves.collect::<String>(),
            stages.collect::<Vec<_>>().join(", ")
        );
        Self {
            dataset: part.set.clone(),
            embedder: part.source.embedder.clone(),
            passages: part.source.n_documents,
            questions: part.questions.len(),
            scored: scored.max().unwrap_or(0),
            systems: by_method(&systems),
            groups: by_method(&of_groups),
            ablation: routes.as_ref().map(|routes| by_method(&figures_of(routes))),
            rejection,
            build: json!({
                "cpu_seconds": part.cost.build_cpu_seconds, "embedding_cpu_seconds": part.cost.embedding_cpu_seconds,
                "peak_mb": part.cost.peak_mb, "stages": timing.stages,
            }),
            query: json!({
                "p50_ms": p50, "p95_ms": p95, "with_answer": {"p50_ms": p50_answered, "p95_ms": p95_answered},
            }),
            per_question,
            report: Report {
                suite: part.set.clone(),
                seed,
                command,
                parts: [Some(part), shown_groups, routes].into_iter().flatten().collect(),
                skipped: Vec::new(),
            },
            remarks,
        }
    }
}

fn per_question(measured: &Measured) -> Vec<Value> {
    let documents = measured.searcher.knowledge().documents.all();
    let title = |at: &usize| documents.get(*at).map_or("", |one| one.title.as_str());
    let each = measured
        .part
        .questions
        .iter()
        .zip(&measured.gold)
        .zip(&measured.rankings);
    each.map(|((asked, gold), ranking)| {
        let gold = gold.iter().map(|gold| {
            let rank = ranking.iter().position(|ranked| ranked == gold).map(|at| at + 1);
            json!({"title": title(gold), "rank": rank})
        });
        let retrieved: Vec<&str> = ranking.iter().map(title).collect();
        json!({"id": asked.id, "gold": gold.collect::<Vec<_>>(), "retrieved": retrieved})
    })
    .collect()
}

/// Figures as `method.metric.k`, or `method.metric` for those without k, and their intervals likewise below
/// `method.interval`.
fn by_method(figures: &[Figure]) -> Value {
    let mut methods = json!({});
    for figure in figures {
        let method = &mut methods[&figure.method];
        let metric = figure.metric.replace('-', "_");
        if let Some((metric, k)) = metric.split_once('@') {
            method[metric][k] = json!(figure.value);
            method["interval"][metric][k] = json!(figure.interval);
        } else {
            method[&metric] = json!(figure.value);
            method["interval"][&metric] = json!(figure.interval);
        }
    }
    methods
}

/// What a method made of the questions of each group, as if each group were a method.
fn by_group(part: &Part, method: &str) -> Part {
    let mut grouped = Part {
        set: format!("{}: {method} by group", part.set),
        questions: part.questions.clone(),
        ..Part::default()
    };
    let Some(method) = part.methods.get(method) else {
        return grouped;
    };
    for metric in method.scores.keys() {
        for (at, value) in method.values(metric) {
            for group in &part.questions[at].groups {
                grouped.score(group, metric, at, value);
            }
        }
    }
    grouped
}

/// The risk–coverage curve of Banyan's answers; a question without an answer is the least sure.
fn rejection(part: &Part, metric: &str) -> Option<Coverage> {
    let method = part.methods.get(BANYAN)?;
    let sure = |at: usize| method.answers[at].as_ref().map_or(-1.0, |_| method.confidence[at]);
    let answers: Vec<(f64, f64)> = method.values(metric).map(|(at, value)| (sure(at), value)).collect();
    Coverage::new(&answers)
}

#[derive(Deserialize)]
struct Peer {
    system: String,
    question_id: String,
    retrieved_titles: Vec<String>,
}

/// Sets down what other systems ranked; a title that no document has counts as a miss in its place.
fn add_peers(measured: &mut Measured, file: &Path, ks: &[usize]) -> Result<()> {
    let outputs: Vec<(String, Peer)> = records(file, "an object with `system`, `question_id` and `retrieved_titles`")?;
    let documents = measured.searcher.knowledge().documents.all().iter().zip(0..);
    let positions: HashMap<String, usize> = documents.map(|(one, at)| (name::key(&one.title), at)).collect();
    let ids = measured.part.questions.iter().zip(0..);
    let order: HashMap<String, usize> = ids.map(|(one, at)| (one.id.clone(), at)).collect();
    for (_, output) in outputs {
        // A question that a system did not answer is an empty ranking.
        if !measured.part.methods.contains_key(&output.system) {
            for (at, gold) in measured.gold.iter().enumerate() {
                question::mark_ranking(&mut measured.part, &output.system, at, &[], gold, ks);
            }
        }
        if let Some(at) = order.get(&output.question_id) {
            let titles = output.retrieved_titles.iter();
            let place = |title: &String| positions.get(&name::key(title)).copied().unwrap_or(usize::MAX);
            let ranking: Vec<usize> = titles.map(place).collect();
            let gold = &measured.gold[*at];
            question::mark_ranking(&mut measured.part, &output.system, *at, &ranking, gold, ks);
        }
    }
    Ok(())
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", report::text(&self.report), self.remarks)
    }
}

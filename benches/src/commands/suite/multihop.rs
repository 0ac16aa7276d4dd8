//! One set of questions, asked of every method.

use super::file::{Method, ModeName, Opened, Suite};
use super::rounded;
use crate::eval::dataset::Dataset;
use crate::eval::suite::{Asked, Cost, Method as Made, Part, Source};
use anyhow::Result;
use banyan::Embedding;
use banyan::Environment;
use banyan::ReadOptions;
use banyan::Statements;
use banyan::digest::sha256;
use banyan::eval::ablation::Variants;
use banyan::eval::metric::{all_gold, recall};
use banyan::eval::multihop::{Ranking, baselines, documents, gold};
use banyan::parts::grow;
use banyan::{Bounds, Timing, build};
use banyan::{corpus, cpu};
use banyan_engine::document::canonicalise;
use banyan_engine::{Document, Knowledge, QaPair};
use banyan_retrieve::answer::score::score;
use banyan_retrieve::reason::{self, Conclusion, EmbeddedReasoner, Reasoner};
use banyan_retrieve::route::Route;
use banyan_retrieve::{Answer, Config, Evidence, Mode, Question, Searcher};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// A set with the facts it is measured on.
pub(crate) struct Task<'a> {
    pub(crate) name: &'a str,
    pub(crate) questions: &'a [QaPair],
    /// In canonical order, gold passages with the ids that questions know them by.
    pub(crate) documents: Vec<Document>,
    pub(crate) statements: Statements,
    pub(crate) bounds: Bounds,
    /// The command that measures it.
    pub(crate) command: String,
    pub(crate) suite: &'a Suite,
}

/// Builds the set's corpus and asks its questions.
pub(crate) fn measure(task: Task<'_>, embedding: &Embedding, env: &Environment) -> Result<Part> {
    let mut timing = Timing::default();
    // Where memory cannot be counted afresh, the peak would be that of the sets before.
    let is_fresh = cpu::reset_peak();
    let Task {
        documents,
        statements,
        bounds,
        questions: pairs,
        suite,
        ..
    } = task;
    let mut knowledge = build(documents, statements, &bounds, embedding, env, &mut timing)?;
    // Further seeds begin from the same graph.
    let again = (!suite.seeds.is_empty()).then(|| knowledge.clone());
    grow(&mut knowledge, embedding, &mut timing)?;
    let store = sha256(knowledge.to_string().as_bytes());
    let searcher = embedding.searcher(knowledge);
    let gold = gold(&searcher, pairs)?;
    let texts: Vec<&str> = pairs.iter().map(|pair| pair.question.as_str()).collect();
    let questions = embedding.questions(&texts)?;
    let asking = Asking {
        suite,
        questions: &questions,
        pairs,
        gold: &gold,
    };
    let mut sheet = asking.sheet(&searcher, env)?;
    let spreads = match again {
        Some(knowledge) => asking.spreads(&knowledge, &sheet, embedding, env)?,
        None => BTreeMap::new(),
    };
    sheet.query_ms.sort_by(f64::total_cmp);
    Ok(Part {
        set: task.name.to_owned(),
        source: Source {
            command: task.command,
            store,
            embedder: embedding.id().to_owned(),
            n_documents: searcher.knowledge().documents.len(),
        },
        questions: pairs.iter().zip(&gold).map(|(pair, gold)| asked(pair, gold)).collect(),
        methods: sheet.methods,
        baseline: suite.baseline.clone(),
        spreads,
        cost: Cost {
            build_cpu_seconds: rounded(timing.cpu_without_embedding()),
            embedding_cpu_seconds: rounded(timing.cpu_of_embedding()),
            peak_mb: cpu::peak_mb().filter(|_| is_fresh),
            query_ms: sheet.query_ms,
            ..Cost::default()
        },
    })
}

/// Questions to ask of a searcher.
struct Asking<'a> {
    suite: &'a Suite,
    questions: &'a [Question],
    pairs: &'a [QaPair],
    gold: &'a [BTreeSet<usize>],
}

impl Asking<'_> {
    /// Asks all of them of every method.
    fn sheet<'a>(&'a self, searcher: &'a Searcher, env: &Environment) -> Result<Sheet<'a>> {
        let mut sheet = Sheet::new(self.suite, searcher, self.pairs.len());
        let bar = env.progress.bar("asking", self.pairs.len());
        for (at, question) in self.questions.iter().enumerate() {
            env.stop.check()?;
            sheet.ask(at, question, &self.pairs[at], &self.gold[at])?;
            bar.step();
        }
        drop(bar);
        Ok(sheet)
    }

    /// The means of those figures that are not what `sheet` has under every further seed of the communities.
    fn spreads(
        &self,
        knowledge: &Knowledge,
        sheet: &Sheet<'_>,
        embedding: &Embedding,
        env: &Environment,
    ) -> Result<BTreeMap<String, Vec<f64>>> {
        let mut spreads: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for seed in &self.suite.seeds {
            let mut knowledge = knowledge.clone();
            knowledge.settings.seed = *seed;
            grow(&mut knowledge, embedding, &mut Timing::default())?;
            let searcher = embedding.searcher(knowledge);
            for (figure, mean) in means(&self.sheet(&searcher, env)?.methods) {
                spreads.entry(figure).or_default().push(mean);
            }
        }
        let own = means(&sheet.methods);
        spreads.retain(|figure, values| values.iter().any(|value| Some(value) != own.get(figure)));
        Ok(spreads)
    }
}

/// The mean of each figure over the questions that count in it, by `method metric`.
fn means(methods: &BTreeMap<String, Made>) -> BTreeMap<String, f64> {
    let mut means = BTreeMap::new();
    for (name, made) in methods {
        for metric in made.scores.keys() {
            let values: Vec<f64> = made.values(metric).map(|(_, value)| value).collect();
            if !values.is_empty() {
                means.insert(
                    format!("{name} {metric}"),
                    rounded(values.iter().sum::<f64>() / values.len() as f64),
                );
            }
        }
    }
    means
}

/// The set's texts in canonical order, gold passages with the ids that questions know them by.
pub(crate) fn read(opened: &Opened<'_>, dataset: &Dataset, env: &Environment) -> Result<Vec<Document>> {
    let name = corpus::name(&opened.questions);
    let Some(path) = &opened.corpus else {
        let mut documents = dataset.documents(&name);
        canonicalise(&mut documents);
        return Ok(documents);
    };
    let mut documents = corpus::read(std::slice::from_ref(path), &ReadOptions::default(), env)?;
    let missing = dataset.find_gold_in(&name, &mut documents);
    anyhow::ensure!(
        missing.is_empty(),
        "set {}: {} gold passages are not in {}, the first is {:?}; expected a corpus that holds them",
        opened.entry.name,
        missing.len(),
        path.display(),
        missing[0]
    );
    Ok(documents)
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

/// What every method made of the questions so far.
struct Sheet<'a> {
    suite: &'a Suite,
    searcher: &'a Searcher,
    config: Config,
    top_k: usize,
    n: usize,
    methods: BTreeMap<String, Made>,
    query_ms: Vec<f64>,
}

impl<'a> Sheet<'a> {
    fn new(suite: &'a Suite, searcher: &'a Searcher, n: usize) -> Self {
        let top_k = suite.k.iter().copied().max().unwrap_or(1);
        Self {
            suite,
            searcher,
            // Several chunks may belong to one document, so more chunks are ranked than documents wanted.
            config: Config {
                top_k: 3 * top_k,
                ..Config::default()
            },
            top_k,
            n,
            methods: BTreeMap::new(),
            query_ms: Vec::new(),
        }
    }

    fn ask(&mut self, at: usize, question: &Question, pair: &QaPair, gold: &BTreeSet<usize>) -> Result<()> {
        for (name, ranking) in baselines(self.searcher, question, self.top_k) {
            if self.suite.methods.iter().any(|method| method.name() == name) {
                self.rank(name, at, &ranking, gold);
            }
        }
        if !self.suite.methods.contains(&Method::Banyan) {
            return Ok(());
        }
        let start = Instant::now();
        let evidence = self.searcher.search(question, &self.config);
        let found = self.answered(question, &evidence, Mode::Open)?;
        self.query_ms.push(rounded(start.elapsed().as_secs_f64() * 1000.0));
        let rank = |evidence: &Evidence| {
            let passages = evidence.passages.iter().map(|passage| passage.chunk);
            documents(self.searcher, passages, self.top_k)
        };
        let (ranking, searched) = (rank(&found.evidence), rank(&evidence));
        let found = found.answer;
        self.rank(Method::Banyan.name(), at, &ranking, gold);
        if self.suite.modes.contains(&ModeName::Open) {
            self.answer(Method::Banyan.name(), at, pair, &found);
        }
        if self.suite.modes.contains(&ModeName::Reject) {
            let found = self.answered(question, &evidence, Mode::Reject)?.answer;
            self.answer("banyan reject", at, pair, &found);
        }
        if self.suite.routes {
            self.rank("without steps", at, &searched, gold);
            let variants = Variants::ask(self.searcher, question, &self.config, self.top_k);
            for (route, ranking) in Route::ALL.into_iter().zip(&variants.without) {
                self.rank(&format!("without {route}"), at, ranking, gold);
            }
        }
        Ok(())
    }

    fn answered(&self, question: &Question, evidence: &Evidence, mode: Mode) -> Result<Conclusion> {
        let task = reason::Task {
            searcher: self.searcher,
            question,
            evidence,
            mode,
            embedder: None,
        };
        Ok(EmbeddedReasoner::default().conclude(&task, &mut |_| {})?)
    }

    /// Sets down a ranking, for a question with gold passages.
    fn rank(&mut self, method: &str, at: usize, ranking: &Ranking, gold: &BTreeSet<usize>) {
        for k in &self.suite.k.clone() {
            let counts = !gold.is_empty();
            self.score(
                method,
                &format!("recall@{k}"),
                at,
                counts.then(|| recall(ranking, gold, *k)),
            );
            self.score(
                method,
                &format!("all-gold@{k}"),
                at,
                counts.then(|| all_gold(ranking, gold, *k)),
            );
        }
    }

    /// Sets down an answer. A question that was refused does not count in `em` and `f1`, but in `answered`.
    fn answer(&mut self, method: &str, at: usize, pair: &QaPair, found: &Answer) {
        let is_known = !pair.answers.is_empty();
        let counts = is_known && !found.is_rejected;
        let (em, f1) = score(found.text.as_deref(), &pair.answers);
        self.score(method, "em", at, counts.then_some(em));
        self.score(method, "f1", at, counts.then_some(f1));
        let is_answered = f64::from(u8::from(found.text.is_some()));
        self.score(method, "answered", at, is_known.then_some(is_answered));
        let made = self.methods.entry(method.to_owned()).or_default();
        made.answers.push(found.text.clone());
        let sure = if found.text.is_some() {
            rounded(found.sufficiency.into())
        } else {
            0.0
        };
        made.confidence.push(sure);
    }

    fn score(&mut self, method: &str, metric: &str, at: usize, value: Option<f64>) {
        let made = self.methods.entry(method.to_owned()).or_default();
        let values = made
            .scores
            .entry(metric.to_owned())
            .or_insert_with(|| vec![None; self.n]);
        values[at] = value.map(rounded);
    }
}

//! One set of questions over anonymised texts, in open and reject mode side by side.

use super::file::{Method, ModeName, Opened, Suite};
use super::rounded;
use crate::commands::anonyrag::asking::Bench;
use crate::eval::anony::place::Chunks;
use crate::eval::anony::report::correct;
use crate::eval::anony::{Answerer, Embedded, Given, Gold, Item};
use crate::eval::suite::{Asked, Cost, Method as Made, Part, Source};
use anyhow::{Context, Result};
use banyan::Embedding;
use banyan::Environment;
use banyan::cpu;
use banyan::digest::sha256;
use banyan::eval::multihop::rankings;
use banyan_engine::ChunkId;
use banyan_retrieve::Mode;
use std::collections::BTreeMap;
use std::time::Instant;

/// Builds the set's corpus and asks its questions.
pub(super) fn measure(
    opened: &Opened<'_>,
    items: &[Item],
    suite: &Suite,
    command: String,
    embedding: &Embedding,
    env: &Environment,
) -> Result<Part> {
    let is_fresh = cpu::reset_peak();
    let corpus = opened
        .corpus
        .as_deref()
        .context("a set over anonymised texts has a corpus")?;
    let bench = Bench::open(corpus, embedding, env)?;
    let knowledge = bench.searcher.knowledge();
    let store = sha256(knowledge.to_string().as_bytes());
    let stems: Vec<&str> = items.iter().map(|item| item.stem.as_str()).collect();
    let questions = embedding.questions(&stems)?;
    let embedded = bench.embedded();
    let mut sheet = Sheet {
        suite,
        chunks: Chunks::new(knowledge),
        embedded: &embedded,
        n: items.len(),
        methods: BTreeMap::new(),
    };
    let mut query_ms = Vec::new();
    let bar = env.progress.bar("asking", items.len());
    for (at, (item, question)) in items.iter().zip(&questions).enumerate() {
        env.stop.check()?;
        for (name, ranking) in rankings(&bench.searcher, question) {
            if suite.methods.iter().any(|method| method.name() == name) {
                sheet.baseline(name, at, item, &ranking);
            }
        }
        if suite.methods.contains(&Method::Banyan) {
            let start = Instant::now();
            let evidence = bench.search(question);
            let (item, evidence) = (std::slice::from_ref(item), std::slice::from_ref(&evidence));
            let open = embedded.answer(item, Some(evidence), Mode::Open)?;
            query_ms.push(rounded(start.elapsed().as_secs_f64() * 1000.0));
            let reject = embedded.answer(item, Some(evidence), Mode::Reject)?;
            sheet.answers(at, &item[0], &open, &reject);
            let found: Vec<ChunkId> = evidence[0].passages.iter().map(|passage| passage.chunk).collect();
            sheet.rank(Method::Banyan.name(), at, &item[0], &found);
        }
        bar.step();
    }
    drop(bar);
    query_ms.sort_by(f64::total_cmp);
    Ok(Part {
        set: opened.entry.name.clone(),
        source: Source {
            command,
            store,
            embedder: embedding.id().to_owned(),
            n_documents: knowledge.documents.len(),
        },
        questions: items.iter().map(asked).collect(),
        methods: sheet.methods,
        baseline: suite.baseline.clone(),
        spreads: BTreeMap::new(),
        cost: Cost {
            build_cpu_seconds: rounded(bench.timing.cpu_without_embedding()),
            embedding_cpu_seconds: rounded(bench.timing.cpu_of_embedding()),
            peak_mb: cpu::peak_mb().filter(|_| is_fresh),
            query_ms,
            ..Cost::default()
        },
    })
}

/// A question with the groups that it counts in: the set's kind, and how many hops it takes.
fn asked(item: &Item) -> Asked {
    let kind = Some(item.query_type.clone()).filter(|kind| !kind.is_empty());
    let hops = item.hops.map(|hops| format!("{hops} hops"));
    let accepted = match &item.gold {
        Gold::Letter(letter) => vec![letter.to_string()],
        Gold::Names(names) => names.values().flatten().cloned().collect(),
    };
    Asked {
        id: item.id.clone(),
        text: item.question.clone(),
        accepted,
        groups: kind.into_iter().chain(hops).collect(),
    }
}

/// What every method made of the questions so far.
struct Sheet<'a> {
    suite: &'a Suite,
    chunks: Chunks<'a>,
    embedded: &'a Embedded<'a>,
    n: usize,
    methods: BTreeMap<String, Made>,
}

impl Sheet<'_> {
    /// A plain retriever: the option that its first passages have most, and the gold places among them.
    fn baseline(&mut self, name: &str, at: usize, item: &Item, ranking: &[ChunkId]) {
        let given = Given {
            letter: self.embedded.by_ranking(item, ranking),
            ..Given::default()
        };
        self.answer(name, at, item, &given);
        self.rank(name, at, item, ranking);
    }

    fn answers(&mut self, at: usize, item: &Item, open: &[Given], reject: &[Given]) {
        let modes = [
            (ModeName::Open, "banyan", open),
            (ModeName::Reject, "banyan reject", reject),
        ];
        for (mode, name, given) in modes {
            if self.suite.modes.contains(&mode) {
                for given in given {
                    self.answer(name, at, item, given);
                }
            }
        }
    }

    /// Sets down an answer. As in the paper a refusal is not right; how many there are is `answered`.
    fn answer(&mut self, name: &str, at: usize, item: &Item, given: &Given) {
        let metric = match item.gold {
            Gold::Letter(_) => "choice",
            Gold::Names(_) => "reversion",
        };
        let lines = given.lines();
        self.score(name, metric, at, correct(item, given));
        self.score(name, "answered", at, f64::from(u8::from(lines.is_some())));
        let made = self.methods.entry(name.to_owned()).or_default();
        made.answers.push(lines);
        made.confidence.push(rounded(given.confidence));
    }

    /// Sets down where the gold places stand, for a question that has such.
    fn rank(&mut self, name: &str, at: usize, item: &Item, ranking: &[ChunkId]) {
        let ranks = self.chunks.ranks(&item.places, ranking);
        for k in self.suite.k.iter().filter(|_| !ranks.is_empty()) {
            let n_found = ranks.iter().flatten().filter(|rank| *rank <= k).count();
            let recall = n_found as f64 / ranks.len() as f64;
            self.score(name, &format!("recall@{k}"), at, recall);
        }
    }

    fn score(&mut self, method: &str, metric: &str, at: usize, value: f64) {
        let made = self.methods.entry(method.to_owned()).or_default();
        let values = made
            .scores
            .entry(metric.to_owned())
            .or_insert_with(|| vec![None; self.n]);
        values[at] = Some(rounded(value));
    }
}

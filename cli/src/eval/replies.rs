//! What came back, question by question.

use super::Bench;
use crate::embedding::Embedding;
use crate::eval::ablation::Variants;
use crate::eval::asked::Asked;
use crate::eval::multihop::{Ranking, baselines, documents};
use crate::eval::sensitivity::{Shaken, shake};
use anyhow::Result;
use banyan_engine::QaPair;
use banyan_retrieve::reason::{EmbeddedReasoner, Reasoner, Task};
use banyan_retrieve::{Config, Evidence, Mode, Question, Searcher};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Rankings and answers of all questions in their order.
#[derive(Default)]
pub(super) struct Replies {
    /// Of the systems that a user has for free, by name.
    pub(super) baselines: BTreeMap<String, Vec<Ranking>>,
    /// Banyan's.
    pub(super) rankings: Vec<Ranking>,
    /// What search alone finds, without the passages of steps.
    pub(super) searched: Vec<Ranking>,
    pub(super) asked: Vec<Asked>,
    /// Without each route and by each alone; empty where that was not asked for.
    pub(super) variants: Vec<Variants>,
    /// With each weight changed; empty where that was not asked for.
    pub(super) shaken: Vec<Shaken>,
    /// Milliseconds of each search.
    pub(super) times: Vec<f64>,
    /// Milliseconds of each search with the answer read from it.
    pub(super) answer_times: Vec<f64>,
}

impl Replies {
    /// Asks every question of `searcher`.
    pub(super) fn gather(
        bench: &Bench<'_>,
        searcher: &Searcher,
        gold: &[BTreeSet<usize>],
        embedding: &Embedding,
        is_ablated: bool,
    ) -> Result<Self> {
        let mut replies = Self::default();
        // Several chunks may belong to one document, so more chunks are ranked than documents wanted.
        let config = Config {
            top_k: 3 * bench.top_k,
            ..Config::default()
        };
        let bar = bench.env.progress.bar("asking", bench.questions.len());
        for (pair, gold) in bench.questions.iter().zip(gold) {
            bench.env.stop.check()?;
            let question = embedding.questions(&[&pair.question])?.remove(0);
            for (name, ranking) in baselines(searcher, &question, bench.top_k) {
                replies.baselines.entry(name.to_owned()).or_default().push(ranking);
            }
            replies.ask(searcher, &question, pair, gold, &config, bench.top_k)?;
            if is_ablated {
                let variants = Variants::ask(searcher, &question, &config, bench.top_k);
                replies.variants.push(variants);
            }
            if bench.options.sensitivity {
                replies.shaken.push(shake(searcher, &question, &config, bench.top_k));
            }
            bar.step();
        }
        Ok(replies)
    }

    fn ask(
        &mut self,
        searcher: &Searcher,
        question: &Question,
        pair: &QaPair,
        gold: &BTreeSet<usize>,
        config: &Config,
        top_k: usize,
    ) -> Result<()> {
        let start = Instant::now();
        let evidence = searcher.search(question, config);
        self.times.push(start.elapsed().as_secs_f64() * 1000.0);
        let task = Task {
            searcher,
            question,
            evidence: &evidence,
            mode: Mode::Open,
            embedder: None,
        };
        let found = EmbeddedReasoner::default().conclude(&task, &mut |_| {})?;
        self.answer_times.push(start.elapsed().as_secs_f64() * 1000.0);
        let rank =
            |evidence: &Evidence| documents(searcher, evidence.passages.iter().map(|passage| passage.chunk), top_k);
        let ranking = rank(&found.evidence);
        self.asked
            .push(Asked::new(searcher, pair, &found.answer, &ranking, gold));
        self.rankings.push(ranking);
        self.searched.push(rank(&evidence));
        Ok(())
    }
}

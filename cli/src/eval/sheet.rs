//! What came back for the questions of a set, from every method.

use super::ranking::{Ranking, baselines, documents};
use super::recall::ablation::Variants;
use crate::embedding::Embedding;
use crate::environment::Environment;
use anyhow::Result;
use banyan_engine::QaPair;
use banyan_retrieve::reason::{Conclusion, EmbeddedReasoner, Reasoner, Task};
use banyan_retrieve::{Answer, Config, Evidence, Mode, Question, Searcher};
use std::collections::BTreeMap;
use std::time::Instant;

/// Rankings and answers of all questions in their order.
#[derive(Default)]
pub(super) struct Sheet {
    /// Of the systems that a user has for free, by name.
    pub(super) baselines: BTreeMap<String, Vec<Ranking>>,
    /// Banyan's.
    pub(super) rankings: Vec<Ranking>,
    /// What search alone finds, without the passages of steps.
    pub(super) searched: Vec<Ranking>,
    /// Answers in open mode.
    pub(super) answers: Vec<Answer>,
    /// Answers in reject mode; empty where they were not asked for.
    pub(super) rejecting: Vec<Answer>,
    /// Without each route and by each alone; empty where that was not asked for.
    pub(super) variants: Vec<Variants>,
    /// Milliseconds of each search.
    pub(super) times: Vec<f64>,
    /// Milliseconds of each search with the answer read from it.
    pub(super) answer_times: Vec<f64>,
}

/// Which questions are asked, and of whom.
pub(super) struct Asking<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) pairs: &'a [QaPair],
    /// Documents to rank.
    pub(super) top_k: usize,
    /// Whether to answer also in reject mode.
    pub(super) also_rejects: bool,
    /// Whether to search also without each route and by each alone.
    pub(super) is_ablated: bool,
    pub(super) env: &'a Environment,
}

impl Asking<'_> {
    /// Asks every question.
    pub(super) fn ask(&self, embedding: &Embedding) -> Result<Sheet> {
        let mut sheet = Sheet::default();
        // Several chunks may belong to one document, so more chunks are ranked than documents wanted.
        let config = Config {
            top_k: 3 * self.top_k,
            ..Config::default()
        };
        let bar = self.env.progress.bar("asking", self.pairs.len());
        for pair in self.pairs {
            self.env.stop.check()?;
            let question = embedding.questions(&[pair.question.as_str()])?.remove(0);
            for (name, ranking) in baselines(self.searcher, &question, self.top_k) {
                sheet.baselines.entry(name.to_owned()).or_default().push(ranking);
            }
            self.one(&question, &config, &mut sheet)?;
            if self.is_ablated {
                let variants = Variants::ask(self.searcher, &question, &config, self.top_k);
                sheet.variants.push(variants);
            }
            bar.step();
        }
        Ok(sheet)
    }

    fn one(&self, question: &Question, config: &Config, sheet: &mut Sheet) -> Result<()> {
        let start = Instant::now();
        let evidence = self.searcher.search(question, config);
        sheet.times.push(start.elapsed().as_secs_f64() * 1000.0);
        let found = self.conclude(question, &evidence, Mode::Open)?;
        sheet.answer_times.push(start.elapsed().as_secs_f64() * 1000.0);
        if self.also_rejects {
            let rejecting = self.conclude(question, &evidence, Mode::Reject)?;
            sheet.rejecting.push(rejecting.answer);
        }
        sheet.rankings.push(self.rank(&found.evidence));
        sheet.searched.push(self.rank(&evidence));
        sheet.answers.push(found.answer);
        Ok(())
    }

    fn conclude(&self, question: &Question, evidence: &Evidence, mode: Mode) -> Result<Conclusion> {
        let task = Task {
            searcher: self.searcher,
            question,
            evidence,
            mode,
            embedder: None,
        };
        Ok(EmbeddedReasoner::default().conclude(&task, &mut |_| {})?)
    }

    fn rank(&self, evidence: &Evidence) -> Ranking {
        let chunks = evidence.passages.iter().map(|passage| passage.chunk);
        documents(self.searcher, chunks, self.top_k)
    }
}

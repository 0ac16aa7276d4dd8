//! A corpus opened for the questions of an anonymised set, and who answers them.

use crate::args::AskingArgs;
use crate::eval::anony::logit::Weights;
use crate::eval::anony::{Answerer, Embedded, Item, ModelAnswerer};
use anyhow::Result;
use banyan::Embedding;
use banyan::Environment;
use banyan::ReadOptions;
use banyan::ReasonerKind;
use banyan::Statements;
use banyan::corpus;
use banyan::language::{self, Spent, Tape};
use banyan::parts::Config;
use banyan::{Bounds, Timing, build};
use banyan_engine::llm::LanguageModel;
use banyan_engine::{Document, Schema};
use banyan_retrieve::{Config as Search, Evidence, Question, Searcher};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::path::Path;

/// Passages that are looked at: the paper's top 20.
const TOP_K: usize = 20;
/// Name under which calls are counted.
const STAGE: &str = "anonyrag";

/// A corpus opened for questions.
pub(crate) struct Bench {
    pub(crate) searcher: Searcher,
    /// What building it took.
    pub(crate) timing: Timing,
}

impl Bench {
    /// Reads and builds the corpus at `texts`.
    pub(crate) fn open(texts: &Path, embedding: &Embedding, env: &Environment) -> Result<Self> {
        let documents = corpus::read(&[texts.to_owned()], &ReadOptions::default(), env)?;
        Self::of(documents, embedding, env)
    }

    /// Builds the corpus of these documents, which stand in canonical order.
    pub(crate) fn of(documents: Vec<Document>, embedding: &Embedding, env: &Environment) -> Result<Self> {
        let bounds = Bounds::strict(Schema::general()?);
        let (statements, mut timing) = (Statements::embedded(), Timing::default());
        let knowledge = build(documents, statements, &bounds, embedding, env, &mut timing)?;
        Ok(Self {
            searcher: embedding.searcher(knowledge),
            timing,
        })
    }

    /// What search finds for each question without its options.
    pub(crate) fn evidence(&self, items: &[Item], embedding: &Embedding) -> Result<Vec<Evidence>> {
        let stems: Vec<&str> = items.iter().map(|item| item.stem.as_str()).collect();
        let questions = embedding.questions(&stems)?;
        Ok(questions.par_iter().map(|question| self.search(question)).collect())
    }

    /// What search finds for one question.
    pub(crate) fn search(&self, question: &Question) -> Evidence {
        let config = Search {
            top_k: TOP_K,
            ..Search::default()
        };
        self.searcher.search(question, &config)
    }

    /// The program over this corpus, with the weights that ship.
    pub(crate) fn embedded(&self) -> Embedded<'_> {
        Embedded::new(&self.searcher, Weights::shipped())
    }

    /// Lets `work` ask whoever answers; a model's calls are counted and told.
    pub(crate) fn ask<T>(
        &self,
        args: &AskingArgs,
        beside: &Path,
        env: &Environment,
        work: impl FnOnce(&dyn Answerer) -> Result<T>,
    ) -> Result<T> {
        if args.reasoner == ReasonerKind::Embedded {
            return work(&self.embedded());
        }
        let config = Config::read(env.language.config.as_deref())?;
        let llm = config.llm.as_ref();
        let (tape, budget) = (Tape::of(env, beside), Spent::default().rest_of(env));
        let language = language::open(llm, &tape, budget, env)?;
        let staged = language.stage(STAGE);
        let concurrency = llm.map_or(NonZeroUsize::MIN, language::concurrency);
        let is_stopped = || env.stop.is_asked();
        let model: &dyn LanguageModel = &staged;
        let done = work(&ModelAnswerer::new(&self.searcher, model, concurrency, &is_stopped)?);
        let total = language.ledger().total();
        let (paid, replayed, tokens) = (total.n_paid, total.n_replayed, total.tokens());
        env.progress.remark(&format!(
            "{paid} calls and {replayed} from the cassette, {tokens} tokens"
        ));
        done
    }
}

/// What a set is called: its file or directory.
pub(crate) fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

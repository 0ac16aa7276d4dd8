//! What a language model states of a corpus: asked, counted, kept on a cassette, and what could not be had.

use super::Statements;
use crate::bounds::Bounds;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::language::{Language, Plan};
use crate::progress::Watched;
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_engine::llm::{Forecast, LanguageModel, LlmError};
use banyan_engine::schema::SchemaMode;
use banyan_engine::stated::{Quarantine, QuarantineReason};
use banyan_engine::{Document, Schema, Settings, StatedAt};
use banyan_extract::Analysis;
use banyan_extract::chunk::chunks;
use banyan_extract::expand;
use banyan_extract::model::{Extracted, ModelError, ModelExtractor, Options, Outcome, Passage, Run, Vocabulary};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "extract";
/// Most stretches in quarantine that are listed one by one.
const MAX_LISTED: usize = 5;
/// Calls after which a schema that may grow does, so that the next ones are shown what was accepted. Arbitrary: at μ = .9
/// five documents make an element, and the calls at a time of a few rounds still keep an endpoint busy.
const CALLS_A_ROUND: usize = 16;

/// What asking needs to know.
pub struct Asking<'a> {
    /// How the model is asked, and who hears of it.
    pub env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub store: &'a Path,
    /// What bounds extraction, and whether the model may propose what the schema lacks.
    pub bounds: &'a Bounds,
    /// What counts the tokens of chunks.
    pub embedding: &'a Embedding,
    /// Stretches whose recorded replies are not to be used again.
    pub failed: &'a [Quarantine],
}

impl Asking<'_> {
    /// Asks about every chunk of those of `documents` of which nothing is stated, and adds what is. A schema that may
    /// grow does so between rounds of calls, by what was proposed of all documents until then.
    ///
    /// # Errors
    /// When no model can be had, or no call was answered.
    pub fn ask(&self, documents: &[Document], statements: &mut Statements) -> Result<()> {
        let language = Language::open(self.env, self.store, statements.spent)?;
        let model = language.stage(STAGE);
        let seed = self.extractor(&model, &self.bounds.schema, &language)?;
        let new = |document: &&Document| !statements.by_document.contains_key(&document.id);
        let passages = self.passages(documents.iter().filter(new).collect());
        let bar = self
            .env
            .progress
            .bar("asking the model", seed.plan(&passages, usize::MAX)?.len());
        let watch = Watched {
            bar: &bar,
            stop: &self.env.stop,
        };
        let is_growing = self.bounds.mode != SchemaMode::Strict;
        let mut asked = Asked::default();
        let mut extractor = seed;
        let mut rest = &passages[..];
        while !rest.is_empty() && asked.stopped.is_none() {
            if is_growing && let Some(grown) = self.grown(documents, statements)? {
                match self.extractor(&model, &grown, &language) {
                    Err(ModelError::SchemaTooLong { .. }) => asked.is_unshown = true,
                    grown => extractor = grown?,
                }
            }
            let most = if is_growing { CALLS_A_ROUND } else { usize::MAX };
            let calls = extractor.plan(rest, most)?;
            let n = calls.iter().map(|call| call.passages.len()).sum();
            let (now, later) = rest.split_at(n);
            asked.take(now, extractor.run(now, &calls, &watch), statements);
            rest = later;
        }
        drop(bar);
        if matches!(asked.stopped, Some(LlmError::Stopped)) {
            self.env.stop.check()?;
        }
        asked.pass_over(rest, statements);
        statements.spent.add(&language);
        asked.report(&language, self.env);
        asked.settle(passages.len(), language.cassette(), statements, self.env)
    }

    /// The schema as what was proposed of `documents` makes it grow; `None` where it does not.
    fn grown(&self, documents: &[Document], statements: &Statements) -> Result<Option<Schema>> {
        let Bounds {
            schema,
            growth,
            mode,
            mu,
            ..
        } = self.bounds;
        let proposed = expand::proposed(documents, &statements.by_document);
        let (grown, _) = expand::expand(&proposed, schema, growth, *mode, *mu, self.embedding.names())?;
        Ok((grown.version() > schema.version()).then_some(grown))
    }

    fn extractor<'m>(
        &self,
        model: &'m dyn LanguageModel,
        schema: &Schema,
        language: &Language,
    ) -> Result<ModelExtractor<'m>, ModelError> {
        let failed = self.failed.iter().map(|stretch| (stretch.document, stretch.span));
        Ok(ModelExtractor::new(model, schema, self.options(language))?.anew(failed))
    }

    /// What asking about every chunk of `documents` would take, without asking.
    ///
    /// # Errors
    /// When the configuration or the cassette cannot be read.
    pub fn forecast(&self, documents: &[Document]) -> Result<ExtractionPlan> {
        let language = Language::to_count(self.env, self.store)?;
        let model = language.stage(STAGE);
        let extractor = self.extractor(&model, &self.bounds.schema, &language)?;
        let passages = self.passages(documents.iter().collect());
        let forecast = extractor.forecast(&passages, &extractor.plan(&passages, usize::MAX)?)?;
        Ok(ExtractionPlan {
            stage: STAGE,
            documents: documents.len(),
            chunks: passages.len(),
            plan: language.plan(forecast),
        })
    }

    fn passages<'d>(&self, documents: Vec<&'d Document>) -> Vec<Passage<'d>> {
        let of = |document: &'d Document| -> Vec<Passage<'d>> {
            let max = Settings::default().max_chunk_tokens;
            let spans = chunks(&Analysis::surface(document), self.embedding.counter(), max);
            spans.into_iter().map(|(span, _)| Passage { document, span }).collect()
        };
        documents.into_par_iter().flat_map_iter(of).collect()
    }

    /// How the configured model is asked.
    fn options(&self, language: &Language) -> Options {
        let limits = language.limits();
        Options {
            max_prompt_tokens: limits.max_prompt_tokens,
            max_reply_tokens: limits.max_reply_tokens,
            max_concurrent: limits.max_concurrent,
            share_calls: language.shares_calls(),
            vocabulary: match self.bounds.mode {
                SchemaMode::Strict => Vocabulary::Closed,
                SchemaMode::Expand | SchemaMode::Open => Vocabulary::Growing,
            },
            ..Options::default()
        }
    }
}

/// What became of the passages that were asked about.
#[derive(Default)]
struct Asked {
    n_done: usize,
    n_cut: usize,
    n_facts: usize,
    n_tokens: u64,
    /// Whether the schema grew beyond what a prompt has room for.
    is_unshown: bool,
    quarantine: Vec<Quarantine>,
    stopped: Option<LlmError>,
}

impl Asked {
    /// Takes over what was stated; what was not had goes into quarantine.
    fn take(&mut self, passages: &[Passage], run: Run, statements: &mut Statements) {
        self.n_cut += run.n_cut;
        self.n_facts += run.n_facts();
        self.n_tokens += run.n_tokens();
        for (passage, chunk) in passages.iter().zip(run.chunks) {
            self.n_done += usize::from(chunk.outcome == Outcome::Done);
            self.quarantine.extend(wanting(passage, &chunk, run.stopped.as_ref()));
            let at = StatedAt {
                span: passage.span,
                tokens: chunk.n_tokens,
                stated: chunk.stated,
            };
            let stated = statements.by_document.entry(passage.document.id);
            stated.or_default().push(at);
        }
        self.stopped = run.stopped;
    }

    /// Puts what was never asked about into quarantine.
    fn pass_over(&mut self, passages: &[Passage], statements: &mut Statements) {
        let run = Run {
            chunks: vec![Extracted::default(); passages.len()],
            n_calls: 0,
            n_cut: 0,
            stopped: self.stopped.take(),
        };
        self.take(passages, run, statements);
    }

    /// Tells what asking took and gave.
    fn report(&self, language: &Language, env: &Environment) {
        let per_fact = match self.n_facts {
            0 => String::new(),
            n => format!(", {:.0} a fact", self.n_tokens as f64 / n as f64),
        };
        language.report(&format!("{} stated{per_fact}", counted(self.n_facts, "fact")), env);
        if self.n_cut > 0 {
            env.progress.remark(&format!(
                "{} broke off; what they were about was asked again in smaller pieces",
                counted(self.n_cut, "reply")
            ));
        }
        if self.is_unshown {
            env.progress
                .remark("the grown schema leaves no room for a passage, so the model was shown an earlier one; raise context_tokens");
        }
    }

    /// Tells what is wanting and hands it on.
    fn settle(
        mut self,
        n_passages: usize,
        cassette: &Path,
        statements: &mut Statements,
        env: &Environment,
    ) -> Result<()> {
        let is_missing = matches!(self.stopped, Some(LlmError::Missing(_)));
        if (self.n_done == 0 || is_missing) && n_passages > 0 {
            let first = self.quarantine.first().map(|stretch| stretch.detail.clone());
            let cause = self.stopped.as_ref().map(ToString::to_string).or(first);
            bail!(
                "nothing was built: {}",
                cause.unwrap_or_else(|| "no call was answered".to_owned())
            );
        }
        if let Some(error) = &self.stopped {
            env.progress.remark(&format!("the model was asked no further: {error}"));
        }
        for stretch in self.quarantine.iter().take(MAX_LISTED) {
            env.progress.remark(&format!("left out: {stretch}"));
        }
        if !self.quarantine.is_empty() {
            env.progress.remark(&format!(
                "{} of {n_passages} without a usable reply; what was paid for is kept in {}; the same command with --retry-failed asks again",
                counted(self.quarantine.len(), "chunk"),
                cassette.display()
            ));
        }
        statements.quarantine.append(&mut self.quarantine);
        Ok(())
    }
}

/// The stretch, where it is not done.
fn wanting(passage: &Passage, chunk: &Extracted, stopped: Option<&LlmError>) -> Option<Quarantine> {
    match &chunk.outcome {
        Outcome::Done => None,
        Outcome::Quarantined(quarantine) => Some(quarantine.clone()),
        Outcome::Pending => Some(Quarantine {
            document: passage.document.id,
            span: passage.span,
            reason: QuarantineReason::NotAsked,
            detail: stopped.map_or_else(String::new, ToString::to_string),
            excerpt: String::new(),
        }),
    }
}

/// What reading a corpus with a language model would take.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractionPlan {
    stage: &'static str,
    documents: usize,
    chunks: usize,
    #[serde(flatten)]
    plan: Plan,
}

impl Display for ExtractionPlan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Forecast {
            n_calls,
            n_known,
            prompt_tokens,
            max_completion_tokens,
        } = self.plan.forecast;
        let cost = self.plan.cost();
        write!(
            f,
            "stage    documents  chunks  calls  on the cassette  prompt tokens  reply tokens at most  cost\n\
             {:<8} {:>9} {:>7} {n_calls:>6} {n_known:>16} {prompt_tokens:>14} {max_completion_tokens:>21}  {cost}",
            self.stage, self.documents, self.chunks
        )
    }
}

//! What a language model states of a corpus: asked, counted, kept on a cassette, and what could not be had.

use super::Statements;
use crate::embedding::Embedding;
use crate::environment::Environment;
use crate::language::{Language, Plan};
use crate::progress::Watched;
use crate::progress::counted;
use anyhow::{Result, bail};
use banyan_engine::llm::{Forecast, LlmError};
use banyan_engine::schema::SchemaMode;
use banyan_engine::stated::{Quarantine, QuarantineReason};
use banyan_engine::{Document, Schema, Settings, StatedAt};
use banyan_extract::Analysis;
use banyan_extract::chunk::chunks;
use banyan_extract::model::{Call, Extracted, ModelExtractor, Options, Outcome, Passage, Run, Vocabulary};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// Name of the stage under which calls are counted.
const STAGE: &str = "extract";
/// Most stretches in quarantine that are listed one by one.
const MAX_LISTED: usize = 5;

/// What asking needs to know.
pub struct Asking<'a> {
    /// How the model is asked, and who hears of it.
    pub env: &'a Environment,
    /// The store, beside which the cassette lies unless the user names one.
    pub store: &'a Path,
    /// What bounds extraction.
    pub schema: &'a Schema,
    /// Whether the model may propose what the schema lacks.
    pub mode: SchemaMode,
    /// What counts the tokens of chunks.
    pub embedding: &'a Embedding,
    /// Stretches whose recorded replies are not to be used again.
    pub failed: &'a [Quarantine],
}

impl Asking<'_> {
    /// Asks about every chunk of `documents` and adds what is stated.
    ///
    /// # Errors
    /// When no model can be had, or no call was answered.
    pub fn ask(&self, documents: &[Document], statements: &mut Statements) -> Result<()> {
        let language = Language::open(self.env, self.store, statements.spent)?;
        let model = language.stage(STAGE);
        let extractor = ModelExtractor::new(&model, self.schema, self.options(&language))?;
        let passages = self.passages(documents);
        let calls = extractor.plan(&passages)?;
        self.forget(&language, &extractor, &passages, &calls)?;
        let bar = self.env.progress.bar("asking the model", calls.len());
        let watch = Watched {
            bar: &bar,
            stop: &self.env.stop,
        };
        let run = extractor.run(&passages, &calls, &watch);
        drop(bar);
        if matches!(run.stopped, Some(LlmError::Stopped)) {
            self.env.stop.check()?;
        }
        statements.spent.add(&language);
        let facts = counted(run.n_facts(), "fact");
        let per_fact = match run.n_facts() {
            0 => String::new(),
            n => format!(", {:.0} a fact", run.n_tokens() as f64 / n as f64),
        };
        language.report(&format!("{facts} stated{per_fact}"), self.env);
        self.take(run, &passages, language.cassette(), statements)
    }

    /// What asking about every chunk of `documents` would take, without asking.
    ///
    /// # Errors
    /// When the configuration or the cassette cannot be read.
    pub fn forecast(&self, documents: &[Document]) -> Result<ExtractionPlan> {
        let language = Language::to_count(self.env, self.store)?;
        let model = language.stage(STAGE);
        let extractor = ModelExtractor::new(&model, self.schema, self.options(&language))?;
        let passages = self.passages(documents);
        let forecast = extractor.forecast(&passages, &extractor.plan(&passages)?)?;
        Ok(ExtractionPlan {
            stage: STAGE,
            documents: documents.len(),
            chunks: passages.len(),
            plan: language.plan(forecast),
        })
    }

    fn passages<'d>(&self, documents: &'d [Document]) -> Vec<Passage<'d>> {
        let of = |document: &'d Document| -> Vec<Passage<'d>> {
            let max = Settings::default().max_chunk_tokens;
            let spans = chunks(&Analysis::surface(document), self.embedding.counter(), max);
            spans.into_iter().map(|(span, _)| Passage::of(document, span)).collect()
        };
        documents.par_iter().flat_map_iter(of).collect()
    }

    /// Leaves the recorded replies to whatever failed out of account, whole calls and all their halves.
    fn forget(
        &self,
        language: &Language,
        extractor: &ModelExtractor,
        passages: &[Passage],
        calls: &[Call],
    ) -> Result<()> {
        let failed: BTreeSet<_> = self
            .failed
            .iter()
            .map(|stretch| (stretch.document, stretch.span))
            .collect();
        let is_failed = |at: &usize| {
            passages
                .get(*at)
                .is_some_and(|p| failed.contains(&(p.document, p.span)))
        };
        for call in calls.iter().filter(|call| call.passages.iter().any(is_failed)) {
            let mut parts = vec![call.passages.clone()];
            while let Some(part) = parts.pop() {
                let call = Call { passages: part };
                language.forget(&extractor.request(passages, &call)?);
                let half = call.passages.len() / 2;
                if half > 0 {
                    parts.push(call.passages[..half].to_vec());
                    parts.push(call.passages[half..].to_vec());
                }
            }
        }
        Ok(())
    }

    /// How the configured model is asked. Calls are of one document each, so that a document that goes leaves nothing behind
    /// in what was said of others; `share_calls` gives that up for fewer calls.
    fn options(&self, language: &Language) -> Options {
        let limits = language.limits();
        Options {
            max_prompt_tokens: limits.max_prompt_tokens,
            max_reply_tokens: limits.max_reply_tokens,
            max_concurrent: limits.max_concurrent,
            share_calls: language.shares_calls(),
            vocabulary: match self.mode {
                SchemaMode::Strict => Vocabulary::Closed,
                SchemaMode::Expand | SchemaMode::Open => Vocabulary::Growing,
            },
            ..Options::default()
        }
    }

    /// Takes over what was stated; what was not had goes into quarantine.
    fn take(&self, run: Run, passages: &[Passage], cassette: &Path, statements: &mut Statements) -> Result<()> {
        let n_done = run.chunks.iter().filter(|chunk| chunk.outcome == Outcome::Done).count();
        let is_missing = matches!(run.stopped, Some(LlmError::Missing(_)));
        if (n_done == 0 || is_missing) && !passages.is_empty() {
            let first = run.quarantined().next().map(|stretch| stretch.detail.clone());
            let cause = run.stopped.as_ref().map(ToString::to_string).or(first);
            bail!(
                "nothing was built: {}",
                cause.unwrap_or_else(|| "no call was answered".to_owned())
            );
        }
        let mut quarantine = Vec::new();
        for (passage, chunk) in passages.iter().zip(run.chunks) {
            quarantine.extend(wanting(passage, &chunk, run.stopped.as_ref()));
            let at = StatedAt {
                span: passage.span,
                tokens: chunk.n_tokens,
                stated: chunk.stated,
            };
            statements.by_document.entry(passage.document).or_default().push(at);
        }
        if let Some(error) = &run.stopped {
            self.env
                .progress
                .remark(&format!("the model was asked no further: {error}"));
        }
        for stretch in quarantine.iter().take(MAX_LISTED) {
            self.env.progress.remark(&format!("left out: {stretch}"));
        }
        if !quarantine.is_empty() {
            self.env.progress.remark(&format!(
                "{} of {} without a usable reply; what was paid for is kept in {}; the same command with --retry-failed asks again",
                counted(quarantine.len(), "chunk"),
                passages.len(),
                cassette.display()
            ));
        }
        statements.quarantine.append(&mut quarantine);
        Ok(())
    }
}

/// The stretch, where it is not done.
fn wanting(passage: &Passage, chunk: &Extracted, stopped: Option<&LlmError>) -> Option<Quarantine> {
    match &chunk.outcome {
        Outcome::Done => None,
        Outcome::Quarantined(quarantine) => Some(quarantine.clone()),
        Outcome::Pending => Some(Quarantine {
            document: passage.document,
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

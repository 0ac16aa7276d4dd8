//! `banyan-eval schema-change`: a corpus under two schemas, from what was recorded under the first.
//!
//! Replies of a model answer prompts that name the schema, so a cassette knows those of the first schema alone. What was
//! stated does not depend on what bounds it: it is gathered once under the first and bound by each.

use crate::args::{Global, SchemaChange};
use crate::commands::suite::{Content, Entry, Files, Suite, Task, measure, read};
use crate::eval::suite::compare::{Comparison, compare};
use crate::eval::suite::{Part, Report};
use anyhow::{Context, Result, bail};
use banyan::Outcome;
use banyan::build::Bounds;
use banyan::compose::Embedding;
use banyan::extraction::{Asking, Reader, Statements};
use banyan::progress::Progress;
use banyan::read_schema;
use banyan::render::{self, count};
use banyan::stop::Stop;
use banyan_engine::schema::SchemaMode;
use banyan_engine::{Document, Schema, Settings};
use serde::Serialize;

#[derive(Serialize)]
struct Output {
    #[serde(flatten)]
    comparison: Comparison,
    /// Digest of the store under each schema.
    stores: (String, String),
}

pub(crate) fn run(args: &SchemaChange, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    if args.extractor == Reader::Llm && args.model.replay.is_none() {
        bail!(
            "--extractor llm would pay for calls; expected --replay CASSETTE, from a build under the schema before the edit"
        );
    }
    let before = args
        .from
        .as_deref()
        .map_or_else(|| Ok(Schema::general()?), read_schema)?;
    let after = read_schema(&args.schema)?;
    let entry = Entry {
        name: args.questions.display().to_string(),
        ..Entry::default()
    };
    let opened = entry.load(Files::new(args.questions.clone(), args.corpus.clone()))?;
    let Content::Questions(dataset) = &opened.content else {
        bail!("{}: no questions with answers", args.questions.display());
    };
    let documents = read(&opened, dataset, progress, stop)?;
    let mut embedding = Embedding::open(global, progress)?;
    let statements = gather(args, &before, &documents, &embedding, progress, stop)?;
    let suite = Suite::alone("schema change", args.k.iter().map(|k| usize::from(*k)).collect());
    let mut under = |schema: Schema| -> Result<Part> {
        let task = Task {
            name: &entry.name,
            questions: &dataset.questions,
            documents: documents.clone(),
            statements: statements.clone(),
            bounds: Bounds::strict(schema),
            command: "banyan-eval schema-change".to_owned(),
            suite: &suite,
        };
        measure(task, &mut embedding, progress, stop)
    };
    let (before, after) = (under(before)?, under(after)?);
    let stores = (before.source.store.clone(), after.source.store.clone());
    let report = |part: Part| Report {
        seed: suite.seed,
        parts: vec![part],
        ..Report::default()
    };
    let comparison = compare(&report(before), &report(after));
    if args.json {
        render::json(&Output { comparison, stores })?;
    } else {
        if stores.0 == stores.1 {
            render::text("the two schemas give the same store")?;
        }
        render::text(&comparison.to_string())?;
    }
    Ok(Outcome::Done)
}

/// What was stated under the schema before the edit.
fn gather(
    args: &SchemaChange,
    schema: &Schema,
    documents: &[Document],
    embedding: &Embedding,
    progress: Progress,
    stop: &Stop,
) -> Result<Statements> {
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let asking = Asking {
        args: &args.model,
        store: &directory.path().join("store"),
        schema,
        mode: SchemaMode::Strict,
        counter: embedding.counter(),
        max_chunk_tokens: Settings::default().max_chunk_tokens,
        failed: &[],
        progress,
        stop,
    };
    let statements = Statements::gather(&args.extractor, documents, &asking)?;
    if !statements.quarantine.is_empty() {
        let stretches = count(statements.quarantine.len(), "stretch");
        progress.remark(&format!(
            "{stretches} of text without a usable reply, under both schemas"
        ));
    }
    Ok(statements)
}

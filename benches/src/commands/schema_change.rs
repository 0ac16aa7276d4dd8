//! `banyan-eval schema-change`: a corpus under two schemas, from what was recorded under the first.
//!
//! Replies of a model answer prompts that name the schema, so a cassette knows those of the first schema alone. What was
//! stated does not depend on what bounds it: it is gathered once under the first and bound by each.

use crate::args::SchemaChange;
use crate::commands::suite::{Content, Entry, Files, Suite, Task, measure, read};
use crate::eval::suite::compare::{Comparison, compare};
use crate::eval::suite::{Part, Report};
use crate::render;
use anyhow::{Context, Result, bail};
use banyan::Bounds;
use banyan::Embedding;
use banyan::Environment;
use banyan::counted as count;
use banyan::parts::Asking;
use banyan::{ExtractorKind, Statements};
use banyan_engine::schema::SchemaMode;
use banyan_engine::{Document, Schema, Settings};
use serde::Serialize;
use std::fs;
use std::path::Path;

#[derive(Serialize)]
struct Output {
    #[serde(flatten)]
    comparison: Comparison,
    /// Digest of the store under each schema.
    stores: (String, String),
}

pub(crate) fn run(args: &SchemaChange, env: &Environment) -> Result<()> {
    if args.extractor == ExtractorKind::Llm && env.language.replay.is_none() {
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
    let documents = read(&opened, dataset, env)?;
    let embedding = Embedding::open(env)?;
    let statements = gather(args, &before, &documents, &embedding, env)?;
    let suite = Suite::alone("schema change", args.k.iter().map(|k| usize::from(*k)).collect());
    let under = |schema: Schema| -> Result<Part> {
        let task = Task {
            name: &entry.name,
            questions: &dataset.questions,
            documents: documents.clone(),
            statements: statements.clone(),
            bounds: Bounds::strict(schema),
            command: "banyan-eval schema-change".to_owned(),
            suite: &suite,
        };
        measure(task, &embedding, env)
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
    Ok(())
}

fn read_schema(file: &Path) -> Result<Schema> {
    let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    Ok(Schema::read(&file.to_string_lossy(), &text)?)
}

/// What was stated under the schema before the edit.
fn gather(
    args: &SchemaChange,
    schema: &Schema,
    documents: &[Document],
    embedding: &Embedding,
    env: &Environment,
) -> Result<Statements> {
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let asking = Asking {
        store: &directory.path().join("store"),
        schema,
        mode: SchemaMode::Strict,
        counter: embedding.counter(),
        max_chunk_tokens: Settings::default().max_chunk_tokens,
        failed: &[],
        env,
    };
    let statements = Statements::gather(&args.extractor, documents, &asking)?;
    if !statements.quarantine.is_empty() {
        let stretches = count(statements.quarantine.len(), "stretch");
        env.progress.remark(&format!(
            "{stretches} of text without a usable reply, under both schemas"
        ));
    }
    Ok(statements)
}

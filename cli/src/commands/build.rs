//! `banyan build`: a corpus becomes a store.

use crate::Outcome;
use crate::args::{Build, Global};
use crate::build::{Bounds, Timing, build, save};
use crate::compose::Embedding;
use crate::corpus;
use crate::extraction::{Asking, Reader, Statements};
use crate::patterns::Compiled;
use crate::progress::Progress;
use crate::render;
use crate::stop::Stop;
use crate::summary::Writing;
use crate::tree::grow;
use anyhow::{Context, Result, bail};
use banyan_engine::schema::AcceptedBy;
use banyan_engine::store::{self, Writer};
use banyan_engine::{Document, Knowledge, Schema, Settings};
use std::fs;
use std::path::Path;

pub(crate) fn run(args: &Build, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let store = &args.target.store;
    if args.forecast.dry_run {
        return dry_run(args, global, progress, stop);
    }
    let writer = Writer::lock(store)?;
    let schema = schema(args)?;
    let patterns = Compiled::chosen(args.patterns.as_deref(), &args.extractor, &schema)?;
    let summariser = args.summaries.id(&args.model)?;
    let mut timing = Timing::default();
    let documents = timing.stage("read", || {
        corpus::read(&args.corpus, Some(args.skip_bad), progress, stop)
    })?;
    let mut embedding = Embedding::open(global, progress)?;
    let bounds = bounds(args, schema, &documents, progress)?;
    let failed = if args.retry_failed && store::check(store).is_ok() {
        store::read(store)?.quarantine
    } else {
        Vec::new()
    };
    let asking = Asking {
        failed: &failed,
        ..asking(args, &bounds.schema, &embedding, progress, stop)
    };
    let statements = timing.stage("state", || match patterns {
        Some(patterns) => Ok(Statements::compiled(patterns)),
        None => Statements::gather(&args.extractor, &documents, &asking),
    })?;
    let spent = statements.spent;
    let mut knowledge = build(
        documents,
        statements,
        &bounds,
        &mut embedding,
        progress,
        stop,
        &mut timing,
    )?;
    knowledge.settings.summariser = summariser;
    let touched = grow(&mut knowledge, &embedding, &mut timing)?;
    stop.check()?;
    let writing = Writing {
        args: &args.model,
        store,
        spent,
        progress,
        stop,
    };
    writing.write(&mut knowledge, &touched, &mut timing)?;
    save(&writer, &knowledge, progress, stop, &mut timing)?;
    progress.remark(&summary(&knowledge));
    progress.remark(&timing.line());
    progress.remark(&format!("ask it: banyan query \"…\" --store {}", store.display()));
    Ok(Outcome::Done)
}

/// What bounds this build; what people decided on the store that it replaces holds for it, too.
fn bounds(args: &Build, schema: Schema, documents: &[Document], progress: Progress) -> Result<Bounds> {
    let new = Bounds {
        mode: args.schema_mode.into(),
        mu: args.mu,
        ..Bounds::strict(schema)
    };
    let store = &args.target.store;
    if store::check(store).is_err() {
        return Ok(new);
    }
    let old = match store::decided(store) {
        Ok(old) => old,
        Err(error) => {
            progress.remark(&format!(
                "what was decided on the store before cannot be read and is dropped: {error}"
            ));
            return Ok(new);
        }
    };
    let mut kept = new;
    if !old.decisions.is_empty() {
        let n = render::count(old.decisions.len(), "decision");
        progress.remark(&format!(
            "kept from the store before: {n} on names (`banyan resolve log`)"
        ));
        kept.decisions = old.decisions;
    }
    if old.growth.seed(&old.schema)? == kept.schema {
        let ids = documents.iter().map(|document| document.id).collect();
        (kept.growth, kept.schema) = old.growth.decided(&kept.schema, &ids)?;
    } else if old.growth.versions.iter().any(|version| version.by == AcceptedBy::User)
        || !old.growth.rejected.is_empty()
    {
        progress.remark("what was decided on the schema of the store before is dropped: this build has another schema");
    }
    Ok(kept)
}

/// Tells what a build would take, and builds nothing.
fn dry_run(args: &Build, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    if args.extractor != Reader::Llm {
        bail!("only the extractor `llm` makes calls; --dry-run has nothing to count");
    }
    let schema = schema(args)?;
    let documents = corpus::read(&args.corpus, Some(args.skip_bad), progress, stop)?;
    let embedding = Embedding::open(global, progress)?;
    asking(args, &schema, &embedding, progress, stop).forecast(&documents, args.forecast.json)?;
    Ok(Outcome::Done)
}

fn asking<'a>(
    args: &'a Build,
    schema: &'a Schema,
    embedding: &'a Embedding,
    progress: Progress,
    stop: &'a Stop,
) -> Asking<'a> {
    Asking {
        args: &args.model,
        store: &args.target.store,
        schema,
        mode: args.schema_mode.into(),
        counter: embedding.counter(),
        max_chunk_tokens: Settings::default().max_chunk_tokens,
        failed: &[],
        progress,
        stop,
    }
}

fn schema(args: &Build) -> Result<Schema> {
    match &args.schema {
        Some(file) => read_schema(file),
        None => Ok(Schema::general()?),
    }
}

/// Reads a schema file that the user named.
///
/// # Errors
/// When it cannot be read, or is no schema.
pub fn read_schema(file: &Path) -> Result<Schema> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{}: cannot read; name another schema", file.display()))?;
    Ok(Schema::read(&file.to_string_lossy(), &text)?)
}

/// What was found, in one line.
pub(crate) fn summary(knowledge: &Knowledge) -> String {
    format!(
        "{} documents · {} chunks · {} entities · {} triples · {} attributes · {} communities{}",
        knowledge.documents.len(),
        knowledge.chunks.len(),
        knowledge.graph.entities().len(),
        knowledge.graph.triples().len(),
        knowledge.graph.attributes().len(),
        knowledge.tree.communities().len(),
        if knowledge.chunk_vectors.is_empty() {
            " · no dense vectors (embedder none)"
        } else {
            ""
        },
    )
}

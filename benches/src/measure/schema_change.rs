//! What an edited schema changes in recall and answers, from what was stated under the schema before: nothing is paid for.

use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::Bounds;
use banyan::counted as count;
use banyan::eval::dataset;
use banyan::eval::question::{self, Task};
use banyan::eval::report::Part;
use banyan::eval::suite::{Bench, Files};
use banyan::parts::Asking;
use banyan::{ExtractorKind, Statements};
use banyan_engine::schema::SchemaMode;
use banyan_engine::{Document, Schema, Settings};
use std::fs;
use std::path::Path;

/// The set under the schema before the edit and under the one after: the parts `before` and `after`.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    if args.extractor == ExtractorKind::Llm && bench.env.language.replay.is_none() {
        bail!(
            "--extractor llm would pay for calls; expected --replay CASSETTE, from a build under the schema before the edit"
        );
    }
    let edited = args
        .schema
        .as_deref()
        .context("expected --schema FILE, the edited schema")?;
    let before = args
        .from
        .as_deref()
        .map_or_else(|| Ok(Schema::general()?), read_schema)?;
    let after = read_schema(edited)?;
    let mut parts = Vec::new();
    for questions in &args.paths {
        let files = Files {
            questions: questions.clone(),
            corpus: args.corpus.clone(),
            ..Files::default()
        };
        let dataset = dataset::read(questions)?;
        let name = super::name(questions);
        let documents = question::documents(&name, &files, &dataset, bench)?;
        let statements = gather(args, &before, &documents, bench)?;
        for (when, schema) in [("before", &before), ("after", &after)] {
            let task = Task {
                name: format!("{name} {when}"),
                questions: &dataset.questions,
                documents: documents.clone(),
                statements: statements.clone(),
                bounds: Bounds::strict(schema.clone()),
            };
            parts.push(question::measure(task, bench)?);
        }
    }
    Ok(parts)
}

/// What was stated under the schema before the edit.
fn gather(args: &Measure, schema: &Schema, documents: &[Document], bench: &Bench<'_>) -> Result<Statements> {
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let asking = Asking {
        env: bench.env,
        store: &directory.path().join("store"),
        schema,
        mode: SchemaMode::Strict,
        counter: bench.embedding.counter(),
        max_chunk_tokens: Settings::default().max_chunk_tokens,
        failed: &[],
    };
    let statements = Statements::gather(&args.extractor, documents, &asking)?;
    if !statements.quarantine.is_empty() {
        let stretches = count(statements.quarantine.len(), "stretch");
        bench.env.progress.remark(&format!(
            "{stretches} of text without a usable reply, under both schemas"
        ));
    }
    Ok(statements)
}

fn read_schema(file: &Path) -> Result<Schema> {
    let place = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read"))?;
    Schema::from_json(&text).with_context(|| place.to_string())
}

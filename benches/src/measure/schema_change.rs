//! What an edited schema changes in recall and answers, from what was stated under the schema before: nothing is paid
//! for.

use crate::args::Measure;
use anyhow::{Context, Result, bail};
use banyan::eval::dataset;
use banyan::eval::question::{Beside, Task, documents, measure as ask, statements};
use banyan::eval::report::Part;
use banyan::eval::suite::{Bench, Entry};
use banyan::{Bounds, ExtractorKind, counted};
use banyan_engine::Schema;
use std::fs;
use std::path::Path;

/// The set under the schema before the edit and under the one after: the parts `before` and `after`.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    if args.extractor == ExtractorKind::Llm && bench.env.language.replay.is_none() {
        bail!(
            "--extractor llm would pay for calls; expected --replay CASSETTE, from a build under the schema before the edit"
        );
    }
    let edited = args.schema.as_deref();
    let edited = edited.context("expected --schema FILE, the edited schema")?;
    let before = args.from.as_deref().map(read_schema);
    let before = before.unwrap_or_else(|| Ok(Schema::general()?))?;
    let after = read_schema(edited)?;
    let mut parts = Vec::new();
    for questions in &args.paths {
        let entry = Entry {
            name: super::name(questions),
            questions: questions.clone(),
            corpus: args.corpus.clone(),
            ..Entry::default()
        };
        let dataset = dataset::read(questions)?;
        let documents = documents(&entry, &dataset, bench.env)?;
        let statements = statements(&args.extractor, &documents, &before, bench)?;
        if !statements.quarantine.is_empty() {
            let stretches = counted(statements.quarantine.len(), "stretch");
            bench.env.progress.remark(&format!(
                "{stretches} of text without a usable reply, under both schemas"
            ));
        }
        for (when, schema) in [("before", &before), ("after", &after)] {
            let task = Task {
                name: format!("{} {when}", entry.name),
                dataset: &dataset,
                documents: documents.clone(),
                statements: statements.clone(),
                bounds: Bounds::strict(schema.clone()),
                beside: Beside::default(),
            };
            parts.push(ask(task, bench)?.part);
        }
    }
    Ok(parts)
}

fn read_schema(file: &Path) -> Result<Schema> {
    let place = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{place}: cannot read"))?;
    Schema::from_json(&text).with_context(|| place.to_string())
}

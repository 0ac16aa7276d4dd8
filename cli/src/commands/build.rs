//! `banyan build`: a corpus becomes a store.

use crate::Outcome;
use crate::args::{Build, Global};
use crate::build::{Timing, build, save};
use crate::compose::Embedding;
use crate::corpus;
use crate::progress::Progress;
use crate::stop::Stop;
use anyhow::{Context, Result};
use banyan_engine::store::Writer;
use banyan_engine::{Knowledge, Schema};
use std::fs;
use std::path::Path;

pub(crate) fn run(args: &Build, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let store = &args.target.store;
    let writer = Writer::lock(store)?;
    let schema = match &args.schema {
        Some(file) => read_schema(file)?,
        None => Schema::general()?,
    };
    let mut timing = Timing::default();
    let documents = timing.stage("read", || corpus::read(&args.corpus, args.skip_bad, progress, stop))?;
    let mut embedding = Embedding::open(global, progress)?;
    let knowledge = build(documents, schema, &[], &mut embedding, progress, stop, &mut timing)?;
    save(&writer, &knowledge, progress, stop, &mut timing)?;
    progress.remark(&summary(&knowledge));
    progress.remark(&timing.line());
    progress.remark(&format!("ask it: banyan query \"…\" --store {}", store.display()));
    Ok(Outcome::Done)
}

fn read_schema(file: &Path) -> Result<Schema> {
    let json = fs::read_to_string(file).with_context(|| {
        format!(
            "nothing was built; name another schema: {}: cannot read",
            file.display()
        )
    })?;
    Schema::from_json(&json).with_context(|| format!("{}", file.display()))
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

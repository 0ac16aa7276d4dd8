//! `banyan build`: a corpus becomes a store.

use crate::args::Build;
use crate::{Outcome, render};
use anyhow::Result;
use banyan::{Banyan, BuildOptions, Environment, ExtractorKind, ReadOptions, corpus, counted};
use banyan_engine::Schema;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) fn run(args: &Build, env: &Environment) -> Result<Outcome> {
    let options = BuildOptions {
        schema: args.schema.as_deref().map(read_schema).transpose()?,
        ..args.options()
    };
    let store = &args.target.store;
    if args.dry_run && options.extractor != ExtractorKind::Llm {
        return list(args, &options.read, env);
    }
    if args.dry_run {
        let plan = Banyan::plan_create(store, &args.corpus, &options, env)?;
        return render::show(&plan, args.json);
    }
    Banyan::create(store, &args.corpus, &options, env.clone())?;
    env.progress
        .remark(&format!("ask it: banyan query \"…\" --store {}", store.display()));
    Ok(Outcome::Done)
}

/// What of each file would be read.
fn list(args: &Build, options: &ReadOptions, env: &Environment) -> Result<Outcome> {
    let documents = corpus::read(&args.corpus, options, env)?;
    let mut files: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for document in &documents {
        for origin in &document.origins {
            let (n, bytes) = files.entry(&origin.file).or_default();
            *n += 1;
            *bytes += document.text.len();
        }
    }
    if args.json {
        let rows = files
            .iter()
            .map(|(file, (n, bytes))| json!({"file": file, "documents": n, "bytes": bytes}));
        render::json(&json!({"files": rows.collect::<Vec<_>>()}))?;
        return Ok(Outcome::Done);
    }
    for (file, (n, bytes)) in files {
        render::text(&format!("{file}: {}, {bytes} bytes of text", counted(n, "document")))?;
    }
    Ok(Outcome::Done)
}

pub(super) fn read_schema(file: &Path) -> Result<Schema> {
    Ok(Schema::read(&file.to_string_lossy(), &corpus::text(file)?)?)
}

//! `banyan build`: a corpus becomes a store.

use crate::args::Build;
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{Banyan, BuildOptions, Environment};
use banyan_engine::Schema;
use std::fs;
use std::path::Path;

pub(crate) fn run(args: &Build, env: &Environment) -> Result<Outcome> {
    let options = BuildOptions {
        schema: args.schema.as_deref().map(read_schema).transpose()?,
        ..args.options()
    };
    let store = &args.target.store;
    if args.dry_run {
        let plan = Banyan::plan_create(store, &args.corpus, &options, env)?;
        return render::show(&plan, args.json);
    }
    Banyan::create(store, &args.corpus, &options, env.clone())?;
    env.progress
        .remark(&format!("ask it: banyan query \"…\" --store {}", store.display()));
    Ok(Outcome::Done)
}

pub(super) fn read_schema(file: &Path) -> Result<Schema> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{}: cannot read; name another schema", file.display()))?;
    Ok(Schema::read(&file.to_string_lossy(), &text)?)
}

//! `banyan resolve`: which names are one entity, and the user's say on it.

use super::build::summary;
use super::names::Names;
use crate::Outcome;
use crate::args::{Global, Log, ModelArgs, Pair, Undo};
use crate::build::{Timing, explain, join, save};
use crate::compose::Embedding;
use crate::language::Spent;
use crate::progress::Progress;
use crate::render;
use crate::stop::Stop;
use crate::summary::Writing;
use crate::tree::grow;
use anyhow::{Result, bail};
use banyan_engine::store::{self, Writer};
use banyan_engine::{Decision, Knowledge};
use std::path::Path;

mod report;

pub(crate) fn log(args: &Log) -> Result<Outcome> {
    let knowledge = store::read(&args.target.store)?;
    let wanted = match &args.name {
        Some(name) => Some(Names::new(&knowledge).find(name, &args.target.store)?),
        None => None,
    };
    let report = report::Report::new(&knowledge, wanted.as_deref());
    if args.json {
        render::json(&report)?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn merge(args: &Pair, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    decide(&args.target.store, global, progress, stop, |known| {
        let (a, b) = pair(args, known)?;
        if known.resolution.canonical(&a) == known.resolution.canonical(&b) {
            bail!(
                "{:?} and {:?} are one entity already; nothing was changed",
                args.a,
                args.b
            );
        }
        let said = format!("{:?} and {:?} are one entity now", args.a, args.b);
        Ok((added(known, Decision::Merge { a, b }), said))
    })
}

pub(crate) fn split(args: &Pair, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    decide(&args.target.store, global, progress, stop, |known| {
        let (a, b) = pair(args, known)?;
        if a == b {
            bail!(
                "{:?} and {:?} are the same name, which cannot be split; nothing was changed",
                args.a,
                args.b
            );
        }
        if known.resolution.canonical(&a) != known.resolution.canonical(&b) {
            bail!("{:?} and {:?} are not joined; nothing was changed", args.a, args.b);
        }
        let said = format!("{:?} and {:?} are two entities now", args.a, args.b);
        Ok((added(known, Decision::Split { a, b }), said))
    })
}

pub(crate) fn undo(args: &Undo, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let store = &args.target.store;
    decide(store, global, progress, stop, |known| {
        let Some((last, rest)) = known.resolution.decisions().split_last() else {
            bail!("{}: no decision to take back; nothing was changed", store.display());
        };
        Ok((rest.to_vec(), format!("taken back: {last}")))
    })
}

/// Both keys that were named.
fn pair(args: &Pair, known: &Knowledge) -> Result<(String, String)> {
    let names = Names::new(known);
    let store = &args.target.store;
    Ok((names.find(&args.a, store)?, names.find(&args.b, store)?))
}

fn added(known: &Knowledge, decision: Decision) -> Vec<Decision> {
    let decisions = known.resolution.decisions().iter().cloned();
    decisions.chain([decision]).collect()
}

/// Gives a store that exists the decisions that `edit` returns, with what to say of them, and derives it again: what was read and the vectors of passages stay. The
/// store is this process's alone from before it is read until it is written.
fn decide(
    path: &Path,
    global: &Global,
    progress: Progress,
    stop: &Stop,
    edit: impl FnOnce(&Knowledge) -> Result<(Vec<Decision>, String)>,
) -> Result<Outcome> {
    store::check(path)?;
    let writer = Writer::lock(path)?;
    let known = store::read(path)?;
    let (decisions, said) = edit(&known)?;
    let is_new = decisions.len() > known.resolution.decisions().len();
    let embedding = Embedding::for_store(&known.settings.embedder, global, progress)?;
    let mut timing = Timing::default();
    let Knowledge {
        settings,
        schema,
        documents,
        contributions,
        chunk_vectors,
        ..
    } = known;
    let (mut knowledge, held) = join(
        settings,
        schema,
        documents,
        contributions,
        &decisions,
        &embedding,
        &mut timing,
    )?;
    if let Some(last) = held.last().filter(|held| is_new && held.index + 1 == decisions.len()) {
        let reason = explain(&last.objection, &decisions, &knowledge.schema);
        bail!(
            "{} is not possible: {reason}; nothing was changed",
            decisions[last.index]
        );
    }
    stop.check()?;
    knowledge.chunk_vectors = chunk_vectors;
    let touched = grow(&mut knowledge, &embedding, &mut timing)?;
    stop.check()?;
    let writing = Writing {
        args: &ModelArgs::default(),
        store: path,
        spent: Spent::default(),
        progress,
        stop,
    };
    writing.write(&mut knowledge, &touched, &mut timing)?;
    save(&writer, &knowledge, progress, stop, &mut timing)?;
    progress.remark(&said);
    progress.remark(&summary(&knowledge));
    Ok(Outcome::Done)
}

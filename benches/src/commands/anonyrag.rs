//! `banyan-eval anonyrag`: names behind tags and multiple choice, open and reject.

use crate::anonymise::Key;
use crate::args::AnonyRag;
use crate::commands::anonymize::{KEY, read_key};
use crate::eval::anony::overlap::mean_overlap;
use crate::eval::anony::place::Chunks;
use crate::eval::anony::report::{ModeFigures, Report, mode_name, recalls};
use crate::eval::anony::{Answerer, Asked, Gold, Item, items};
use crate::render;
use anyhow::{Context, Result, ensure};
use asking::{Bench, name};
use banyan::Embedding;
use banyan::Environment;
use banyan_engine::ChunkId;
use banyan_retrieve::Mode;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub(crate) mod asking;
mod fit;
mod record;

/// Seed of the bootstrap.
pub(crate) const SEED: u64 = 42;
/// Numbers of passages at which recall of gold places is told.
const KS: [usize; 4] = [2, 5, 10, 20];
/// What every report without a model says.
const UNKNOWABLE: &str = "a name is given only where the corpus itself lets it slip: real names outside the corpus cannot be known without a model";

pub(crate) fn run(args: &AnonyRag, env: &Environment) -> Result<()> {
    ensure!(
        args.qa.len() == args.texts.len(),
        "found {} --qa and {} --texts; expected one for each other",
        args.qa.len(),
        args.texts.len()
    );
    // All sets are read before any work starts.
    let sets: Vec<Vec<Item>> = args
        .qa
        .iter()
        .map(|file| read_items(file, args.key.as_deref()))
        .collect::<Result<_>>()?;
    if args.fit.is_some() {
        let several = "several with --fit, so that each is answered by weights fitted to the others";
        ensure!(sets.len() > 1, "found one set; expected {several}");
    }
    let embedding = Embedding::open(env)?;
    if let Some(out) = &args.fit {
        return fit::run(args, &sets, out, &embedding, env);
    }
    let [items] = &sets[..] else {
        anyhow::bail!("found {} sets; expected one, or several with --fit", sets.len());
    };
    let bench = Bench::open(&args.texts[0], &embedding, env)?;
    let report = report(args, items, &bench, &embedding, env)?;
    if args.asking.json {
        render::json(&report)?;
    } else {
        render::text(&report.to_string())?;
    }
    Ok(())
}

fn report(args: &AnonyRag, items: &[Item], bench: &Bench, embedding: &Embedding, env: &Environment) -> Result<Report> {
    let evidence = bench.evidence(items, embedding)?;
    let modes = &args.asking.mode;
    let (id, given) = bench.ask(&args.asking, &args.qa[0], env, |answerer| {
        let answers = modes.iter().map(|mode| answerer.answer(items, Some(&evidence), *mode));
        Ok((answerer.id(), answers.collect::<Result<Vec<_>, _>>()?))
    })?;
    // What reject mode held back is ranked by how sure it would have been.
    let sure = match id.as_str() {
        "embedded" => Some(bench.embedded().answer(items, Some(&evidence), Mode::Open)?),
        _ => None,
    };
    let figures = modes.iter().zip(&given).map(|(mode, given)| {
        let sure = sure.as_ref().unwrap_or(given);
        (
            mode_name(*mode).to_owned(),
            ModeFigures::new(items, given, sure, *mode, SEED),
        )
    });
    let chunks = Chunks::new(bench.searcher.knowledge());
    let per_question: Vec<Asked> = (items.iter().zip(&evidence).enumerate())
        .map(|(at, (item, found))| {
            let answers = modes.iter().copied().zip(given.iter().map(|given| &given[at]));
            let found: Vec<ChunkId> = found.passages.iter().map(|passage| passage.chunk).collect();
            Asked::new(item, chunks.ranks(&item.places, &found), answers)
        })
        .collect();
    Ok(Report {
        set: name(&args.qa[0]),
        documents: bench.searcher.knowledge().documents.len(),
        embedder: embedding.id().to_owned(),
        questions: items.len(),
        modes: figures.collect::<BTreeMap<_, _>>(),
        evidence: recalls(&per_question, &KS, SEED),
        overlap: mean_overlap(items, SEED),
        remarks: remarks(items, &id),
        answerer: id,
        per_question,
    })
}

fn remarks(items: &[Item], answerer: &str) -> Vec<String> {
    let has_names = items.iter().any(|item| matches!(item.gold, Gold::Names(_)));
    let is_told = has_names && answerer == "embedded";
    is_told.then(|| UNKNOWABLE.to_owned()).into_iter().collect()
}

/// The questions of a file, with the key beside it where there is one.
pub(crate) fn read_items(file: &Path, key: Option<&Path>) -> Result<Vec<Item>> {
    let bytes = fs::read(file).with_context(|| format!("{}: cannot read", file.display()))?;
    let records = record::records(&file.display().to_string(), bytes)?;
    let beside = file.with_file_name(KEY);
    let key: Option<Key> = match key {
        Some(key) => Some(read_key(key)?),
        None if beside.exists() => Some(read_key(&beside)?),
        None => None,
    };
    items(&records, key.as_ref()).with_context(|| file.display().to_string())
}

/// Whether a file is a table rather than text.
fn is_table(file: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("parquet"))
}

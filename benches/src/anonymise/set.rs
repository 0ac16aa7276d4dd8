//! `banyan-eval anonymize`: tags for names, and questions over them.

use super::dictionary::{Anonymised, Dictionary};
use super::key::{Key, Record};
use super::path::steps;
use super::question::{Draw, draw};
use crate::args::Anonymize;
use crate::render;
use anyhow::{Context, Result, ensure};
use banyan::{Bounds, Embedding, Environment, ReadOptions, Statements, Timing, build, corpus, counted};
use banyan_engine::{Document, Schema};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where the anonymised texts, the questions and the key lie in a set's directory.
pub(crate) const CORPUS: &str = "corpus.jsonl";
pub(crate) const QUESTIONS: &str = "questions.jsonl";
pub(crate) const KEY: &str = "key.json";

/// Reads a corpus, puts tags for its names, draws questions, writes the set and tells what it is.
pub(crate) fn run(args: &Anonymize, env: &Environment) -> Result<()> {
    let out = args.out.display();
    let is_vacant = match fs::read_dir(&args.out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !args.out.exists(),
    };
    ensure!(
        is_vacant,
        "{out}: exists; expected a directory that does not exist or is empty"
    );
    let documents = corpus::read(&args.corpus, &ReadOptions::default(), env)?;
    let bounds = Bounds::strict(Schema::general()?);
    // Names as `build` finds them; no vectors are needed.
    let statements = Statements::embedded();
    let knowledge = build(
        documents.into(),
        statements,
        &bounds,
        banyan::analyser(env),
        &Embedding::None,
        env,
        &mut Timing::default(),
    )?;
    let dictionary = Dictionary::of(&knowledge)?;
    let entries = dictionary.entries();
    ensure!(
        !entries.is_empty(),
        "no names were found in the corpus; expected texts that name persons, places or other things"
    );
    env.stop.check()?;
    let anonymised = |document: &Document| {
        (
            dictionary.anonymise(&document.title),
            dictionary.anonymise(&document.text),
        )
    };
    let (titles, texts): (Vec<Anonymised>, Vec<Anonymised>) =
        knowledge.documents.all().par_iter().map(anonymised).unzip();
    let steps = steps(&knowledge, &dictionary, &texts);
    let wanted = Draw {
        hops: args.hops.clone(),
        n: args.questions.into(),
        seed: args.seed,
    };
    let lines = draw(&dictionary, &texts, &steps, &wanted);
    env.stop.check()?;
    if lines.len() < wanted.n {
        let (found, n) = (counted(lines.len(), "question"), wanted.n);
        env.progress
            .remark(&format!("{found} of {n}: the graph has no more paths of these lengths"));
    }
    let record = |at, title: &str, text: &str| Record {
        id: id(at),
        title: title.to_owned(),
        text: text.to_owned(),
    };
    let new = titles.iter().zip(&texts).enumerate();
    let new: Vec<Record> = new
        .map(|(at, (title, text))| record(at, &title.text, &text.text))
        .collect();
    let old = knowledge.documents.all().iter().enumerate();
    let key = Key {
        entities: entries.to_vec(),
        documents: old
            .map(|(at, document)| record(at, &document.title, &document.text))
            .collect(),
    };
    fs::create_dir_all(&args.out).with_context(|| format!("{out}: cannot make the directory"))?;
    put(&args.out.join(CORPUS), &new)?;
    put(&args.out.join(QUESTIONS), &lines)?;
    put(&args.out.join(KEY), &[&key])?;
    let spellings: usize = entries.iter().map(|entry| 1 + entry.aliases.len()).sum();
    let replaced: usize = titles.iter().chain(&texts).map(|text| text.replaced.len()).sum();
    let (kinds, hops) = (
        tally(entries.iter().map(|one| &one.tag.label)),
        tally(lines.iter().map(|line| line.hops)),
    );
    if args.json {
        return render::json(&json!({
            "documents": texts.len(), "entities": kinds, "spellings": spellings, "replaced": replaced, "questions": hops,
        }));
    }
    render::text(&format!(
        "{} tags for {spellings} spellings ({kinds:?}); {replaced} names replaced in {}\n{} by hops: {hops:?}\n{out}/{CORPUS} and {out}/{QUESTIONS} have no names; {out}/{KEY} has all of them: keep it apart",
        entries.len(),
        counted(texts.len(), "document"),
        counted(lines.len(), "question"),
    ))
}

pub(super) fn id(at: usize) -> String {
    (at + 1).to_string()
}

fn tally<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn put(path: &Path, values: &[impl Serialize]) -> Result<()> {
    let lines = values.iter().map(|value| Ok(serde_json::to_string(value)? + "\n"));
    let place = path.display();
    fs::write(path, lines.collect::<Result<String>>()?).with_context(|| format!("{place}: cannot write"))
}

pub(crate) fn read_key(path: &Path) -> Result<Key> {
    let place = path.display();
    let json = corpus::text(path)?;
    serde_json::from_str(&json).with_context(|| format!("{place}: not a key; expected it as `anonymize` wrote it"))
}

//! `banyan-eval leakage`: the same multiple choice with names and with tags, with passages and without.

use crate::anonymise::Key;
use crate::args::{AskingArgs, Leakage as Args};
use crate::commands::anonymize::{CORPUS, KEY, QUESTIONS, originals, read_key};
use crate::commands::anonyrag::asking::{Bench, name};
use crate::commands::anonyrag::{SEED, read_items};
use crate::eval::anony::leakage::{Answers, Leakage};
use crate::eval::anony::report::mode_name;
use crate::eval::anony::{Gold, Item};
use crate::render;
use anyhow::{Result, ensure};
use banyan::Embedding;
use banyan::Environment;
use banyan_engine::document::canonicalise;
use banyan_extract::read;
use banyan_retrieve::Mode;
use std::path::Path;

pub(crate) fn run(args: &Args, env: &Environment) -> Result<()> {
    let key = read_key(&args.set.join(KEY))?;
    let mut tagged = read_items(&args.set.join(QUESTIONS), None)?;
    tagged.retain(|item| matches!(item.gold, Gold::Letter(_)));
    ensure!(
        !tagged.is_empty(),
        "{}: no multiple choice; expected some in {QUESTIONS}",
        args.set.display()
    );
    let named: Vec<Item> = tagged.iter().map(|item| item.revealed(&key)).collect();
    let embedding = Embedding::open(env)?;
    let plain = plain(&args.set, &key, &embedding, env)?;
    let hidden = Bench::open(&args.set.join(CORPUS), &embedding, env)?;
    let asked = |bench: &Bench, items: &[Item]| answers(&args.asking, &args.set, bench, items, &embedding, env);
    let (id, with_names) = asked(&plain, &named)?;
    let (_, with_tags) = asked(&hidden, &tagged)?;
    let leakage = Leakage::new(name(&args.set), id, (&named, &tagged), &with_names, &with_tags, SEED);
    if args.asking.json {
        render::json(&leakage)?;
    } else {
        render::text(&leakage.to_string())?;
    }
    Ok(())
}

/// The corpus as it was.
fn plain(set: &Path, key: &Key, embedding: &Embedding, env: &Environment) -> Result<Bench> {
    let mut documents = Vec::new();
    for (file, raw) in originals(set, key, env)? {
        documents.extend(read::parse(&file.to_string_lossy(), raw.into_bytes())?);
    }
    canonicalise(&mut documents);
    Bench::of(documents, embedding, env)
}

/// Who answered, and what: in each mode with passages, and openly without.
fn answers(
    asking: &AskingArgs,
    set: &Path,
    bench: &Bench,
    items: &[Item],
    embedding: &Embedding,
    env: &Environment,
) -> Result<(String, Answers)> {
    let evidence = bench.evidence(items, embedding)?;
    bench.ask(asking, set, env, |answerer| {
        let each = asking.mode.clone().into_iter().map(|mode| {
            let given = answerer.answer(items, Some(&evidence), mode)?;
            Ok((mode_name(mode).to_owned(), given))
        });
        let answers = Answers {
            retrieved: each.collect::<Result<_>>()?,
            closed: answerer.answer(items, None, Mode::Open)?,
        };
        Ok((answerer.id(), answers))
    })
}

//! `banyan-eval leakage`: the same multiple choice with names and with tags, with passages and without.

use crate::anonymise::Key;
use crate::args::{AskingArgs, Global, Leakage as Args};
use crate::commands::anonymize::{CORPUS, KEY, QUESTIONS, originals, read_key};
use crate::commands::anonyrag::asking::{Bench, name};
use crate::commands::anonyrag::{SEED, modes, read_items};
use crate::eval::anony::leakage::{Answers, Leakage};
use crate::eval::anony::report::mode_name;
use crate::eval::anony::{Gold, Item};
use anyhow::{Result, ensure};
use banyan::Outcome;
use banyan::compose::Embedding;
use banyan::progress::Progress;
use banyan::render;
use banyan::stop::Stop;
use banyan_engine::document::canonicalise;
use banyan_extract::read;
use banyan_retrieve::Mode;
use std::path::Path;

pub(crate) fn run(args: &Args, global: &Global, progress: Progress, stop: &Stop) -> Result<Outcome> {
    let key = read_key(&args.set.join(KEY))?;
    let mut tagged = read_items(&args.set.join(QUESTIONS), None)?;
    tagged.retain(|item| matches!(item.gold, Gold::Letter(_)));
    ensure!(
        !tagged.is_empty(),
        "{}: no multiple choice; expected some in {QUESTIONS}",
        args.set.display()
    );
    let named: Vec<Item> = tagged.iter().map(|item| item.revealed(&key)).collect();
    let mut embedding = Embedding::open(global, progress)?;
    let plain = plain(&args.set, &key, &mut embedding, progress, stop)?;
    let hidden = Bench::open(&args.set.join(CORPUS), &mut embedding, progress, stop)?;
    let mut asked =
        |bench: &Bench, items: &[Item]| answers(&args.asking, &args.set, bench, items, &mut embedding, progress, stop);
    let (id, with_names) = asked(&plain, &named)?;
    let (_, with_tags) = asked(&hidden, &tagged)?;
    let leakage = Leakage::new(name(&args.set), id, (&named, &tagged), &with_names, &with_tags, SEED);
    if args.asking.json {
        render::json(&leakage)?;
    } else {
        render::text(&leakage.to_string())?;
    }
    Ok(Outcome::Done)
}

/// The corpus as it was.
fn plain(set: &Path, key: &Key, embedding: &mut Embedding, progress: Progress, stop: &Stop) -> Result<Bench> {
    let mut documents = Vec::new();
    for (file, raw) in originals(set, key, stop)? {
        documents.extend(read::parse(&file.to_string_lossy(), raw.into_bytes())?);
    }
    canonicalise(&mut documents);
    Bench::of(documents, embedding, progress, stop)
}

/// Who answered, and what: in each mode with passages, and openly without.
fn answers(
    asking: &AskingArgs,
    set: &Path,
    bench: &Bench,
    items: &[Item],
    embedding: &mut Embedding,
    progress: Progress,
    stop: &Stop,
) -> Result<(String, Answers)> {
    let evidence = bench.evidence(items, embedding, progress, stop)?;
    bench.ask(asking, set, progress, stop, |answerer| {
        let each = modes(&asking.mode).into_iter().map(|mode| {
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

//! How much of what is answered right is remembered: the same multiple choice with names and with tags, with passages and
//! without.

use crate::anonymise::{CORPUS, KEY, Key, QUESTIONS, read_key};
use crate::args::Measure;
use anyhow::{Result, ensure};
use banyan::ReadOptions;
use banyan::corpus;
use banyan::eval::Built;
use banyan::eval::anonyrag::{Found, Gold, Item, mark, measure_with, read_items};
use banyan::eval::report::{Asked, Part};
use banyan::eval::suite::Bench;
use banyan_engine::document::canonicalise;
use banyan_retrieve::Mode;
use std::path::Path;

/// The condition in which nothing can be remembered and nothing looked up.
const BASELINE: &str = "tags, closed book";

/// Asks every choice of anonymised sets under four conditions: that of names without passages is memory.
pub(crate) fn measure(args: &Measure, bench: &Bench<'_>) -> Result<Vec<Part>> {
    args.paths.iter().map(|set| one(set, bench)).collect()
}

fn one(set: &Path, bench: &Bench<'_>) -> Result<Part> {
    let key = read_key(&set.join(KEY))?;
    let mut tagged = read_items(&set.join(QUESTIONS), None)?;
    tagged.retain(|item| matches!(item.gold, Gold::Letter(_)));
    let place = set.display();
    ensure!(
        !tagged.is_empty(),
        "{place}: no multiple choice; expected some in {QUESTIONS}"
    );
    let named: Vec<Item> = tagged.iter().map(|item| revealed(item, &key)).collect();
    let mut part = super::part(set, 0);
    BASELINE.clone_into(&mut part.baseline);
    part.questions = tagged.iter().map(asked).collect();
    let mut plain = key.documents();
    canonicalise(&mut plain);
    let hidden = corpus::read(&[set.join(CORPUS)], &ReadOptions::default(), bench.env)?;
    for (name, documents, items) in [("names", plain, &named), ("tags", hidden, &tagged)] {
        let searcher = Built::new(documents, bench.reading, bench)?.searcher;
        let evidence = Found::new(&searcher, items, set, bench)?.reasoned;
        let (found, closed) = measure_with(&searcher, set, bench, |answerer| {
            let found = answerer.answer(items, Some(&evidence), Mode::Open)?;
            Ok((found, answerer.answer(items, None, Mode::Open)?))
        })?;
        for (how, given) in [("with passages", found), ("closed book", closed)] {
            for (at, (item, given)) in items.iter().zip(&given).enumerate() {
                mark(&mut part, &format!("{name}, {how}"), at, item, given);
            }
        }
    }
    Ok(part)
}

/// The same question with the name used most for each tag.
fn revealed(item: &Item, key: &Key) -> Item {
    let options = item.options.iter().map(|(letter, text)| (*letter, key.reveal(text)));
    Item {
        question: key.reveal(&item.question),
        stem: key.reveal(&item.stem),
        options: options.collect(),
        ..item.clone()
    }
}

fn asked(item: &Item) -> Asked {
    Asked {
        id: item.id.clone(),
        text: item.question.clone(),
        ..Asked::default()
    }
}

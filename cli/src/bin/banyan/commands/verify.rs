//! `banyan verify`: whether a store is sound, and whether every quote of an answer stands in it where the answer says.

use crate::args::Verify;
use crate::{Outcome, render};
use anyhow::{Context, Result, bail};
use banyan::{Banyan, Environment, counted};
use banyan_engine::{Document, Knowledge, Span, store};
use banyan_retrieve::Citation;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The part of what `query --json` prints that is checked.
#[derive(Deserialize)]
struct Printed {
    answer: Cited,
}

#[derive(Deserialize)]
struct Cited {
    citations: Vec<Citation>,
}

pub(crate) fn run(args: &Verify, env: Environment) -> Result<Outcome> {
    match &args.answer {
        Some(answer) => {
            let banyan = Banyan::open(&args.target.store, env)?;
            let outcome = verify_answer(answer, banyan.knowledge()?);
            banyan.sound()?;
            outcome
        }
        None => verify_store(args, &env),
    }
}

fn verify_store(args: &Verify, env: &Environment) -> Result<Outcome> {
    let path = &args.target.store;
    let verdict = if args.repair {
        store::repair(path)?
    } else {
        store::verify(path)?
    };
    if args.json {
        render::json(&verdict)?;
    }
    for fault in &verdict.faults {
        env.progress.remark(fault);
    }
    let store = path.display();
    if !verdict.faults.is_empty() && !args.repair {
        let n = counted(verdict.faults.len(), "fault");
        bail!("{store} is damaged, {n}; `banyan verify --repair --store {store}` mends what can be mended");
    }
    if !args.json {
        let held = format!(
            "{} in {}",
            counted(verdict.documents, "document"),
            counted(verdict.rows, "row")
        );
        let said = if verdict.faults.is_empty() { "whole" } else { "mended" };
        render::text(&format!("{store} is {said}: {held}"))?;
    }
    Ok(Outcome::Done)
}

fn verify_answer(answer: &Path, knowledge: &Knowledge) -> Result<Outcome> {
    let printed: Printed = serde_json::from_slice(&render::input(answer)?).with_context(|| {
        format!(
            "{}: expected one answer as `banyan query --json` prints it",
            answer.display()
        )
    })?;
    let places = places(knowledge);
    let mut n_wrong = 0;
    for citation in &printed.answer.citations {
        let verdict = verdict(&places, citation);
        n_wrong += usize::from(verdict != "verbatim");
        render::text(&format!(
            "{verdict}: {} ({}:{}..{})",
            citation.title, citation.origin, citation.start, citation.end
        ))?;
    }
    let n = printed.answer.citations.len();
    render::text(&format!("{} of {} verbatim", n - n_wrong, counted(n, "quote")))?;
    Ok(if n_wrong == 0 { Outcome::Done } else { Outcome::NoAnswer })
}

/// Documents by origin as citations write it; a document read from several places has several.
fn places(knowledge: &Knowledge) -> BTreeMap<String, &Document> {
    let all = knowledge.documents.all().iter();
    all.flat_map(|document| {
        document
            .origins
            .iter()
            .map(move |origin| (origin.to_string(), document))
    })
    .collect()
}

fn verdict(places: &BTreeMap<String, &Document>, citation: &Citation) -> &'static str {
    let Some(document) = places.get(&citation.origin) else {
        return "no such document";
    };
    let span = Span {
        start: citation.start,
        end: citation.end,
    };
    let found = document.text.get(span.start as usize..span.end as usize);
    match found {
        None => "no such place",
        Some(found) if found != citation.quote => "other words",
        Some(_) if document.title != citation.title => "other title",
        Some(_) => "verbatim",
    }
}

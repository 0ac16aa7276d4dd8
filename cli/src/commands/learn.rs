//! `banyan extract learn`: labelled sentences to a compiled extractor.

use crate::Outcome;
use crate::args::Learn;
use crate::build::Watched;
use crate::progress::Progress;
use crate::stop::Stop;
use crate::{corpus, patterns, render};
use anyhow::{Context, Result, bail};
use banyan_engine::{Schema, Settings, store};
use banyan_extract::chunk::EstimateTokens;
use banyan_extract::learn::{Example, Hits, Outcome as Fate, Patterns, read_examples, recorded_examples, verify};
use banyan_extract::recorded::Recording;
use banyan_extract::statement::General;
use banyan_extract::{Extractor, extract};
use serde::Serialize;
use std::fs;

/// Precision, recall and F1 on held-back sentences.
#[derive(Serialize)]
struct Figures {
    precision: f64,
    recall: f64,
    f1: f64,
}

impl From<Hits> for Figures {
    fn from(hits: Hits) -> Self {
        Self {
            precision: hits.precision(),
            recall: hits.recall(),
            f1: hits.f1(),
        }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    relation: &'a str,
    examples: usize,
    gold: usize,
    without: Figures,
    with: Figures,
    outcome: Fate,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'a str,
    examples: usize,
    kept: usize,
    built_in: Figures,
    compiled: Figures,
    relations: Vec<Row<'a>>,
}

pub(crate) fn run(args: &Learn, progress: Progress, stop: &Stop) -> Result<Outcome> {
    if args.out.exists() {
        bail!(patterns::taken(&args.out));
    }
    let (schema, relations) = patterns::relations(&args.schema)?;
    let mut examples = examples(args, &schema, progress, stop)?;
    let source = args.examples.display();
    let is_known = |label: &str| relations.iter().any(|relation| relation.label == label);
    let n_stated: usize = examples.iter().map(|example| example.triples.len()).sum();
    for example in &mut examples {
        example.triples.retain(|triple| is_known(&triple.relation));
    }
    let n_known: usize = examples.iter().map(|example| example.triples.len()).sum();
    if n_known == 0 {
        bail!(
            "{source}: none of its {} has a relation of {}; expected labels that name its relations",
            render::count(n_stated, "statement"),
            args.schema.display()
        );
    }
    if n_known < n_stated {
        let foreign = render::count(n_stated - n_known, "statement");
        progress.remark(&format!(
            "{source}: {foreign} of relations that the schema does not define passed over"
        ));
    }
    stop.check()?;
    let verified = verify(&relations, &examples, &General::built_in()?);
    stop.check()?;
    let totals = (verified.unlearned, verified.taught);
    let compiled = Patterns::new(schema.name(), relations, examples.len(), verified);
    patterns::write(&args.out, &compiled)?;
    let report = report(&compiled, totals);
    if args.json {
        render::json(&report)?;
    } else {
        render::text(&table(&report))?;
    }
    let out = args.out.display();
    progress.remark(&format!(
        "{out}: {} kept; read with build --patterns {out}",
        render::count(report.kept, "relation")
    ));
    Ok(Outcome::Done)
}

/// The labelled sentences that the user named.
fn examples(args: &Learn, schema: &Schema, progress: Progress, stop: &Stop) -> Result<Vec<Example>> {
    let file = &args.examples;
    let name = corpus::name(file);
    if file.is_dir() {
        let known = store::read(file)?;
        return Ok(recorded_examples(&known.documents, &known.contributions, &known.schema));
    }
    let text = fs::read_to_string(file).with_context(|| format!("{name}: cannot read; name a file with examples"))?;
    if args.corpus.is_empty() {
        return read_examples(&text).with_context(|| name);
    }
    let documents = corpus::read(&args.corpus, None, progress, stop)?;
    let laid = Recording::parse(&name, &text)?.lay(&name, &documents)?;
    let bar = progress.bar("binding", documents.len());
    let said = Extractor::Stated(&laid.statements);
    let max_tokens = Settings::default().max_chunk_tokens;
    let watch = Watched { bar: &bar, stop };
    let bound = extract(&documents, said, schema, &EstimateTokens, max_tokens, &watch);
    bar.finish_and_clear();
    stop.check()?;
    Ok(recorded_examples(&documents, &bound?, schema))
}

fn report(compiled: &Patterns, (built_in, taught): (Hits, Hits)) -> Report<'_> {
    let pairs = compiled.relations.iter().zip(&compiled.verdicts);
    let relations: Vec<Row> = pairs
        .map(|(relation, verdict)| Row {
            relation: &relation.label,
            examples: verdict.examples,
            gold: verdict.with.gold,
            without: verdict.without.into(),
            with: verdict.with.into(),
            outcome: verdict.outcome,
        })
        .collect();
    Report {
        schema: &compiled.schema,
        examples: compiled.n_examples,
        kept: relations.iter().filter(|row| row.outcome == Fate::Kept).count(),
        built_in: built_in.into(),
        compiled: taught.into(),
        relations,
    }
}

/// A line a relation, then all of them together.
fn table(report: &Report) -> String {
    let wide = report.relations.iter().map(|row| row.relation.chars().count()).max();
    let wide = wide.unwrap_or(0).max("relation".len());
    let mut lines = vec![
        format!(
            "schema {}: {}, a fifth held back at a time",
            report.schema,
            render::count(report.examples, "example")
        ),
        format!("{:wide$}  examples      P      R  F1 without -> with", "relation"),
    ];
    lines.extend(report.relations.iter().map(|row| {
        let fate = match row.outcome {
            Fate::Kept => "kept",
            Fate::DoesNotPay => "dropped: does not pay",
            Fate::NoExample => "dropped: no example",
        };
        let (with, without) = (&row.with, &row.without);
        format!(
            "{:wide$}  {:>8}  {:.3}  {:.3}       {:.3} -> {:.3}  {fate}",
            row.relation, row.examples, with.precision, with.recall, without.f1, with.f1
        )
    }));
    lines.push(format!(
        "all held-back sentences: F1 {:.3} by the weights that ship, {:.3} compiled",
        report.built_in.f1, report.compiled.f1
    ));
    lines.join("\n")
}

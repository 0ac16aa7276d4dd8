//! `banyan stats`: what a store holds, counted.

use crate::args::{Dump, Load, Stats};
use crate::{Outcome, render};
use anyhow::{Context, Result};
use banyan::{Banyan, Environment};
use banyan_engine::schema::{RefusalReason, Refused};
use banyan_engine::{DocumentId, Knowledge, store};
use ledger::Ledger;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};

mod ledger;

pub(crate) const TEMPLATE: &str = include_str!("../templates/stats.txt");

#[derive(Serialize)]
pub(crate) struct Counts {
    documents: usize,
    /// Those that are read apart from the rest, until they are joined with it.
    recent_documents: usize,
    removed_documents: usize,
    chunks: usize,
    entities: usize,
    triples: usize,
    attributes: usize,
    associations: usize,
    communities: usize,
    /// Nodes of each level above the communities, the lowest first.
    branches: Vec<usize>,
    /// Changes that only refreshed the tree since communities were last detected.
    refreshes: u32,
    refused_by_schema: usize,
    refused_by_reason: Vec<RefusedRow>,
    parser: String,
    embedder: String,
    schema: String,
    schema_version: u32,
    bytes_on_disk: u64,
    entities_by_type: BTreeMap<String, usize>,
    triples_by_relation: BTreeMap<String, usize>,
    attributes_by_type: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<Ledger>,
}

/// Facts that the schema refused for one reason, and where the first of them stands.
#[derive(Serialize)]
struct RefusedRow {
    reason: RefusalReason,
    says: String,
    n: usize,
    example: String,
    document: String,
    start: u32,
    end: u32,
}

/// `banyan dump`: all of a store as text.
pub(crate) fn dump(args: &Dump, env: Environment) -> Result<Outcome> {
    let banyan = Banyan::open(&args.target.store, env)?;
    if args.json {
        banyan.write_lines(&mut BufWriter::new(io::stdout().lock()))?;
        return Ok(Outcome::Done);
    }
    let text = banyan.knowledge()?.to_string();
    banyan.sound()?;
    render::text(text.trim_end())?;
    Ok(Outcome::Done)
}

/// `banyan load`: such text as a store.
pub(crate) fn load(args: &Load, env: Environment) -> Result<Outcome> {
    let name = args.file.display().to_string();
    if name == "-" {
        Banyan::load_lines(&args.target.store, "stdin", io::stdin().lock(), env)?;
    } else {
        let file = File::open(&args.file).with_context(|| format!("{name}: cannot read; nothing was loaded"))?;
        Banyan::load_lines(&args.target.store, &name, BufReader::new(file), env)?;
    }
    Ok(Outcome::Done)
}

pub(crate) fn run(args: &Stats, env: Environment) -> Result<Outcome> {
    let view = view(&Banyan::open(&args.target.store, env)?, args)?;
    render::report(&view, TEMPLATE, args.json)
}

pub(crate) fn view(banyan: &Banyan, args: &Stats) -> Result<Counts> {
    let knowledge = banyan.knowledge()?;
    let mut counts = count(knowledge, store::size(&args.target.store)?);
    counts.stated = Ledger::of(knowledge, args.ledger);
    banyan.sound()?;
    Ok(counts)
}

fn count(knowledge: &Knowledge, bytes_on_disk: u64) -> Counts {
    let Knowledge { schema, graph, .. } = knowledge;
    let types = graph
        .entities()
        .iter()
        .filter(|e| !e.is_gone())
        .map(|e| schema.entity_type(e.entity_type).name.as_str());
    let relations = graph.triples().iter().filter(|t| !t.is_gone());
    let relations = relations.map(|t| schema.relation_name(t.relation));
    let attributes = graph.attributes().iter().filter(|a| !a.is_gone());
    let attributes = attributes.map(|a| schema.attribute_name(a.attribute));
    let counts = knowledge.counts();
    Counts {
        documents: counts.documents,
        recent_documents: knowledge.n_recent,
        removed_documents: knowledge.gone.len(),
        chunks: counts.chunks,
        entities: counts.entities,
        triples: counts.triples,
        attributes: counts.attributes,
        associations: counts.associations,
        communities: counts.communities,
        branches: knowledge.tree.branches().iter().map(Vec::len).collect(),
        refreshes: knowledge.tree.n_refreshes(),
        refused_by_schema: knowledge.n_refused(),
        refused_by_reason: refused(knowledge),
        parser: knowledge.settings.parser.clone(),
        embedder: knowledge.settings.embedder.clone(),
        schema: schema.name().to_owned(),
        schema_version: schema.version(),
        bytes_on_disk,
        entities_by_type: tally(types),
        triples_by_relation: tally(relations),
        attributes_by_type: tally(attributes),
        stated: None,
    }
}

fn tally<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.to_owned()).or_default() += 1;
    }
    counts
}

/// Where a document is from, as people find it.
fn place(knowledge: &Knowledge, id: DocumentId) -> String {
    let document = knowledge.documents.all().iter().find(|document| document.id == id);
    let origin = document.and_then(|document| document.origins.first());
    origin.map_or_else(|| id.to_string(), ToString::to_string)
}

/// Reasons, the most frequent first.
fn refused(knowledge: &Knowledge) -> Vec<RefusedRow> {
    let row = |(reason, refused): (&RefusalReason, &Refused)| RefusedRow {
        reason: reason.clone(),
        says: reason.to_string(),
        n: refused.n,
        example: refused.fact.clone(),
        document: place(knowledge, refused.document),
        start: refused.span.start,
        end: refused.span.end,
    };
    let mut rows: Vec<RefusedRow> = knowledge.refusals.iter().map(row).collect();
    rows.sort_by(|a, b| (Reverse(a.n), &a.reason).cmp(&(Reverse(b.n), &b.reason)));
    rows
}

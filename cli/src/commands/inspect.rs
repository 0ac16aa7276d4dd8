//! `banyan dump` and `banyan stats`: what a store holds.

use crate::Outcome;
use crate::args::{Dump, Stats};
use crate::render;
use anyhow::Result;
use banyan_engine::{Knowledge, store};
use serde::Serialize;
use std::collections::BTreeMap;

pub(crate) fn dump(args: &Dump) -> Result<Outcome> {
    render::text(store::read(&args.target.store)?.to_string().trim_end())?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Counts {
    documents: usize,
    chunks: usize,
    entities: usize,
    triples: usize,
    attributes: usize,
    communities: usize,
    refused_by_schema: usize,
    embedder: String,
    schema: String,
    bytes_on_disk: u64,
    entities_by_type: BTreeMap<String, usize>,
    triples_by_relation: BTreeMap<String, usize>,
    attributes_by_type: BTreeMap<String, usize>,
}

pub(crate) fn stats(args: &Stats) -> Result<Outcome> {
    let knowledge = store::read(&args.target.store)?;
    let counts = count(&knowledge, store::size(&args.target.store)?);
    if args.json {
        render::json(&counts)?;
    } else {
        render::text(&table(&counts))?;
    }
    Ok(Outcome::Done)
}

fn count(knowledge: &Knowledge, bytes_on_disk: u64) -> Counts {
    let Knowledge { schema, graph, .. } = knowledge;
    let tally = |names: &mut dyn Iterator<Item = String>| {
        let mut counts = BTreeMap::new();
        for name in names {
            *counts.entry(name).or_default() += 1;
        }
        counts
    };
    Counts {
        documents: knowledge.documents.len(),
        chunks: knowledge.chunks.len(),
        entities: graph.entities().len(),
        triples: graph.triples().len(),
        attributes: graph.attributes().len(),
        communities: knowledge.tree.communities().len(),
        refused_by_schema: knowledge.n_refused,
        embedder: knowledge.settings.embedder.clone(),
        schema: schema.name().to_owned(),
        bytes_on_disk,
        entities_by_type: tally(
            &mut graph
                .entities()
                .iter()
                .map(|e| schema.entity_type(e.entity_type).name.clone()),
        ),
        triples_by_relation: tally(
            &mut graph
                .triples()
                .iter()
                .map(|t| schema.relation_name(t.relation).to_owned()),
        ),
        attributes_by_type: tally(
            &mut graph
                .attributes()
                .iter()
                .map(|a| schema.attribute_name(a.attribute).to_owned()),
        ),
    }
}

fn table(counts: &Counts) -> String {
    let mut lines = vec![
        format!("documents    {:>8}", counts.documents),
        format!("chunks       {:>8}", counts.chunks),
        format!("entities     {:>8}", counts.entities),
        format!("triples      {:>8}", counts.triples),
        format!("attributes   {:>8}", counts.attributes),
        format!("communities  {:>8}", counts.communities),
        format!(
            "refused      {:>8}  facts that the schema does not admit",
            counts.refused_by_schema
        ),
        format!("on disk      {:>8}  bytes", counts.bytes_on_disk),
        format!("schema {} · embedder {}", counts.schema, counts.embedder),
    ];
    for (heading, tally) in [
        ("entities by type", &counts.entities_by_type),
        ("triples by relation", &counts.triples_by_relation),
        ("attributes by type", &counts.attributes_by_type),
    ] {
        lines.push(format!("\n{heading}"));
        let mut rows: Vec<_> = tally.iter().collect();
        rows.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        lines.extend(rows.into_iter().map(|(name, n)| format!("  {n:>8}  {name}")));
    }
    lines.join("\n")
}

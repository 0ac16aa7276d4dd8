//! Writes a planted graph in the form of the Python reference implementation's.

use anyhow::{Context, Result};
use banyan_benches::npy::write_npy;
use banyan_benches::planted::{DIMENSION, Planted};
use clap::Parser;
use serde_json::json;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a typed graph with planted topics and vectors.
#[derive(Parser)]
struct Args {
    /// Number of entities
    n: usize,
    /// Where `graph.json` and `embeddings.npy` go
    directory: PathBuf,
    /// Seven is the seed of the reference's graphs
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

fn main() -> Result<()> {
    let Args { n, directory, seed } = Args::parse();
    fs::create_dir_all(&directory).with_context(|| format!("{}: cannot make it", directory.display()))?;
    let graph = Planted::new(n, seed);
    write_graph(&graph, seed, &directory.join("graph.json"))?;
    write_vectors(&graph, &directory.join("embeddings.npy"))
}

fn create(file: &Path) -> Result<BufWriter<File>> {
    let opened = File::create(file).with_context(|| format!("{}: cannot write", file.display()))?;
    Ok(BufWriter::new(opened))
}

fn write_graph(graph: &Planted, seed: u64, file: &Path) -> Result<()> {
    let mut out = create(file)?;
    let (n, n_topics) = (graph.topics.len(), graph.n_topics);
    write!(
        out,
        r#"{{"n_entities": {n}, "n_topics": {n_topics}, "seed": {seed}, "nodes": ["#
    )?;
    let entities = graph.topics.iter().enumerate().map(|(entity, topic)| {
        json!({"id": format!("entity_{entity}"), "label": "entity", "level": 2, "name": format!("Topic{topic} Entity{entity}"),
            "schema_type": format!("type_{}", graph.types[*topic]), "topic": topic})
    });
    let attributes = (0..n).map(|entity| {
        json!({"id": format!("attr_{entity}"), "label": "attribute", "level": 1, "name": format!("kind: value{entity}"),
            "topic": -1})
    });
    list(&mut out, entities.chain(attributes))?;
    write!(out, r#"], "edges": ["#)?;
    let triples = graph.triples.iter().map(|(head, relation, tail)| {
        json!([
            format!("entity_{head}"),
            format!("relation_{relation}"),
            format!("entity_{tail}")
        ])
    });
    let values = (0..n).map(|entity| json!([format!("entity_{entity}"), "has_attribute", format!("attr_{entity}")]));
    list(&mut out, triples.chain(values))?;
    write!(out, "]}}")?;
    Ok(out.flush()?)
}

fn list(out: &mut impl Write, values: impl Iterator<Item = serde_json::Value>) -> Result<()> {
    for (position, value) in values.enumerate() {
        write!(out, "{}{value}", if position == 0 { "" } else { ", " })?;
    }
    Ok(())
}

fn write_vectors(graph: &Planted, file: &Path) -> Result<()> {
    let mut out = create(file)?;
    write_npy(&mut out, DIMENSION, &graph.vectors)?;
    Ok(out.flush()?)
}

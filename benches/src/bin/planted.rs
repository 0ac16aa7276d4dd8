//! Writes a planted graph in the form of the Python reference implementation's.
//!
//! ```text
//! cargo run --release -p banyan-benches --bin planted -- N DIRECTORY [--seed S]
//! ```

use anyhow::{Context, Result, bail};
use banyan_benches::npy::write_npy;
use banyan_benches::planted::{DIMENSION, Planted, RELATIONS, TYPES};
use serde_json::json;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// The seed of the reference's graphs.
const SEED: u64 = 7;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (n, directory, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [n, directory] => (n, directory, None),
        [n, directory, "--seed", seed] => (n, directory, Some(seed)),
        _ => bail!("expected: planted N DIRECTORY [--seed S]"),
    };
    let n: usize = n
        .parse()
        .with_context(|| format!("{n}: expected a number of entities"))?;
    let seed = seed.map_or(Ok(SEED), str::parse).context("--seed: expected a number")?;
    let directory = Path::new(directory);
    fs::create_dir_all(directory).with_context(|| format!("{}: cannot make it", directory.display()))?;
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
            "schema_type": TYPES[graph.types[*topic]], "topic": topic})
    });
    let attributes = (0..n).map(|entity| {
        json!({"id": format!("attr_{entity}"), "label": "attribute", "level": 1, "name": format!("kind: value{entity}"),
            "topic": -1})
    });
    list(&mut out, entities.chain(attributes))?;
    write!(out, r#"], "edges": ["#)?;
    let triples = graph.triples.iter().map(|(head, relation, tail)| {
        json!([format!("entity_{head}"), RELATIONS[*relation], format!("entity_{tail}")])
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

//! The methods that stand side by side, and what each takes.

use super::figures::{Figures, Stage};
use super::input::Input;
use anyhow::{Context, Result};
use banyan::cpu;
use banyan_community::{Config, Partition, Semantics, Step, detect, detect_watched, k_means};
use banyan_engine::embed::Vectors;
use leiden_rs::{GraphDataBuilder, Leiden, LeidenConfig};

/// Seed of Louvain and Leiden, that of our own detection.
const SEED: u64 = 42;

/// A way to find communities: a label for each node, and what its parts took.
pub(super) type Method = fn(&Input, &mut Vec<Stage>) -> Result<Vec<u32>>;

pub(super) const ALL: [(&str, Method); 8] = [
    ("banyan", |input, stages| banyan(input, stages)),
    // Nothing is known of meaning.
    ("relations_only", |input, _| {
        let blank = |rows| Vectors::zeros(1, rows);
        let (entities, relations) = (blank(input.vectors.len()), blank(input.graph.relations.len()));
        let nothing = Semantics {
            entities: &entities,
            relations: &relations,
        };
        Ok(labels(&detect(&input.knowledge, &nothing, &Config::default())?))
    }),
    // There are no triples.
    ("meaning_only", |input, _| {
        let found = detect(&input.nodes_only, &input.semantics(), &Config::default())?;
        Ok(labels(&found))
    }),
    // `S_r` compares relation types alone, or neighbourhoods alone.
    ("types_only", |input, _| by_share(input, 1.0)),
    ("neighbours_only", |input, _| by_share(input, 0.0)),
    // The start alone: as many communities as K-means is asked for.
    ("kmeans", |input, _| {
        let found = k_means(&input.knowledge, &input.semantics(), &Config::default())?;
        Ok(labels(&found))
    }),
    ("louvain", |input, _| modularity(input, true)),
    ("leiden", |input, _| modularity(input, false)),
];

/// Runs a method, and measures what it found and took.
pub(super) fn measure(find: Method, input: &Input) -> Result<Figures> {
    let is_own_peak = cpu::reset_peak();
    let before = cpu::time();
    let mut stages = Vec::new();
    let labels = find(input, &mut stages)?;
    let spent = cpu::time().saturating_sub(before);
    let peak_mb = cpu::peak_mb().filter(|_| is_own_peak);
    let of_nodes: Vec<Vec<u32>> = labels.into_iter().map(|label| vec![label]).collect();
    let mut figures = Figures::new(&input.graph, &of_nodes);
    figures.cpu_seconds = Some(spent.as_secs_f64());
    figures.peak_mb = peak_mb;
    figures.stages = stages;
    Ok(figures)
}

fn labels(found: &Partition) -> Vec<u32> {
    found.membership().iter().map(|community| community.0).collect()
}

/// Our detection with its defaults.
fn banyan(input: &Input, stages: &mut Vec<Stage>) -> Result<Vec<u32>> {
    let mut before = cpu::time();
    let mut on_step = |step| {
        let name = match step {
            Step::Represent => "represent",
            Step::Seed => "seed",
            Step::Fuse => "fuse",
        };
        let now = cpu::time();
        stages.push(Stage {
            name,
            cpu_seconds: now.saturating_sub(before).as_secs_f64(),
        });
        before = now;
    };
    let found = detect_watched(&input.knowledge, &input.semantics(), &Config::default(), &mut on_step)?;
    Ok(labels(&found))
}

/// Our detection with this share of relation types in `S_r`.
fn by_share(input: &Input, type_share: f32) -> Result<Vec<u32>> {
    let config = Config {
        type_share,
        ..Config::default()
    };
    Ok(labels(&detect(&input.knowledge, &input.semantics(), &config)?))
}

/// Leiden at resolution 1, or without its refinement, which is Louvain.
fn modularity(input: &Input, is_louvain: bool) -> Result<Vec<u32>> {
    let mut builder = GraphDataBuilder::new(input.graph.names.len());
    for edge in &input.graph.edges {
        // One order of the ends, so that edges there and back add up.
        let ends = (edge.source.min(edge.target), edge.source.max(edge.target));
        builder.add_edge(ends.0 as usize, ends.1 as usize, 1.0)?;
    }
    let config = LeidenConfig {
        seed: Some(SEED),
        skip_refinement: is_louvain,
        ..LeidenConfig::default()
    };
    let found = Leiden::new(config)
        .run(&builder.build()?)
        .context("cannot run Leiden")?;
    let labels = found.partition.as_slice().iter().map(|label| u32::try_from(*label));
    labels.collect::<Result<_, _>>().context("too many communities")
}

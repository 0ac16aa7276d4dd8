//! The methods that stand side by side, and what each takes.

use super::input::Input;
use crate::eval::community::{Figures, Stage};
use anyhow::{Context, Result};
use banyan::cpu;
use banyan_community::{Config, Partition, Semantics, Step, detect, detect_watched, k_means};
use banyan_engine::embed::Vectors;
use leiden_rs::{GraphDataBuilder, Leiden, LeidenConfig};

/// Seed of Louvain and Leiden, that of our own detection.
const SEED: u64 = 42;

/// A way to find communities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Our detection with its defaults.
    Banyan,
    /// The same, where nothing is known of meaning.
    RelationsOnly,
    /// The same, where there are no triples.
    MeaningOnly,
    /// The same, where `S_r` compares relation types alone.
    TypesOnly,
    /// The same, where `S_r` compares neighbourhoods alone.
    NeighboursOnly,
    /// Its start alone: as many communities as K-means is asked for.
    KMeans,
    /// Modularity by moves and aggregation.
    Louvain,
    /// The same with refinement.
    Leiden,
}

impl Method {
    pub(super) const ALL: [Self; 8] = [
        Self::Banyan,
        Self::RelationsOnly,
        Self::MeaningOnly,
        Self::TypesOnly,
        Self::NeighboursOnly,
        Self::KMeans,
        Self::Louvain,
        Self::Leiden,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Banyan => "banyan",
            Self::RelationsOnly => "relations_only",
            Self::MeaningOnly => "meaning_only",
            Self::TypesOnly => "types_only",
            Self::NeighboursOnly => "neighbours_only",
            Self::KMeans => "kmeans",
            Self::Louvain => "louvain",
            Self::Leiden => "leiden",
        }
    }

    /// Runs the method, and measures what it found and took.
    pub(super) fn measure(self, input: &Input) -> Result<Figures> {
        let is_own_peak = cpu::reset_peak();
        let before = cpu::time();
        let mut stages = Vec::new();
        let labels = self.find(input, &mut stages)?;
        let spent = cpu::time().saturating_sub(before);
        let peak_mb = cpu::peak_mb().filter(|_| is_own_peak);
        let of_nodes: Vec<Vec<u32>> = labels.into_iter().map(|label| vec![label]).collect();
        Ok(Figures {
            cpu_seconds: Some(spent.as_secs_f64()),
            peak_mb,
            stages,
            ..Figures::new(&input.graph, &of_nodes)
        })
    }

    /// A label for each node.
    fn find(self, input: &Input, stages: &mut Vec<Stage>) -> Result<Vec<u32>> {
        let config = Config::default();
        let relations = Vectors::zeros(input.vectors.dimension(), input.graph.relations.len());
        let semantics = Semantics {
            entities: &input.vectors,
            relations: &relations,
        };
        let partition = match self {
            Self::Banyan => banyan(input, &semantics, &config, stages)?,
            Self::RelationsOnly => {
                let nothing = (
                    Vectors::zeros(1, input.vectors.len()),
                    Vectors::zeros(1, relations.len()),
                );
                let nothing = Semantics {
                    entities: &nothing.0,
                    relations: &nothing.1,
                };
                detect(&input.knowledge, &nothing, &config)?
            }
            Self::MeaningOnly => detect(&input.nodes_only, &semantics, &config)?,
            Self::TypesOnly => detect(&input.knowledge, &semantics, &read_by(1.0))?,
            Self::NeighboursOnly => detect(&input.knowledge, &semantics, &read_by(0.0))?,
            Self::KMeans => k_means(&input.knowledge, &semantics, &config)?,
            Self::Louvain => return modularity(input, true),
            Self::Leiden => return modularity(input, false),
        };
        Ok(partition.membership().iter().map(|community| community.0).collect())
    }
}

/// The defaults with this share of relation types in `S_r`.
fn read_by(type_share: f32) -> Config {
    Config {
        type_share,
        ..Config::default()
    }
}

fn banyan(input: &Input, semantics: &Semantics, config: &Config, stages: &mut Vec<Stage>) -> Result<Partition> {
    let mut before = cpu::time();
    let mut on_step = |step| {
        let name = match step {
            Step::Represent => "represent",
            Step::Seed => "seed",
            Step::Fuse => "fuse",
        };
        let now = cpu::time();
        stages.push(Stage {
            name: name.to_owned(),
            cpu_seconds: now.saturating_sub(before).as_secs_f64(),
        });
        before = now;
    };
    Ok(detect_watched(&input.knowledge, semantics, config, &mut on_step)?)
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

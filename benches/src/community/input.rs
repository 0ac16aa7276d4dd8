//! What the methods are run on: files to graph, vectors and stored communities.

use super::features::project;
use super::graph::{Edge, Graph};
use super::read::{read_dump, read_gml, read_stored, read_table};
use crate::args::Community;
use crate::npy::read_npy;
use anyhow::{Context, Result, bail};
use banyan::corpus;
use banyan_community::Semantics;
use banyan_engine::embed::Vectors;
use banyan_engine::schema::{Element, RelationType};
use banyan_engine::{Entity, EntityId, KnowledgeGraph, Schema, Triple};
use std::fs;
use std::path::Path;

/// The file that makes a directory a dump.
const DUMP: &str = "graph.json";
/// Vectors beside it.
const EMBEDDINGS: &str = "embeddings.npy";
/// What the names of files with stored communities start with.
const STORED: &str = "communities_";
/// Most relation types told apart here; the rest share the last one. Detection tells 512 directed ones apart.
const MAX_RELATIONS: usize = 4096;
const SEED: u64 = 42;

/// A graph in all the forms that the methods want.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) graph: Graph,
    pub(super) knowledge: KnowledgeGraph,
    /// The same without triples, for what meaning says alone.
    pub(super) nodes_only: KnowledgeGraph,
    /// `(nodes, d)`; zeros where nothing is known of meaning.
    pub(super) vectors: Vectors,
    /// Zeros: nothing is known of the relations' meaning.
    relation_vectors: Vectors,
    /// Where `vectors` come from.
    pub(super) meaning: &'static str,
    /// Communities found elsewhere, by name: for each node those that list it.
    pub(super) stored: Vec<(String, Vec<Vec<u32>>)>,
}

impl Input {
    pub(super) fn read(args: &Community) -> Result<Self> {
        let path = if args.graph.is_dir() {
            args.graph.join(DUMP)
        } else {
            args.graph.clone()
        };
        let graph = read_graph(&path, args.nodes.as_deref())?;
        let is_dump = path.extension().is_some_and(|end| end == "json");
        let beside = path.with_file_name(EMBEDDINGS);
        let embeddings = match &args.embeddings {
            Some(file) => Some(file.clone()),
            None => (is_dump && beside.is_file()).then_some(beside),
        };
        let (vectors, meaning) = match &embeddings {
            Some(file) => (read_vectors(file, graph.names.len())?, "embeddings"),
            None if graph.features.iter().any(|features| !features.is_empty()) => {
                (project(&graph.features, SEED), "features")
            }
            None => (Vectors::zeros(1, graph.names.len()), "none"),
        };
        let stored = if is_dump { stored(&path, &graph)? } else { Vec::new() };
        let schema = schema(&graph.relations)?;
        Ok(Self {
            name: args.graph.display().to_string(),
            knowledge: knowledge(&graph.names, &graph.edges, &schema)?,
            nodes_only: knowledge(&graph.names, &[], &schema)?,
            relation_vectors: Vectors::zeros(vectors.dimension(), graph.relations.len()),
            graph,
            vectors,
            meaning,
            stored,
        })
    }

    /// What is known of meaning.
    pub(super) fn semantics(&self) -> Semantics<'_> {
        Semantics {
            entities: &self.vectors,
            relations: &self.relation_vectors,
        }
    }
}

fn read_graph(path: &Path, nodes: Option<&Path>) -> Result<Graph> {
    let format = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let read = match format.to_lowercase().as_str() {
        "gml" => read_gml(&corpus::text(path)?),
        "json" => read_dump(&corpus::text(path)?),
        // The table that a line number refers to is named by what is wrong with it; edges are the common case.
        "tsv" | "txt" => read_table(&corpus::text(path)?, nodes.map(corpus::text).transpose()?.as_deref()),
        _ => bail!(
            "{}: unknown format; expected .gml, .tsv (edges, with --nodes for classes) or {DUMP}",
            path.display()
        ),
    };
    read.with_context(|| path.display().to_string())
}

fn read_vectors(file: &Path, n: usize) -> Result<Vectors> {
    let bytes = fs::read(file).with_context(|| format!("{}: cannot read", file.display()))?;
    let vectors = read_npy(&bytes).with_context(|| file.display().to_string())?;
    if vectors.len() != n {
        bail!("{}: {} rows; expected {n}, one a node", file.display(), vectors.len());
    }
    let bad = vectors.as_slice().iter().position(|value| !value.is_finite());
    if let Some(place) = bad {
        let value = vectors.as_slice()[place];
        let row = place / vectors.dimension();
        bail!("{}: row {row} holds {value}; expected finite numbers", file.display());
    }
    Ok(vectors)
}

/// Communities in files beside `path`, in order of their names; `communities_ref_…` is the reference.
fn stored(path: &Path, graph: &Graph) -> Result<Vec<(String, Vec<Vec<u32>>)>> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut stored = Vec::new();
    for file in crate::measure::files(directory, "json")? {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let Some(name) = stem.strip_prefix(STORED) else {
            continue;
        };
        let of_nodes = read_stored(&corpus::text(&file)?, graph).with_context(|| file.display().to_string())?;
        let name = if name.starts_with("ref") { "reference" } else { name };
        stored.push((name.to_owned(), of_nodes));
    }
    Ok(stored)
}

/// A schema with a relation for each of `relations`, by position and not by name, so that any label will do.
fn schema(relations: &[String]) -> Result<Schema> {
    let elements = (0..relations.len().min(MAX_RELATIONS)).map(|position| {
        Element::Relation(RelationType {
            name: relation_name(position),
            ..RelationType::default()
        })
    });
    Ok(Schema::new("evaluated", &elements.collect::<Vec<_>>())?)
}

fn relation_name(position: usize) -> String {
    format!("r{}", position.min(MAX_RELATIONS - 1))
}

fn knowledge(names: &[String], edges: &[Edge], schema: &Schema) -> Result<KnowledgeGraph> {
    let entity = |name: &String| Entity {
        key: name.clone(),
        name: name.clone(),
        aliases: Vec::new(),
        entity_type: schema.thing(),
        is_term: false,
        subject_of: Vec::new(),
        mentions: Vec::new(),
    };
    let triple = |edge: &Edge| {
        let name = relation_name(edge.relation as usize);
        Ok(Triple {
            head: EntityId(edge.source),
            relation: schema
                .relation_id(&name)
                .with_context(|| format!("relation {name} is missing from the schema"))?,
            tail: EntityId(edge.target),
            phrases: Vec::new(),
            sources: Vec::new(),
        })
    };
    let mut triples: Vec<Triple> = edges.iter().map(triple).collect::<Result<_>>()?;
    triples.sort_by_key(|triple| (triple.head, triple.relation, triple.tail));
    Ok(KnowledgeGraph::new(
        names.iter().map(entity).collect(),
        triples,
        Vec::new(),
    ))
}

//! A seed schema from a corpus: the part of a background schema that its texts use, and what they suggest beyond it.

use crate::Extractor;
use crate::chunk::EstimateTokens;
use crate::expand::confidence::confidence;
use crate::expand::{Config, ExpandError, candidates, expand};
use crate::pipeline::{ExtractError, Watch, extract};
use banyan_engine::embed::Embedder;
use banyan_engine::graph::{Source, assemble};
use banyan_engine::schema::{Element, Growth, SchemaError, SchemaMode, THING};
use banyan_engine::{Chunk, Document, KnowledgeGraph, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// Least confidence of what a seed takes up; lower than μ, because a person reads it before it bounds anything. Two
/// documents that agree in everything come to .71.
pub const THRESHOLD: f32 = 0.7;
/// Distance of an element that is there already, and so needs no novelty.
const NO_NEIGHBOUR: f32 = 1.0;

/// Why no schema can be inferred.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InferError {
    /// The texts do not say the same twice.
    #[error(
        "nothing recurs in {n_documents} documents; expected types, relations or attributes in at least two of them"
    )]
    Nothing {
        /// How many were read.
        n_documents: usize,
    },
    /// Extraction failed.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// Measuring failed.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// What would come out is no schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// The seed schema `name` that `documents`, in canonical order, suggest: every element of `background` whose confidence
/// by support reaches `threshold`, with the types it needs, then every candidate that does (see [`expand`]).
///
/// Cost of an extraction; the same for any number of threads.
///
/// # Errors
/// [`InferError`] when nothing reaches the threshold, a name cannot be embedded, or `watch` asked to stop.
pub fn infer(
    name: &str,
    documents: &[Document],
    background: &Schema,
    threshold: f32,
    embedder: &dyn Embedder,
    watch: &dyn Watch,
) -> Result<Schema, InferError> {
    let contributions = extract(
        documents,
        Extractor::Embedded,
        background,
        &EstimateTokens,
        u32::MAX,
        watch,
    )?;
    let (chunks, graph, _) = assemble(background, &contributions);
    let used = used(background, &chunks, &graph, threshold);
    let found = candidates(&contributions, documents, background);
    let config = Config { mu: threshold };
    let (_, growth) = expand(
        &found,
        background,
        &Growth::default(),
        SchemaMode::Expand,
        &config,
        embedder,
    )?;
    let new = growth.accepted().into_iter().map(|proposal| proposal.element.clone());
    let elements = closed(background, used.into_iter().chain(new).collect());
    if elements.is_empty() {
        let n_documents = documents.len();
        return Err(InferError::Nothing { n_documents });
    }
    Ok(Schema::new(name, &elements)?)
}

/// The elements of the background that enough documents use; the type of anything is never one of them.
fn used(schema: &Schema, chunks: &[Chunk], graph: &KnowledgeGraph, threshold: f32) -> Vec<Element> {
    let place = |source: &Source| chunks.get(source.chunk.index()).map(|chunk| chunk.document);
    let mut documents: BTreeMap<(u8, usize), BTreeSet<_>> = BTreeMap::new();
    for entity in graph
        .entities()
        .iter()
        .filter(|entity| entity.entity_type != schema.thing())
    {
        for kind in schema.ancestry(entity.entity_type) {
            let places = entity.mentions.iter().filter_map(|(source, _)| place(source));
            documents.entry((0, kind.index())).or_default().extend(places);
        }
    }
    for triple in graph.triples() {
        let places = triple.sources.iter().filter_map(place);
        documents
            .entry((1, triple.relation.index()))
            .or_default()
            .extend(places);
    }
    for attribute in graph.attributes() {
        let places = attribute.sources.iter().filter_map(place);
        documents
            .entry((2, attribute.attribute.index()))
            .or_default()
            .extend(places);
    }
    let lists = [schema.entity_types().len(), schema.relations().len()];
    let position = |at: usize| match at {
        at if at < lists[0] => (0, at),
        at if at < lists[0] + lists[1] => (1, at - lists[0]),
        at => (2, at - lists[0] - lists[1]),
    };
    let is_used = |at: usize| {
        let n = documents.get(&position(at)).map_or(0, BTreeSet::len);
        confidence(u32::try_from(n).unwrap_or(u32::MAX), 1.0, NO_NEIGHBOUR) >= threshold
    };
    let elements = schema.elements().into_iter().enumerate();
    elements
        .filter(|(at, element)| element.name() != THING && is_used(*at))
        .map(|(_, element)| element)
        .collect()
}

/// The elements with references only among themselves: a domain or range keeps the types that are there, or brings all of
/// its types along where none is; parents come along; an inverse that is not there is dropped.
fn closed(background: &Schema, mut elements: Vec<Element>) -> Vec<Element> {
    let mut types: BTreeSet<String> = BTreeSet::from([THING.to_owned()]);
    types.extend(
        elements
            .iter()
            .filter(|e| matches!(e, Element::EntityType(_)))
            .map(|e| e.name().to_owned()),
    );
    let mut needed: Vec<String> = Vec::new();
    for side in elements.iter().flat_map(sides) {
        if side.iter().all(|name| !types.contains(name)) {
            needed.extend(side.iter().cloned());
        }
    }
    while let Some(name) = needed.pop() {
        if let Some(id) = background.type_id(&name).filter(|_| types.insert(name.clone())) {
            let kind = background.entity_type(id).clone();
            needed.extend(kind.parent.clone());
            elements.push(Element::EntityType(kind));
        }
    }
    let relations: BTreeSet<String> = elements
        .iter()
        .filter(|e| matches!(e, Element::Relation(_)))
        .map(|e| e.name().to_owned())
        .collect();
    let keep = |names: &mut Vec<String>| names.retain(|name| types.contains(name));
    for element in &mut elements {
        match element {
            Element::EntityType(_) => {}
            Element::Relation(kind) => {
                keep(&mut kind.domain);
                keep(&mut kind.range);
                kind.inverse = kind.inverse.take().filter(|name| relations.contains(name));
            }
            Element::Attribute(kind) => keep(&mut kind.domain),
        }
    }
    elements.sort_by_key(Element::kind);
    elements
}

/// The lists of types that an element needs at least one of each.
fn sides(element: &Element) -> Vec<Vec<String>> {
    match element {
        Element::EntityType(kind) => kind.parent.iter().map(|parent| vec![parent.clone()]).collect(),
        Element::Relation(kind) => vec![kind.domain.clone(), kind.range.clone()],
        Element::Attribute(kind) => vec![kind.domain.clone()],
    }
}

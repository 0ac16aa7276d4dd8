//! A seed schema from a corpus: the part of a background schema that its texts use, and what they suggest beyond it.

use crate::Extractor;
use crate::analysis::Analysis;
use crate::chunk::EstimateTokens;
use crate::error::ExtractError;
use crate::expand::confidence::confidence;
use crate::expand::{ExpandError, candidates, expand};
use crate::pipeline::extract;
use crate::watch::Watch;
use banyan_engine::embed::Embedder;
use banyan_engine::graph::{Source, assemble};
use banyan_engine::schema::{Element, ElementKind, Growth, SchemaError, SchemaMode, THING};
use banyan_engine::{Chunk, DocumentIndex, KnowledgeGraph, Resolution, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// Least confidence of what a seed takes up; lower than μ, because a person reads it before it bounds anything. Three
/// documents that agree in everything come to .80, two to .71: a corpus of thousands says much twice by chance.
pub const THRESHOLD: f32 = 0.8;
/// Distance of an element that is there already, and so needs no novelty.
const NO_NEIGHBOUR: f32 = 1.0;

/// Why no schema can be inferred.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InferError {
    /// The texts do not say the same twice.
    #[error(
        "nothing recurs in {n_documents} documents; expected types, relations or attributes in at least three of them"
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
    documents: &[Analysis],
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
    let (chunks, graph, _) = assemble(background, &contributions, &Resolution::default());
    let used = used(background, &chunks, &graph, threshold);
    let found = candidates(&contributions, documents, background);
    let (_, growth) = expand(
        &found,
        background,
        &Growth::default(),
        SchemaMode::Expand,
        threshold,
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
    let documents = documents(schema, chunks, graph);
    let is_used = |element: &Element| {
        let n = documents
            .get(&(element.kind(), element.name()))
            .map_or(0, BTreeSet::len);
        confidence(u32::try_from(n).unwrap_or(u32::MAX), 1.0, NO_NEIGHBOUR) >= threshold
    };
    let elements = schema.elements().into_iter();
    elements
        .filter(|element| element.name() != THING && is_used(element))
        .collect()
}

/// The documents that use each element, a type also where an entity is of a kind of it.
fn documents<'a>(
    schema: &'a Schema,
    chunks: &[Chunk],
    graph: &KnowledgeGraph,
) -> BTreeMap<(ElementKind, &'a str), BTreeSet<DocumentIndex>> {
    let place = |source: &Source| chunks.get(source.chunk.index()).map(|chunk| chunk.document);
    let mut documents: BTreeMap<(ElementKind, &str), BTreeSet<DocumentIndex>> = BTreeMap::new();
    for entity in graph.entities() {
        for kind in schema.ancestry(entity.entity_type) {
            let used = documents
                .entry((ElementKind::EntityType, &schema.entity_type(kind).name))
                .or_default();
            used.extend(entity.mentions.iter().filter_map(|(source, _)| place(source)));
        }
    }
    for triple in graph.triples() {
        for relation in std::iter::once(triple.relation).chain(schema.inverse(triple.relation)) {
            let used = documents
                .entry((ElementKind::Relation, schema.relation_name(relation)))
                .or_default();
            used.extend(triple.sources.iter().filter_map(place));
        }
    }
    for fact in graph.attributes() {
        let used = documents
            .entry((ElementKind::Attribute, schema.attribute_name(fact.attribute)))
            .or_default();
        used.extend(fact.sources.iter().filter_map(place));
    }
    documents
}

/// The elements with references only among themselves: a domain or range keeps the types that are there, or brings all of
/// its types along where none is; parents come along; an inverse that is not there is dropped.
fn closed(background: &Schema, mut elements: Vec<Element>) -> Vec<Element> {
    let mut types = names(&elements, ElementKind::EntityType);
    types.insert(THING.to_owned());
    let is_missing = |side: &Vec<String>| side.iter().all(|name| !types.contains(name));
    let mut needed: Vec<String> = elements.iter().flat_map(sides).filter(is_missing).flatten().collect();
    while let Some(name) = needed.pop() {
        if let Some(id) = background.type_id(&name).filter(|_| types.insert(name.clone())) {
            let kind = background.entity_type(id).clone();
            needed.extend(kind.parent.clone());
            elements.push(Element::EntityType(kind));
        }
    }
    let relations = names(&elements, ElementKind::Relation);
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

fn names(elements: &[Element], kind: ElementKind) -> BTreeSet<String> {
    let of_kind = elements.iter().filter(|element| element.kind() == kind);
    of_kind.map(|element| element.name().to_owned()).collect()
}

/// The lists of types that an element needs at least one of each.
fn sides(element: &Element) -> Vec<Vec<String>> {
    match element {
        Element::EntityType(kind) => kind.parent.iter().map(|parent| vec![parent.clone()]).collect(),
        Element::Relation(kind) => vec![kind.domain.clone(), kind.range.clone()],
        Element::Attribute(kind) => vec![kind.domain.clone()],
    }
}

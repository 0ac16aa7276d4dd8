//! Knowledge units (`SchemaRAG` Eq. 4, 5): what one document knows, as table, graph or passages.

use super::record::tables;
use super::shelf::Shelf;
use super::strategy::Intra;
use super::structure::KnowledgeStructure;
use crate::answer::Citation;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::table::Value;
use banyan_engine::{ChunkId, DocumentIndex, Source, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Sentences of a document that are kept as passages. Arbitrary.
const MAX_PASSAGES: usize = 5;
/// Facts of a document that are kept. Arbitrary: more than a question can ask about.
const MAX_EDGES: usize = 40;

/// U⁽ⁱ⁾: what document i knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Its title.
    pub title: String,
    /// Which document.
    pub document: DocumentIndex,
    /// What it knows.
    pub body: Body,
}

/// Facts in one of the three structures, each with the words that state it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Values by column.
    Table(Vec<Field>),
    /// Facts.
    Graph(Vec<Edge>),
    /// Sentences, in the document's order.
    Chunk(Vec<Citation>),
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The column as the question names it.
    pub column: String,
    /// The value.
    pub value: Value,
    /// The value as the document writes it.
    pub text: String,
    /// Where.
    pub citation: Option<Citation>,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// What it is said of.
    pub head: String,
    /// The relation.
    pub relation: String,
    /// To what.
    pub tail: String,
    /// Where.
    pub citation: Citation,
}

/// The units of `documents`, in their order (Eq. 5), and how many were taken from the shelf: tables are kept there, facts
/// lie in the store, passages are chosen for the question. Cost O(length of the documents).
pub(super) fn units(
    searcher: &Searcher,
    question: &Question,
    documents: &[DocumentIndex],
    intra: &Intra,
    shelf: &dyn Shelf,
) -> Built {
    let mut n_kept = 0;
    let bodies = match intra {
        Intra::Columns(columns) => {
            let texts = documents.iter().map(|one| searcher.knowledge().document(*one).clone());
            let (bodies, is_kept) = tables(question, &texts.collect::<Vec<_>>(), columns, shelf);
            n_kept = if is_kept { bodies.len() } else { 0 };
            bodies
        }
        Intra::Relations => documents.iter().map(|one| Body::Graph(edges(searcher, *one))).collect(),
        Intra::Passages => documents
            .iter()
            .map(|one| Body::Chunk(passages(searcher, question, *one)))
            .collect(),
    };
    let title = |one: &DocumentIndex| searcher.knowledge().document(*one).title.clone();
    let unit = |(document, body): (&DocumentIndex, Body)| Unit {
        title: title(document),
        document: *document,
        body,
    };
    let units = documents.iter().zip(bodies).map(unit).collect();
    Built {
        units,
        n_kept,
        defects: Vec::new(),
    }
}

/// Units with how they came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Built {
    /// One a document, in their order.
    pub units: Vec<Unit>,
    /// How many were taken from where they were kept.
    pub n_kept: usize,
    /// What was wrong with what a model said, in words; none without a model.
    pub defects: Vec<String>,
}

impl Body {
    /// Which structure it is.
    pub fn structure(&self) -> KnowledgeStructure {
        match self {
            Self::Table(_) => KnowledgeStructure::Table,
            Self::Graph(_) => KnowledgeStructure::Graph,
            Self::Chunk(_) => KnowledgeStructure::Chunk,
        }
    }
}

/// The facts that a document states, in its order.
fn edges(searcher: &Searcher, document: DocumentIndex) -> Vec<Edge> {
    let knowledge = searcher.knowledge();
    let name = |id| knowledge.graph.entity(id).name.clone();
    let mut found: Vec<(Span, Edge)> = Vec::new();
    for triple in knowledge.graph.triples() {
        let stated = triple
            .sources
            .iter()
            .find(|source| knowledge.chunk(source.chunk).document == document);
        if let Some(source) = stated {
            let edge = Edge {
                head: name(triple.head),
                relation: knowledge.schema.relation_name(triple.relation).replace('_', " "),
                tail: name(triple.tail),
                citation: Citation::of(knowledge.document(document), source.span),
            };
            found.push((source.span, edge));
        }
    }
    found.sort_by_key(|(span, _)| *span);
    found.truncate(MAX_EDGES);
    found.into_iter().map(|(_, edge)| edge).collect()
}

/// The sentences of a document that hold most of the question's rare words, in the document's order; its first ones where
/// none holds any.
fn passages(searcher: &Searcher, question: &Question, document: DocumentIndex) -> Vec<Citation> {
    let knowledge = searcher.knowledge();
    let text = knowledge.document(document);
    let mut scored: Vec<(f32, Span)> = chunks(searcher, document)
        .flat_map(|chunk| searcher.sentences(chunk))
        .collect::<BTreeSet<Span>>()
        .into_iter()
        .map(|span| (bearing(searcher, question, span.of(&text.text)), span))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(MAX_PASSAGES);
    scored.sort_by_key(|(_, span)| *span);
    scored.into_iter().map(|(_, span)| Citation::of(text, span)).collect()
}

/// Inverse document frequency of the question's words that a sentence holds.
pub(super) fn bearing(searcher: &Searcher, question: &Question, sentence: &str) -> f32 {
    let held: BTreeSet<String> = term::terms(sentence).into_iter().collect();
    let words = question.terms.iter().filter(|word| held.contains(*word));
    words.map(|word| searcher.passages().idf(word)).sum()
}

/// The chunks of a document, in its order.
pub(super) fn chunks(searcher: &Searcher, document: DocumentIndex) -> impl Iterator<Item = ChunkId> {
    let knowledge = searcher.knowledge();
    let first = knowledge.chunks.partition_point(|chunk| chunk.document < document);
    let end = knowledge.chunks.partition_point(|chunk| chunk.document <= document);
    (first..end).map(ChunkId::at)
}

/// The sentence around a source, or the source itself where no sentence holds it.
pub(super) fn sentence_of(searcher: &Searcher, source: Source) -> Span {
    let around = searcher
        .sentences(source.chunk)
        .into_iter()
        .find(|span| span.contains(source.span));
    around.unwrap_or(source.span)
}

//! The steps without a model, where there is evidence for them: the decomposer splits the question, a fitted classifier
//! chooses K and a plain rule I; cells, facts and sentences that the store has are the units.
//!
//! | K | unit of a document | I |
//! |---|---|---|
//! | table | values of the columns that the question names | one column of texts: documents of equal values together; else side by side |
//! | graph | the facts of the store | a question in steps: the longest chain; else documents that name one another |
//! | chunk | the sentences that share most words with the question | side by side |
//!
//! What is in none of these, such as a column that no document has, gives no finding, and the question is declined.

use super::index::chunks;
use super::plan::{Plan, QueryTree};
use super::structure::{IndexStructure, KnowledgeStructure};
use super::unit::{Built, Edge, Field, KnowledgeUnit, UnitCache, UnitContent};
use super::utilise::{Used, bearing, merged, retrieved};
use super::{Constructor, KnowledgeSchema, Thinker, Utiliser};
use crate::aggregate::{Catalogue, named_columns};
use crate::answer::Citation;
use crate::classify::{Choice, Classifier};
use crate::form::QuestionForm;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::document::one_line;
use banyan_engine::llm::LlmError;
use banyan_engine::table::{Column, Kind, Table, TableSchema};
use banyan_engine::{Document, DocumentIndex, Span};
use banyan_extract::record::{fill, induce};
use std::collections::BTreeSet;

const TABLE: &str = "documents";
/// Sentences of a document that are kept as passages. Arbitrary.
const MAX_PASSAGES: usize = 5;
/// Facts of a document that are kept. Arbitrary: more than a question can ask about.
const MAX_EDGES: usize = 40;

/// All three steps, deterministic.
pub struct Embedded<'a> {
    /// What is asked.
    pub searcher: &'a Searcher,
    /// Of questions by knowledge structure; passages where it knows nothing.
    pub chooser: &'a Classifier,
}

impl Thinker for Embedded<'_> {
    fn think(&self, question: &Question, documents: &[DocumentIndex]) -> Result<Plan, LlmError> {
        let knowledge = self.searcher.knowledge();
        let embedder = knowledge.settings.embedder.as_str();
        let vector = question.vector.as_deref().map(|vector| (embedder, vector));
        let choice = self.chooser.choose(&question.text, vector);
        let structure = choice
            .as_ref()
            .and_then(|choice| KnowledgeStructure::named(&choice.class))
            .unwrap_or(KnowledgeStructure::Chunk);
        let steps = QuestionForm::read(self.searcher, question).decomposition.steps;
        let is_chain = steps.iter().any(|step| !step.depends_on.is_empty());
        let parts = steps
            .into_iter()
            .filter(|step| step.text != question.text)
            .map(|step| (0, step.text));
        let columns = if structure == KnowledgeStructure::Table {
            requested_columns(&question.text, &self.texts(documents))
        } else {
            Vec::new()
        };
        let index = match structure {
            KnowledgeStructure::Graph if is_chain => IndexStructure::CausalChain,
            KnowledgeStructure::Graph => IndexStructure::CorrelationGraph,
            KnowledgeStructure::Table if matches!(&columns[..], [only] if only.kind == Kind::Text) => {
                IndexStructure::CatalogueGroup
            }
            KnowledgeStructure::Table | KnowledgeStructure::Chunk => IndexStructure::ParallelChunk,
        };
        let why = choice.iter().map(Choice::explain);
        Ok(Plan {
            tree: QueryTree::new(&question.text, parts),
            task: None,
            knowledge: structure,
            index,
            reasons: why.chain([format!("{index}, by what the structure holds")]).collect(),
            columns: columns.into_iter().map(|column| column.name).collect(),
            categories: Vec::new(),
            defects: Vec::new(),
        })
    }
}

impl Constructor for Embedded<'_> {
    fn construct(
        &self,
        question: &Question,
        documents: &[DocumentIndex],
        plan: &Plan,
        cache: &dyn UnitCache,
    ) -> Result<Built, LlmError> {
        if plan.knowledge == KnowledgeStructure::Table {
            return Ok(self.tables(documents, plan, cache));
        }
        let unit = |document: &DocumentIndex| KnowledgeUnit {
            title: self.searcher.knowledge().document(*document).title.clone(),
            document: *document,
            category: None,
            content: if plan.knowledge == KnowledgeStructure::Graph {
                UnitContent::Graph(self.edges(*document))
            } else {
                UnitContent::Chunk(self.passages(question, *document))
            },
        };
        Ok(Built {
            units: documents.iter().map(unit).collect(),
            ..Built::default()
        })
    }
}

impl Utiliser for Embedded<'_> {
    fn utilise(&self, _: &Question, plan: &Plan, schema: &KnowledgeSchema) -> Result<Used, LlmError> {
        let mut used = Used::open(&plan.tree);
        for at in (0..plan.tree.nodes().len()).rev() {
            let children: Vec<usize> = plan.tree.children(at).collect();
            used.findings[at].lines = if children.is_empty() {
                retrieved(
                    self.searcher,
                    &Question::new(&plan.tree.nodes()[at].query, None),
                    schema,
                )
            } else {
                merged(schema, children.iter().map(|child| &used.findings[*child]))
            };
        }
        Ok(used)
    }
}

impl Embedded<'_> {
    fn texts(&self, documents: &[DocumentIndex]) -> Vec<Document> {
        documents
            .iter()
            .map(|one| self.searcher.knowledge().document(*one).clone())
            .collect()
    }

    /// The values of the plan's columns, as far as a place in the document states them. Cost O(length of the documents ·
    /// columns), or nothing where all are in the cache.
    fn tables(&self, documents: &[DocumentIndex], plan: &Plan, cache: &dyn UnitCache) -> Built {
        let texts = self.texts(documents);
        let shared = induce(&texts, &[], TABLE).into_iter().next().unwrap_or_default();
        let columns: Vec<Column> = shared
            .columns
            .iter()
            .filter(|column| plan.columns.contains(&column.name))
            .cloned()
            .collect();
        let ids: Vec<String> = texts.iter().map(|document| document.id.to_string()).collect();
        let keys: Vec<String> = ids
            .iter()
            .map(|id| format!("table {id} of {ids:?} {columns:?} {}", plan.index))
            .collect();
        let cached: Vec<KnowledgeUnit> = keys.iter().filter_map(|key| cache.get(key)).collect();
        if cached.len() == documents.len() {
            let of = |(unit, document): (KnowledgeUnit, &DocumentIndex)| KnowledgeUnit {
                document: *document,
                ..unit
            };
            let units: Vec<KnowledgeUnit> = cached.into_iter().zip(documents).map(of).collect();
            return Built {
                n_cached: units.len(),
                units,
                defects: Vec::new(),
            };
        }
        let table = fill(&TableSchema { columns, ..shared }, &texts);
        let units = documents.iter().zip(&texts).enumerate().map(|(at, (document, text))| {
            let fields = fields(&table, at, text);
            let group = |field: &Field| format!("{} {}", field.column, field.text);
            KnowledgeUnit {
                title: text.title.clone(),
                document: *document,
                category: fields
                    .first()
                    .filter(|_| plan.index == IndexStructure::CatalogueGroup)
                    .map(group),
                content: UnitContent::Table(fields),
            }
        });
        let units: Vec<KnowledgeUnit> = units.collect();
        for (key, unit) in keys.iter().zip(&units) {
            cache.put(key, unit);
        }
        Built {
            units,
            ..Built::default()
        }
    }

    fn edges(&self, document: DocumentIndex) -> Vec<Edge> {
        let knowledge = self.searcher.knowledge();
        let name = |id| knowledge.graph.entity(id).name.clone();
        let mut found: Vec<(Span, Edge)> = Vec::new();
        for triple in knowledge.graph.triples() {
            let stated = triple
                .sources
                .iter()
                .find(|source| knowledge.chunk(source.chunk).document == document);
            found.extend(stated.map(|source| {
                let edge = Edge {
                    head: name(triple.head),
                    relation: knowledge.schema.relation_name(triple.relation).replace('_', " "),
                    tail: name(triple.tail),
                    citation: Citation::of(knowledge.document(document), source.span),
                };
                (source.span, edge)
            }));
        }
        found.sort_by_key(|(span, _)| *span);
        found.truncate(MAX_EDGES);
        found.into_iter().map(|(_, edge)| edge).collect()
    }

    /// The sentences of a document that hold most of the question's rare words, in the document's order.
    fn passages(&self, question: &Question, document: DocumentIndex) -> Vec<Citation> {
        let text = self.searcher.knowledge().document(document);
        let sentences = chunks(self.searcher, document).flat_map(|chunk| self.searcher.sentences(chunk));
        let distinct: BTreeSet<Span> = sentences.collect();
        let scored = distinct
            .into_iter()
            .map(|span| (bearing(self.searcher, question, span.of(&text.text)), span));
        let mut scored: Vec<(f32, Span)> = scored.filter(|(score, _)| *score > 0.0).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(MAX_PASSAGES);
        scored.sort_by_key(|(_, span)| *span);
        scored.into_iter().map(|(_, span)| Citation::of(text, span)).collect()
    }
}

/// The columns of these documents that a question names for certain; none where it names none.
fn requested_columns(question: &str, documents: &[Document]) -> Vec<Column> {
    let Some(schema) = induce(documents, &[], TABLE).into_iter().next() else {
        return Vec::new();
    };
    let table = Table {
        schema,
        records: Vec::new(),
    };
    let named = named_columns(question, &Catalogue::new(&table)).into_iter();
    let key = table.schema.key.as_ref();
    named
        .map(|at| table.schema.columns[at].clone())
        .filter(|column| Some(&column.name) != key)
        .collect()
}

/// The cells of a record that have a value and a place.
fn fields(table: &Table, at: usize, document: &Document) -> Vec<Field> {
    let cells = table.records.get(at).into_iter().flat_map(|record| &record.cells);
    let field = |(column, cell): (&Column, &banyan_engine::table::Cell)| {
        let span = cell.span.filter(|_| !cell.value.is_null())?;
        let raw = one_line(&cell.raw);
        Some(Field {
            column: column.name.replace('_', " "),
            text: if raw.is_empty() { cell.value.to_string() } else { raw },
            citation: Citation::of(document, span),
        })
    };
    table.schema.columns.iter().zip(cells).filter_map(field).collect()
}

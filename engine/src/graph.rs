//! The knowledge graph: entities, typed triples and attributes, each with every place that states it.

use crate::document::{Chunk, Span};
use crate::fact::EntityKey;
use crate::id::{ChunkId, DocumentIndex, EntityId, TripleId};
use crate::schema::{AttributeId, RelationId, TypeId};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::BTreeMap;

mod assemble;
mod association;
mod pattern;
#[cfg(test)]
mod tests;
mod walk;

pub use assemble::{SUBJECT_VOTES, assemble};
pub use association::Association;
pub use pattern::{Binding, Pattern, Predicate, Row, Rows, Term, Witness};
pub use walk::{SimplePath, SimplePaths, Tie, Ties};

/// A place that states something: the chunk to cite and the exact bytes in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The chunk that holds the span (the first one, where chunks overlap).
    pub chunk: ChunkId,
    /// Bytes of the document's text; empty at 0 for the title.
    pub span: Span,
}

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Identity across documents; of several keys that are joined the one that the others lead to.
    pub key: EntityKey,
    /// The spelling of its key that is used most.
    pub name: String,
    /// Other spellings, sorted.
    pub aliases: Vec<String>,
    /// Type, by majority of the claims; the schema's `thing` where none was made.
    pub entity_type: TypeId,
    /// Documents that are about it, ascending.
    pub subject_of: Vec<DocumentIndex>,
    /// Whether texts use it only as a term: a noun for a kind of thing, never a name or a title.
    pub is_term: bool,
    /// Where it is named, with the certainty of the link `0..=100`; ascending.
    pub mentions: Vec<(Source, u8)>,
}

/// A fact between two entities, stated at least once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// Subject.
    pub head: EntityId,
    /// Relation type.
    pub relation: RelationId,
    /// Object.
    pub tail: EntityId,
    /// The words that state it, most frequent first.
    pub phrases: Vec<String>,
    /// Every place that states it, ascending.
    pub sources: Vec<Source>,
}

/// A fact about one entity, stated at least once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The entity.
    pub entity: EntityId,
    /// Attribute type.
    pub attribute: AttributeId,
    /// The value as written.
    pub value: String,
    /// Every place that states it, ascending.
    pub sources: Vec<Source>,
}

/// Everything known, as one directed multigraph with attributes.
///
/// Entities, triples and attributes are sorted as their ids say; node `i` of the petgraph is entity `i`, and an edge's
/// weight is the triple it stands for.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeGraph {
    entities: Vec<Entity>,
    triples: Vec<Triple>,
    attributes: Vec<Attribute>,
    associations: Vec<Association>,
    /// Positions of each entity's associations.
    associated: Vec<Vec<u32>>,
    keys: BTreeMap<EntityKey, EntityId>,
    net: DiGraph<(), TripleId, u32>,
}

impl KnowledgeGraph {
    /// A graph of these parts; `triples` and `attributes` refer to `entities` by position. Cost O(n log n).
    pub fn new(entities: Vec<Entity>, triples: Vec<Triple>, attributes: Vec<Attribute>) -> Self {
        let mut net = DiGraph::with_capacity(entities.len(), triples.len());
        for _ in &entities {
            net.add_node(());
        }
        for (position, triple) in triples.iter().enumerate() {
            net.add_edge(
                NodeIndex::new(triple.head.index()),
                NodeIndex::new(triple.tail.index()),
                TripleId::at(position),
            );
        }
        let keys = entities
            .iter()
            .enumerate()
            .map(|(position, entity)| (entity.key.clone(), EntityId::at(position)))
            .collect();
        Self {
            entities,
            triples,
            attributes,
            associations: Vec::new(),
            associated: Vec::new(),
            keys,
            net,
        }
    }

    /// The graph with these associations, sorted by their ends.
    #[must_use]
    pub fn with_associations(mut self, associations: Vec<Association>) -> Self {
        self.associated = vec![Vec::new(); self.entities.len()];
        for (at, association) in (0..).zip(&associations) {
            self.associated[association.a.index()].push(at);
            self.associated[association.b.index()].push(at);
        }
        self.associations = associations;
        self
    }

    /// What is named side by side, by its ends.
    pub fn associations(&self) -> &[Association] {
        &self.associations
    }

    /// The associations of one entity with their other ends, by position.
    pub fn associated(&self, id: EntityId) -> impl Iterator<Item = (EntityId, &Association)> {
        let own = self.associated.get(id.index()).map_or(&[][..], Vec::as_slice);
        own.iter().map(move |at| {
            let association = &self.associations[*at as usize];
            (association.other(id), association)
        })
    }

    /// The graph in which these keys lead to these entities, too.
    #[must_use]
    pub fn with_keys(mut self, keys: impl IntoIterator<Item = (EntityKey, EntityId)>) -> Self {
        self.keys.extend(keys);
        self
    }

    /// All entities in the order of their ids.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// All triples in the order of their ids.
    pub fn triples(&self) -> &[Triple] {
        &self.triples
    }

    /// All attributes, by entity.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The entity behind a handle of this graph.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.entities[id.index()]
    }

    /// The triple behind a handle of this graph.
    pub fn triple(&self, id: TripleId) -> &Triple {
        &self.triples[id.index()]
    }

    /// The entity with this key (see [`crate::name::key`]), or with one that is joined to it.
    pub fn find(&self, key: &str) -> Option<EntityId> {
        self.keys.get(key).copied()
    }

    /// Attributes of one entity. Cost O(log n + result).
    pub fn attributes_of(&self, id: EntityId) -> &[Attribute] {
        let start = self.attributes.partition_point(|a| a.entity < id);
        let end = self.attributes.partition_point(|a| a.entity <= id);
        &self.attributes[start..end]
    }

    /// Triples in which `id` is head or tail, ascending; a self-loop once.
    pub fn incident(&self, id: EntityId) -> Vec<TripleId> {
        let node = NodeIndex::new(id.index());
        let outgoing = self.net.edges(node);
        let incoming = self
            .net
            .edges_directed(node, petgraph::Direction::Incoming)
            .filter(|edge| edge.source() != node);
        let mut ids: Vec<_> = outgoing.chain(incoming).map(|edge| *edge.weight()).collect();
        ids.sort_unstable();
        ids
    }
}

/// The chunk among `chunks` (those of one document, in text order) to cite for `span`: the first that contains it,
/// else the first that reaches beyond its start, else the last. Cost O(log chunks).
fn chunk_of(chunks: &[Chunk], first: usize, span: Span) -> ChunkId {
    let containing = chunks.partition_point(|chunk| chunk.span.end < span.end);
    let found = match chunks.get(containing) {
        Some(chunk) if chunk.span.contains(span) => containing,
        _ => chunks.partition_point(|chunk| chunk.span.end <= span.start),
    };
    ChunkId::at(first + found.min(chunks.len().saturating_sub(1)))
}

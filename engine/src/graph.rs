//! The knowledge graph: entities, typed triples and attributes, each with every place that states it.

use crate::document::{Chunk, Span};
use crate::id::{ChunkId, DocumentIndex, EntityId, TripleId};
use crate::paged::{Paged, Sorted};
use crate::schema::{AttributeId, RelationId, Schema, TypeId};
use serde::{Deserialize, Serialize};

mod assemble;
mod association;
mod gaps;
mod pattern;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use assemble::side_by_side;
pub use assemble::{SUBJECT_VOTES, assemble};
pub use association::Association;
pub use pattern::{Binding, Pattern, Predicate, Row, Rows, Term, Witness};
pub use walk::{SimplePath, SimplePaths, Tie, Ties};

/// A place that states something: the chunk to cite and the exact bytes in its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// The chunk that holds the span (the first one, where chunks overlap).
    pub chunk: ChunkId,
    /// Bytes of the document's text; empty at 0 for the title.
    pub span: Span,
}

/// A node of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// Identity across documents; of several keys that are joined the one that the others lead to.
    pub key: String,
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
    #[serde(with = "gaps")]
    pub mentions: Vec<(Source, u8)>,
}

impl Entity {
    /// Whether nothing is left of it: the documents that named it were removed since the graph was assembled.
    pub fn is_gone(&self) -> bool {
        self.key.is_empty()
    }
}

/// A fact between two entities, stated at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Triple {
    /// Whether it says that `relation` joins a head to a tail: of a relation that the schema keeps from the other side, as its
    /// inverse; of one that is its own inverse, from either side. An end that is no entity is joined to nothing.
    pub fn says(&self, schema: &Schema, relation: RelationId, ends: [Option<EntityId>; 2]) -> bool {
        let kept = schema.kept(relation);
        let (own, turned) = ([self.head, self.tail].map(Some), [self.tail, self.head].map(Some));
        let reading = if kept == relation { own } else { turned };
        let is_either = schema.inverse(kept) == Some(kept);
        self.relation == kept && (ends == reading || is_either && ends == turned)
    }

    /// Whether nothing is left of it, as of [`Entity::is_gone`].
    pub fn is_gone(&self) -> bool {
        self.head == self.tail && self.sources.is_empty()
    }
}

/// A fact about one entity, stated at least once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Attribute {
    /// Whether nothing is left of it, as of [`Entity::is_gone`].
    pub fn is_gone(&self) -> bool {
        self.value.is_empty() && self.sources.is_empty()
    }
}

/// Everything known, as one directed multigraph with attributes.
///
/// Entities, triples and attributes are sorted as their ids say; what is gone of them is blank. A graph that was opened from a store reads what it is asked
/// for; what returns a list of everything reads everything.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeGraph {
    pub(crate) entities: Paged<Entity>,
    pub(crate) triples: Paged<Triple>,
    pub(crate) attributes: Paged<Attribute>,
    pub(crate) associations: Paged<Association>,
    /// What is said of each entity.
    pub(crate) around: Paged<Around>,
    pub(crate) keys: Sorted<String, EntityId>,
    /// Positions of the triples of each relation, ascending.
    pub(crate) of_relation: Paged<Vec<u32>>,
    /// Positions of the attributes of each kind, ascending.
    pub(crate) of_attribute: Paged<Vec<u32>>,
}

/// What is said of one entity. Stored as the gaps between positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[Vec<u32>; 3]", into = "[Vec<u32>; 3]")]
pub(crate) struct Around {
    /// Triples of which it is an end, ascending.
    pub(crate) triples: Vec<TripleId>,
    /// Positions of its associations, ascending.
    pub(crate) associations: Vec<u32>,
    /// Positions of its attributes, ascending.
    pub(crate) attributes: Vec<u32>,
}

impl From<Around> for [Vec<u32>; 3] {
    fn from(around: Around) -> Self {
        let triples = around.triples.into_iter().map(|id| id.0).collect();
        let mut lists = [triples, around.associations, around.attributes];
        for list in &mut lists {
            gaps::gaps(list);
        }
        lists
    }
}

impl From<[Vec<u32>; 3]> for Around {
    fn from(mut lists: [Vec<u32>; 3]) -> Self {
        for list in &mut lists {
            gaps::sums(list);
        }
        let [triples, associations, attributes] = lists;
        Self {
            triples: triples.into_iter().map(TripleId).collect(),
            associations,
            attributes,
        }
    }
}

impl KnowledgeGraph {
    /// A graph of these parts; `triples` and `attributes` refer to `entities` by position. Cost O(n log n).
    pub fn new(entities: Vec<Entity>, triples: Vec<Triple>, attributes: Vec<Attribute>) -> Self {
        let mut around = vec![Around::default(); entities.len()];
        for (position, triple) in triples.iter().enumerate() {
            around[triple.head.index()].triples.push(TripleId::at(position));
            if triple.tail != triple.head {
                around[triple.tail.index()].triples.push(TripleId::at(position));
            }
        }
        for (at, attribute) in (0..).zip(&attributes) {
            around[attribute.entity.index()].attributes.push(at);
        }
        let of_relation = positions(triples.iter().map(|triple| triple.relation.index()));
        let of_attribute = positions(attributes.iter().map(|attribute| attribute.attribute.index()));
        let keys = entities.iter().enumerate();
        let keys = keys.map(|(position, entity)| (entity.key.clone(), EntityId::at(position)));
        Self {
            keys: keys.collect(),
            entities: entities.into(),
            triples: triples.into(),
            attributes: attributes.into(),
            associations: Paged::default(),
            around: around.into(),
            of_relation: of_relation.into(),
            of_attribute: of_attribute.into(),
        }
    }

    /// The graph with these associations, sorted by their ends.
    #[must_use]
    pub fn with_associations(mut self, associations: Vec<Association>) -> Self {
        let mut around = self.around.into_vec();
        for (at, association) in (0..).zip(&associations) {
            around[association.a.index()].associations.push(at);
            around[association.b.index()].associations.push(at);
        }
        self.around = around.into();
        self.associations = associations.into();
        self
    }

    /// What is named side by side, by its ends.
    pub fn associations(&self) -> &[Association] {
        self.associations.all()
    }

    /// Number of associations.
    pub fn n_associations(&self) -> usize {
        self.associations.len()
    }

    /// The association at a position.
    pub fn association(&self, at: usize) -> &Association {
        self.associations.get(at)
    }

    /// The associations of one entity with their other ends, by position.
    pub fn associated(&self, id: EntityId) -> impl Iterator<Item = (EntityId, &Association)> {
        self.around.get(id.index()).associations.iter().map(move |at| {
            let association = self.association(*at as usize);
            (association.other(id), association)
        })
    }

    /// The position of the association of two entities.
    pub(crate) fn association_between(&self, one: EntityId, other: EntityId) -> Option<usize> {
        let own = |id: EntityId| &self.around.get(id.index()).associations;
        let (rarer, end) = if own(one).len() <= own(other).len() {
            (one, other)
        } else {
            (other, one)
        };
        let mut own = own(rarer).iter().map(|at| *at as usize);
        own.find(|at| self.association(*at).other(rarer) == end)
    }

    /// The graph in which these keys lead to these entities, too.
    #[must_use]
    pub fn with_keys(mut self, keys: impl IntoIterator<Item = (String, EntityId)>) -> Self {
        let known = std::mem::take(&mut self.keys).into_rows();
        self.keys = known.into_iter().chain(keys).collect();
        self
    }

    /// All entities in the order of their ids.
    pub fn entities(&self) -> &[Entity] {
        self.entities.all()
    }

    /// Number of entities.
    pub fn n_entities(&self) -> usize {
        self.entities.len()
    }

    /// All triples in the order of their ids.
    pub fn triples(&self) -> &[Triple] {
        self.triples.all()
    }

    /// Number of triples.
    pub fn n_triples(&self) -> usize {
        self.triples.len()
    }

    /// All attributes, by entity.
    pub fn attributes(&self) -> &[Attribute] {
        self.attributes.all()
    }

    /// Number of attributes.
    pub fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    /// The attribute at a position.
    pub fn attribute(&self, at: usize) -> &Attribute {
        self.attributes.get(at)
    }

    /// The entity behind a handle of this graph.
    pub fn entity(&self, id: EntityId) -> &Entity {
        self.entities.get(id.index())
    }

    /// The triple behind a handle of this graph.
    pub fn triple(&self, id: TripleId) -> &Triple {
        self.triples.get(id.index())
    }

    /// The entity with this key (see [`crate::name::key`]), or with one that is joined to it.
    pub fn find(&self, key: &str) -> Option<EntityId> {
        self.keys.get(key).copied()
    }

    /// Attributes of one entity.
    pub fn attributes_of(&self, id: EntityId) -> impl Iterator<Item = &Attribute> {
        self.attribute_places(id).map(|at| self.attribute(at))
    }

    /// Positions of the attributes of one entity.
    pub(crate) fn attribute_places(&self, id: EntityId) -> impl Iterator<Item = usize> {
        let own = &self.around.get(id.index()).attributes;
        own.iter().map(|at| *at as usize)
    }

    /// Triples in which `id` is head or tail, ascending; a self-loop once.
    pub fn incident(&self, id: EntityId) -> impl Iterator<Item = TripleId> {
        self.around.get(id.index()).triples.iter().copied()
    }
}

/// For each kind the positions at which it stands.
fn positions(kinds: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
    let mut positions: Vec<Vec<u32>> = Vec::new();
    for (at, kind) in (0..).zip(kinds) {
        if positions.len() <= kind {
            positions.resize_with(kind + 1, Vec::new);
        }
        positions[kind].push(at);
    }
    positions
}

/// The chunk among `chunks` (those of one document, in text order) to cite for `span`: the first that contains it,
/// else the first that reaches beyond its start, else the last. Cost O(log chunks).
pub(crate) fn chunk_of(chunks: &[Chunk], first: usize, span: Span) -> ChunkId {
    let containing = chunks.partition_point(|chunk| chunk.span.end < span.end);
    let found = match chunks.get(containing) {
        Some(chunk) if chunk.span.contains(span) => containing,
        _ => chunks.partition_point(|chunk| chunk.span.end <= span.start),
    };
    ChunkId::at(first + found.min(chunks.len().saturating_sub(1)))
}

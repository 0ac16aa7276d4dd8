//! From the contributions of documents to one graph: names are counted, types voted, equal facts joined.

use self::correction::Corrections;
pub(super) use self::counts::Counts;
use super::association::Sentences;
use super::{Attribute, Entity, KnowledgeGraph, Source, Triple, chunk_of};
use crate::document::{Chunk, Span};
use crate::fact::{Contribution, EntityClaim, TripleClaim};
use crate::id::{DocumentId, DocumentIndex, EntityId};
use crate::resolution::Resolution;
use crate::schema::{AttributeId, Refusal, RefusalReason, Refusals, RelationId, Schema, TypeId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

mod bound;
mod correction;
mod counts;
#[cfg(test)]
mod tests;

/// Votes of a document that is about an entity; it knows name and type better than one that mentions it. Arbitrary: more
/// than a few.
pub const SUBJECT_VOTES: usize = 8;

/// Assembles the chunks and the graph of `contributions`, which stand in canonical document order.
///
/// Inverses are one relation: what a text states under either reading is one triple ([`Schema::kept`]).
///
/// Keys that `resolution` joins are one entity with all their names and sources; what a text states between two names of
/// one entity is refused.
///
/// Nothing enters the graph that the schema does not admit with the types the entities ended up with (Eq. 2). What is
/// left out is returned third, with its reason: distinct triples, attributes and claims on types, and what extractors
/// had refused before. Of a triple that is left out an association stays, with its words; of one that was denied without them. Cost O(n log n) in the number
/// of claims. No contributions give an empty graph.
pub fn assemble(
    schema: &Schema,
    contributions: &[Contribution],
    resolution: &Resolution,
) -> (Vec<Chunk>, KnowledgeGraph, Refusals) {
    let corrections = Corrections::new(resolution);
    let mut draft = Draft::new(resolution, &corrections);
    for (position, contribution) in contributions.iter().enumerate() {
        draft.add(schema, DocumentIndex::at(position), contribution);
    }
    draft.finish(schema)
}

/// Which entities sentences of `contributions` name side by side or words join, by their keys, and in how many sentences.
/// Cost O(names of each sentence², of at most 16).
pub(crate) fn side_by_side(
    schema: &Schema,
    contributions: &[Contribution],
    resolution: &Resolution,
) -> Vec<((String, String), u32)> {
    let corrections = Corrections::new(resolution);
    let mut draft = Draft::new(resolution, &corrections);
    for (position, contribution) in contributions.iter().enumerate() {
        draft.add(schema, DocumentIndex::at(position), contribution);
    }
    let sentences = std::mem::take(&mut draft.sentences);
    let key = |id: EntityId| draft.entities[id.index()].key.to_owned();
    let pairs = sentences.pairs().into_iter();
    let mut pairs: Vec<_> = pairs.map(|((a, b), n)| ((key(a), key(b)), n)).collect();
    pairs.sort();
    pairs
}

struct Draft<'a> {
    resolution: &'a Resolution,
    corrections: &'a Corrections<'a>,
    chunks: Vec<Chunk>,
    /// Every key, also those that are joined to another.
    ids: FxHashMap<&'a str, EntityId>,
    entities: Vec<EntityDraft<'a>>,
    triples: BTreeMap<(EntityId, RelationId, EntityId), Statements<'a>>,
    attributes: BTreeMap<(EntityId, AttributeId, &'a str), Statements<'a>>,
    sentences: Sentences<'a>,
    /// Types of another schema that were claimed.
    strange: BTreeSet<(&'a str, TypeId)>,
    refusals: Refusals,
}

struct EntityDraft<'a> {
    key: &'a str,
    /// Spellings of its own key, which name it, and of those that are joined to it, by count.
    names: Counts<&'a str>,
    other_names: Counts<&'a str>,
    types: Counts<TypeId>,
    subject_of: Vec<DocumentIndex>,
    mentions: Vec<(Source, u8)>,
    /// How many of its mentions use it as a term.
    n_terms: usize,
}

struct Statements<'a> {
    /// The first place that states it.
    first: (DocumentId, Span),
    phrases: Counts<&'a str>,
    sources: Vec<Source>,
}

impl Statements<'_> {
    fn new(document: DocumentId, span: Span) -> Self {
        Self {
            first: (document, span),
            phrases: Counts::default(),
            sources: Vec::new(),
        }
    }
}

impl<'a> Draft<'a> {
    fn new(resolution: &'a Resolution, corrections: &'a Corrections<'a>) -> Self {
        Self {
            resolution,
            corrections,
            chunks: Vec::new(),
            ids: FxHashMap::default(),
            entities: Vec::new(),
            triples: BTreeMap::new(),
            attributes: BTreeMap::new(),
            sentences: Sentences::default(),
            strange: BTreeSet::new(),
            refusals: Refusals::default(),
        }
    }

    fn add(&mut self, schema: &Schema, document: DocumentIndex, contribution: &'a Contribution) {
        let id = contribution.document;
        for claim in &contribution.unbound {
            self.refusals.add(id, Refusal::of(claim));
        }
        let first = self.chunks.len();
        let chunks = contribution.chunks.iter().map(|&(span, n_tokens)| Chunk {
            document,
            span,
            n_tokens,
        });
        self.chunks.extend(chunks);
        let own = self.chunks[first..].to_vec();
        let source = |span: Span| Source {
            chunk: chunk_of(&own, first, span),
            span,
        };
        let corrections = self.corrections;
        let is_kept = |key: &str| !corrections.deletes(key);
        for claim in contribution.entities.iter().filter(|claim| is_kept(&claim.entity)) {
            self.claim(schema, document, id, claim);
        }
        for mention in contribution.mentions.iter().filter(|mention| is_kept(&mention.entity)) {
            let place = (source(mention.span), mention.certainty);
            let entity = self.entity(&mention.entity);
            entity.mentions.push(place);
            entity.n_terms += usize::from(mention.is_term);
        }
        let are_kept = |head: &str, tail: &str| is_kept(head) && is_kept(tail);
        for claim in contribution
            .loose
            .iter()
            .filter(|claim| are_kept(&claim.head, &claim.tail))
        {
            let ends = (self.id(&claim.head), self.id(&claim.tail));
            self.sentences.join(ends.0, ends.1, &claim.phrase, source(claim.span));
        }
        self.associate(contribution, is_kept, source);
        for claim in contribution
            .triples
            .iter()
            .filter(|claim| are_kept(&claim.head, &claim.tail))
        {
            let fact = self.kept(schema, claim);
            let new = || Statements::new(id, claim.span);
            let statements = self.triples.entry(fact).or_insert_with(new);
            statements.phrases.add(&claim.phrase, 1);
            statements.sources.push(source(claim.span));
        }
        for claim in contribution.attributes.iter().filter(|claim| is_kept(&claim.entity)) {
            let fact = (self.id(&claim.entity), claim.attribute, claim.value.as_str());
            let new = || Statements::new(id, claim.span);
            let statements = self.attributes.entry(fact).or_insert_with(new);
            statements.sources.push(source(claim.span));
        }
    }

    /// Counts what each sentence names; a document's subject is spoken of in every one of its first chunk. A book's title
    /// would stand beside everybody in it.
    fn associate(
        &mut self,
        contribution: &'a Contribution,
        is_kept: impl Fn(&str) -> bool,
        source: impl Fn(Span) -> Source,
    ) {
        let subjects = contribution.entities.iter();
        let subjects = subjects.filter(|claim| claim.is_subject && is_kept(&claim.entity));
        let subjects: Vec<EntityId> = subjects.map(|claim| self.id(&claim.entity)).collect();
        let opening = contribution.chunks.first().map_or(0, |(chunk, _)| chunk.end);
        let mut mentions = contribution.mentions.as_slice();
        for sentence in &contribution.sentences {
            let first = mentions.partition_point(|mention| mention.span.start < sentence.start);
            mentions = &mentions[first..];
            let n = mentions.partition_point(|mention| mention.span.start < sentence.end);
            let inside = mentions[..n]
                .iter()
                .filter(|mention| mention.span.end > mention.span.start && is_kept(&mention.entity));
            let named = inside.map(|mention| self.id(&mention.entity)).collect::<Vec<_>>();
            if !named.is_empty() {
                let subjects = subjects.iter().filter(|_| sentence.start < opening).copied();
                let named: Vec<EntityId> = subjects.chain(named).collect();
                self.sentences.add(&named, source(*sentence));
            }
        }
    }

    /// Counts a claim on name and type; a type of another schema is refused.
    fn claim(&mut self, schema: &Schema, index: DocumentIndex, document: DocumentId, claim: &'a EntityClaim) {
        let votes = if claim.is_subject { SUBJECT_VOTES } else { 1 };
        let known = claim.entity_type.filter(|kind| schema.has_type(*kind));
        let entity = self.entity(&claim.entity);
        if !claim.name.is_empty() {
            let names = if *entity.key == *claim.entity {
                &mut entity.names
            } else {
                &mut entity.other_names
            };
            names.add(&claim.name, votes);
        }
        if let Some(kind) = known {
            entity.types.add(kind, votes);
        }
        if claim.is_subject && entity.subject_of.last() != Some(&index) {
            entity.subject_of.push(index);
        }
        if let Some(strange) = claim.entity_type.filter(|_| known.is_none())
            && self.strange.insert((&claim.entity, strange))
        {
            let name = bound::number(strange.index());
            let fact = format!("{} is {name}", claim.entity);
            let reason = RefusalReason::UnknownType { name };
            let span = claim.span;
            self.refusals.add(document, Refusal { reason, fact, span });
        }
    }

    /// A fact under the reading that is kept ([`Schema::kept`]); a relation that is its own inverse has the smaller key first.
    fn kept(&mut self, schema: &Schema, claim: &'a TripleClaim) -> (EntityId, RelationId, EntityId) {
        let relation = schema.kept(claim.relation);
        let (head, tail) = (self.id(&claim.head), self.id(&claim.tail));
        let key = |id: EntityId| self.entities[id.index()].key;
        let is_own = schema.inverse(relation) == Some(relation);
        if relation != claim.relation || (is_own && key(tail) < key(head)) {
            (tail, relation, head)
        } else {
            (head, relation, tail)
        }
    }

    fn id(&mut self, key: &'a str) -> EntityId {
        if let Some(id) = self.ids.get(key) {
            return *id;
        }
        let canonical = self.resolution.canonical(key);
        let next = EntityId::at(self.entities.len());
        let id = *self.ids.entry(canonical).or_insert(next);
        self.ids.insert(key, id);
        if id == next {
            self.entities.push(EntityDraft {
                key: canonical,
                names: Counts::default(),
                other_names: Counts::default(),
                types: Counts::default(),
                subject_of: Vec::new(),
                mentions: Vec::new(),
                n_terms: 0,
            });
        }
        id
    }

    fn entity(&mut self, key: &'a str) -> &mut EntityDraft<'a> {
        let id = self.id(key);
        &mut self.entities[id.index()]
    }

    fn finish(self, schema: &Schema) -> (Vec<Chunk>, KnowledgeGraph, Refusals) {
        let drafts = self.entities.into_iter();
        let corrections = self.corrections;
        let entities: Vec<Entity> = drafts.map(|draft| draft.finish(schema, corrections)).collect();
        let (mut refusals, mut sentences) = (self.refusals, self.sentences);
        let mut refuse = |(document, span), reason, fact| refusals.add(document, Refusal { reason, fact, span });
        let mut triples = Vec::new();
        for ((head, relation, tail), statements) in self.triples {
            let ends = (&entities[head.index()], &entities[tail.index()]);
            match bound::triple(schema, corrections, ends, relation) {
                Some((reason, fact)) => {
                    let is_denied = matches!(reason, RefusalReason::Denied { .. });
                    refuse(statements.first, reason, fact);
                    if let Some(source) = statements.sources.iter().min().filter(|_| !is_denied) {
                        let phrases = statements.phrases.by_frequency().into_iter();
                        phrases.for_each(|phrase| sentences.join(head, tail, phrase, *source));
                    }
                }
                None => triples.push(Triple {
                    head,
                    relation,
                    tail,
                    phrases: statements.phrases.texts(),
                    sources: sorted(statements.sources),
                }),
            }
        }
        let mut attributes = Vec::new();
        for ((entity, attribute, value), statements) in self.attributes {
            match bound::attribute(schema, corrections, &entities[entity.index()], attribute, value) {
                Some((reason, fact)) => refuse(statements.first, reason, fact),
                None => attributes.push(Attribute {
                    entity,
                    attribute,
                    value: value.to_owned(),
                    sources: sorted(statements.sources),
                }),
            }
        }
        let mut joined: Vec<(String, EntityId)> = Vec::new();
        #[allow(clippy::iter_over_hash_type, reason = "they are sorted by key")]
        for (key, id) in self.ids {
            if entities[id.index()].key != key {
                joined.push((key.to_owned(), id));
            }
        }
        let graph = KnowledgeGraph::new(entities, triples, attributes)
            .with_keys(joined)
            .with_associations(sentences.finish());
        (self.chunks, graph, refusals)
    }
}

impl EntityDraft<'_> {
    fn finish(self, schema: &Schema, corrections: &Corrections) -> Entity {
        let others = self.other_names.texts();
        let decided = corrections.names(self.key).map(str::to_owned);
        let mut names = decided.chain(self.names.texts()).chain(others);
        let name = names.next().unwrap_or_else(|| self.key.to_owned());
        let mut aliases: Vec<_> = names.filter(|other| *other != name).collect();
        aliases.sort();
        aliases.dedup();
        let voted = self.types.by_frequency().first().copied();
        let decided = corrections.kind(self.key, schema);
        let entity_type = decided.or(voted).unwrap_or(schema.thing());
        Entity {
            key: self.key.to_owned(),
            name,
            aliases,
            entity_type,
            is_term: self.n_terms > 0 && self.n_terms == self.mentions.len() && self.subject_of.is_empty(),
            subject_of: self.subject_of,
            mentions: sorted(self.mentions),
        }
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

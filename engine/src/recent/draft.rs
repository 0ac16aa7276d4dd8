//! What documents add to a knowledge, while it is gathered.

use super::{Recent, number};
use crate::document::Chunk;
use crate::graph::{Around, Association, Attribute, Entity, Source, Triple};
use crate::id::{ChunkId, DocumentIndex, EntityId, TripleId};
use crate::index::{Fact, Index};
use crate::knowledge::Knowledge;
use crate::paged::News;
use crate::schema::{AttributeId, RelationId};
use std::collections::HashMap;

/// What is added, while it is gathered.
pub(super) struct Draft<'a> {
    base: &'a Knowledge,
    index: &'a Index,
    first_document: usize,
    first_chunk: usize,
    /// What entities, triples, associations and words of the added documents are now; facts that are not admitted are none.
    entity: Vec<EntityId>,
    triple: Vec<Option<usize>>,
    association: Vec<Option<usize>>,
    word: HashMap<u32, u32>,
    out: Recent,
}

impl<'a> Draft<'a> {
    pub(super) fn new((base, index): (&'a Knowledge, &'a Index), own: &Knowledge) -> Self {
        let graph = &base.graph;
        Self {
            base,
            index,
            first_document: base.documents.len(),
            first_chunk: base.chunks.len(),
            entity: Vec::with_capacity(own.graph.n_entities()),
            triple: Vec::new(),
            association: Vec::new(),
            word: HashMap::new(),
            out: Recent {
                entities: News::of(graph.n_entities()),
                triples: News::of(graph.n_triples()),
                attributes: News::of(graph.n_attributes()),
                associations: News::of(graph.n_associations()),
                around: News::of(graph.n_entities()),
                of_relation: News::of(graph.of_relation.len()),
                of_attribute: News::of(graph.of_attribute.len()),
                triple_words: News::of(graph.n_triples()),
                association_words: News::of(graph.n_associations()),
                ..Recent::default()
            },
        }
    }

    fn chunk(&self, id: ChunkId) -> ChunkId {
        ChunkId::at(self.first_chunk + id.index())
    }

    fn document(&self, index: DocumentIndex) -> DocumentIndex {
        DocumentIndex::at(self.first_document + index.index())
    }

    fn sources(&self, sources: &[Source]) -> Vec<Source> {
        let moved = |source: &Source| Source {
            chunk: self.chunk(source.chunk),
            span: source.span,
        };
        sources.iter().map(moved).collect()
    }

    /// An entity as it is now, but for what it takes in.
    fn known(&self, id: EntityId) -> &Entity {
        match id.index().checked_sub(self.out.entities.n) {
            Some(at) => &self.out.entities.rows[at],
            None => self.base.graph.entity(id),
        }
    }

    /// The one entity of the knowledge that some text calls so. A name of one word may be anybody's.
    fn called(&self, key: &str) -> Option<EntityId> {
        match self.index.names.get(key).filter(|_| key.contains(' '))?.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// What is said of each of some entities is said of them now.
    fn tie(&mut self, entities: &[EntityId], said: &Around) {
        for entity in entities {
            self.out.around.put(entity.index(), said.clone());
        }
    }

    /// Entities that have a key in common with one of the knowledge, or a name of its own, are that one.
    pub(super) fn entities(&mut self, own: &Knowledge) {
        let mut keys: Vec<Vec<&str>> = own.graph.entities().iter().map(|one| vec![one.key.as_str()]).collect();
        for (key, id) in own.graph.keys.rows().all() {
            keys[id.index()].push(key);
        }
        for (entity, keys) in own.graph.entities().iter().zip(&keys) {
            let found = keys.iter().find_map(|key| self.base.graph.find(key));
            let found = found.or_else(|| keys.iter().find_map(|key| self.called(key)));
            let id = found.unwrap_or_else(|| EntityId::at(self.out.entities.next()));
            let mentions = entity.mentions.iter().map(|(source, certainty)| {
                let chunk = self.chunk(source.chunk);
                (Source { chunk, ..*source }, *certainty)
            });
            let row = Entity {
                subject_of: entity.subject_of.iter().map(|index| self.document(*index)).collect(),
                mentions: mentions.collect(),
                ..entity.clone()
            };
            self.out.entities.put(id.index(), row);
            if found.is_none() {
                self.out.around.put(id.index(), Around::default());
            }
            self.entity.push(id);
        }
        let new = own.graph.keys.rows().all().iter();
        let new = new.filter(|(key, _)| self.base.graph.find(key).is_none());
        self.out.keys = new.map(|(key, id)| (key.clone(), self.entity[id.index()])).collect();
    }

    pub(super) fn triples(&mut self, own: &Knowledge, own_index: &Index) {
        self.words(own_index);
        let (schema, graph) = (&self.base.schema, &self.base.graph);
        let mut new: HashMap<(EntityId, EntityId, RelationId), usize> = HashMap::new();
        for (position, triple) in own.graph.triples().iter().enumerate() {
            let relation = triple.relation;
            let (mut head, mut tail) = (self.entity[triple.head.index()], self.entity[triple.tail.index()]);
            let is_own_inverse = schema.inverse(relation) == Some(relation);
            if is_own_inverse && self.known(tail).key < self.known(head).key {
                (head, tail) = (tail, head);
            }
            let is_admitted = head != tail
                && schema.admits_head(self.known(head).entity_type, relation)
                && schema.admits_tail(relation, self.known(tail).entity_type);
            if !is_admitted {
                self.triple.push(None);
                continue;
            }
            let is_same = |at: &TripleId| {
                let known = graph.triple(*at);
                (known.head, known.relation, known.tail) == (head, relation, tail)
            };
            let n = self.out.entities.n;
            let found = (head.index() < n && tail.index() < n).then(|| graph.incident(head).find(is_same));
            let found = found.flatten().map(TripleId::index);
            let at = found.or_else(|| new.get(&(head, tail, relation)).copied());
            let place = at.unwrap_or_else(|| self.out.triples.next());
            let row = Triple {
                head,
                relation,
                tail,
                phrases: triple.phrases.clone(),
                sources: self.sources(&triple.sources),
            };
            self.out.triples.put(place, row);
            let words = self.numbered(own_index.facts.of_fact(Fact::Triple(TripleId::at(position))));
            self.out.triple_words.put(place, words);
            if at.is_none() {
                new.insert((head, tail, relation), place);
                let triples = vec![TripleId::at(place)];
                self.tie(
                    &[head, tail],
                    &Around {
                        triples,
                        ..Around::default()
                    },
                );
                self.out.of_relation.put(relation.index(), vec![number(place)]);
            }
            self.triple.push(Some(place));
        }
    }

    pub(super) fn attributes(&mut self, own: &Knowledge) {
        let (schema, graph) = (&self.base.schema, &self.base.graph);
        let mut new: HashMap<(EntityId, AttributeId, &str), usize> = HashMap::new();
        for attribute in own.graph.attributes() {
            let (entity, kind) = (self.entity[attribute.entity.index()], attribute.attribute);
            if !schema.admits_attribute(self.known(entity).entity_type, kind) {
                continue;
            }
            let is_same = |at: &usize| {
                let known = graph.attribute(*at);
                known.attribute == kind && known.value == attribute.value
            };
            let found = (entity.index() < self.out.entities.n).then(|| graph.attribute_places(entity).find(is_same));
            let key = (entity, kind, attribute.value.as_str());
            let at = found.flatten().or_else(|| new.get(&key).copied());
            let place = at.unwrap_or_else(|| self.out.attributes.next());
            let row = Attribute {
                entity,
                sources: self.sources(&attribute.sources),
                ..attribute.clone()
            };
            self.out.attributes.put(place, row);
            if at.is_none() {
                new.insert(key, place);
                let attributes = vec![number(place)];
                self.tie(
                    &[entity],
                    &Around {
                        attributes,
                        ..Around::default()
                    },
                );
                self.out.of_attribute.put(kind.index(), vec![number(place)]);
            }
        }
    }

    /// Weights count all mentions of the ends as sentences.
    pub(super) fn associations(&mut self, own: &Knowledge, own_index: &Index) {
        let mut new: HashMap<(EntityId, EntityId), usize> = HashMap::new();
        for (position, association) in own.graph.associations().iter().enumerate() {
            let ends = [association.a, association.b].map(|end| self.entity[end.index()]);
            let (a, b) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            if a == b {
                self.association.push(None);
                continue;
            }
            let found = (b.index() < self.out.entities.n).then(|| self.base.graph.association_between(a, b));
            let at = found.flatten().or_else(|| new.get(&(a, b)).copied());
            let place = at.unwrap_or_else(|| self.out.associations.next());
            let n_mentions = |id: EntityId| {
                let more = (id.index() < self.out.entities.n)
                    .then(|| self.out.entities.more.get(&id.0))
                    .flatten();
                self.known(id).mentions.len() + more.map_or(0, |more| more.mentions.len())
            };
            let row = Association {
                a,
                b,
                weight: association.weight_among(n_mentions(a), n_mentions(b)),
                source: self.sources(&[association.source])[0],
                ..association.clone()
            };
            self.out.associations.put(place, row);
            let words = self.numbered(own_index.facts.of_fact(Fact::Association(position)));
            self.out.association_words.put(place, words);
            if at.is_none() {
                new.insert((a, b), place);
                let associations = vec![number(place)];
                self.tie(
                    &[a, b],
                    &Around {
                        associations,
                        ..Around::default()
                    },
                );
            }
            self.association.push(Some(place));
        }
    }

    /// Numbers the words that the knowledge does not have.
    fn words(&mut self, own_index: &Index) {
        let known = &self.index.facts.numbers;
        let mut next = number(known.rows().len());
        for (term, own) in own_index.facts.numbers.rows().all() {
            let found = known.get(term.as_str()).copied();
            let new = found.unwrap_or(next);
            if found.is_none() {
                self.out.words.push((term.clone(), new));
                next += 1;
            }
            self.word.insert(*own, new);
        }
    }

    /// Numbers of the added documents' words as they are now, ascending.
    fn numbered(&self, words: &[u32]) -> Vec<u32> {
        let mut words: Vec<u32> = words.iter().filter_map(|word| self.word.get(word).copied()).collect();
        words.sort_unstable();
        words
    }

    pub(super) fn indexes(&mut self, own: &Knowledge, own_index: &Index) {
        let mut name_words = News::of(self.out.entities.n);
        let mut named = News::of(self.out.entities.n);
        for (position, id) in self.entity.iter().enumerate() {
            let mut row = own_index.incidence.of(EntityId::at(position)).clone();
            row.chunks
                .iter_mut()
                .for_each(|place| place.chunk = self.chunk(place.chunk));
            row.subject.iter_mut().for_each(|chunk| *chunk = self.chunk(*chunk));
            named.put(id.index(), row);
            if id.index() == name_words.next() {
                name_words.put(
                    id.index(),
                    self.numbered(own_index.facts.of_name(EntityId::at(position))),
                );
            }
        }
        (self.out.named, self.out.name_words) = (named, name_words);
        for position in 0..own.chunks.len() {
            let chunk = ChunkId::at(position);
            let mut row: Vec<(EntityId, u8)> = Vec::new();
            for (own, certainty) in own_index.incidence.entities_of(chunk) {
                let id = self.entity[own.index()];
                match row.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, known)) => *known = (*known).max(*certainty),
                    None => row.push((id, *certainty)),
                }
            }
            row.sort_unstable();
            self.out.named_in.push(row);
            let facts = own_index.facts.stated_in(chunk).iter();
            let facts = facts.filter_map(|fact| match fact {
                Fact::Triple(own) => self.triple[own.index()].map(|at| Fact::Triple(TripleId::at(at))),
                Fact::Association(own) => self.association[*own].map(Fact::Association),
            });
            self.out.stated.push(facts.collect());
        }
        for (name, ids) in own_index.names.rows().all() {
            let mut ids: Vec<EntityId> = ids.iter().map(|id| self.entity[id.index()]).collect();
            ids.sort_unstable();
            ids.dedup();
            self.out.names.push((name.clone(), ids));
        }
        let passages = &own_index.passages;
        let terms = passages.terms.rows().all().iter();
        self.out.terms = terms
            .map(|(term, places)| (term.clone(), places.moved(self.first_chunk)))
            .collect();
        (self.out.lengths, self.out.extent) = (passages.lengths.clone().into_inner(), passages.extent);
        let files = own_index.files.rows().all().iter();
        let moved = |at: &u32| self.document(DocumentIndex(*at)).0;
        self.out.files = files
            .map(|(file, own)| (file.clone(), own.iter().map(moved).collect()))
            .collect();
    }

    pub(super) fn finish(self, own: Knowledge) -> Recent {
        let chunks = own.chunks.all().iter().map(|chunk| Chunk {
            document: self.document(chunk.document),
            ..*chunk
        });
        let chunks = chunks.collect();
        Recent {
            documents: own.documents.into_vec(),
            contributions: own.contributions.into_vec(),
            parses: own.parses.into_vec().into_iter().collect(),
            chunks,
            vectors: own.chunk_vectors.rows().flatten().collect(),
            ..self.out
        }
    }
}

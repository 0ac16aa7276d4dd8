//! Facts of which removed documents stated some or all.

use super::super::number;
use super::{Cut, Rows, chunks_of};
use crate::document::{Chunk, Span};
use crate::fact::{Contribution, TripleClaim};
use crate::graph::{Around, Association, Attribute, Source, Triple, chunk_of, side_by_side};
use crate::id::{ChunkId, DocumentIndex, EntityId, TripleId};
use crate::index::Fact;
use crate::paged::Paged;
use std::collections::BTreeSet;

impl Cut<'_> {
    fn left(&self, sources: &[Source]) -> Vec<Source> {
        sources.iter().filter(|source| self.is_left(source)).copied().collect()
    }

    /// What is said of an entity, to be cut.
    fn around(&mut self, id: EntityId) -> &mut Around {
        let known = || self.base.graph.around.get(id.index()).clone();
        self.out.around.entry(id.0).or_insert_with(known)
    }

    /// Of a list of positions by kind, what is left.
    fn cut(list: &Paged<Vec<u32>>, rows: &mut Rows<Vec<u32>>, kind: usize, at: u32) {
        let row = rows.entry(number(kind)).or_insert_with(|| list.get(kind).clone());
        row.retain(|one| *one != at);
    }

    pub(super) fn triples(&mut self) {
        let stated = self.chunks.iter().flat_map(|chunk| self.index.facts.stated_in(*chunk));
        let touched: BTreeSet<TripleId> = stated
            .filter_map(|fact| match fact {
                Fact::Triple(id) => Some(*id),
                Fact::Association(_) => None,
            })
            .collect();
        let graph = &self.base.graph;
        for id in touched {
            let known = graph.triple(id);
            let sources = self.left(&known.sources);
            if sources.is_empty() {
                self.out.triples.insert(id.0, Triple::default());
                for end in [known.head, known.tail] {
                    self.around(end).triples.retain(|one| *one != id);
                }
                Self::cut(
                    &graph.of_relation,
                    &mut self.out.of_relation,
                    known.relation.index(),
                    id.0,
                );
                continue;
            }
            let documents = sources.iter().map(|source| self.base.chunk(source.chunk).document);
            let documents: BTreeSet<DocumentIndex> = documents.collect();
            let said = documents.iter().map(|at| self.base.contributions.get(at.index()));
            let claims = said.flat_map(|said| &said.triples);
            let own = claims.filter(|claim| self.states(claim, known));
            let phrases = of(&known.phrases, own.map(|claim| claim.phrase.as_str()));
            let row = Triple {
                phrases,
                sources,
                ..known.clone()
            };
            self.out.triples.insert(id.0, row);
        }
    }

    /// Whether a document states a triple of the knowledge.
    fn states(&self, claim: &TripleClaim, triple: &Triple) -> bool {
        let ends = [&claim.head, &claim.tail].map(|end| self.base.graph.find(end));
        triple.says(&self.base.schema, claim.relation, ends)
    }

    /// The words that a document joins two entities with, beside those of triples.
    fn joined(&self, document: DocumentIndex, one: EntityId, other: EntityId) -> impl Iterator<Item = &str> {
        let graph = &self.base.graph;
        let said = self.base.contributions.get(document.index());
        let loose = said.loose.iter().map(|claim| (&claim.head, &claim.tail, &claim.phrase));
        let is_refused =
            move |claim: &&TripleClaim| !graph.incident(one).any(|id| self.states(claim, graph.triple(id)));
        let refused = said.triples.iter().filter(is_refused);
        let joined = loose.chain(refused.map(|claim| (&claim.head, &claim.tail, &claim.phrase)));
        let joined = joined.filter(move |(head, tail, _)| self.are(head, tail, one, other));
        joined.map(|(_, _, phrase)| phrase.as_str())
    }

    /// Whether two keys are two entities, in either order.
    fn are(&self, head: &str, tail: &str, one: EntityId, other: EntityId) -> bool {
        let (head, tail) = (self.base.graph.find(head), self.base.graph.find(tail));
        [(Some(one), Some(other)), (Some(other), Some(one))].contains(&(head, tail))
    }

    pub(super) fn attributes(&mut self, said: &[Contribution]) {
        let graph = &self.base.graph;
        let claims = said.iter().flat_map(|said| &said.attributes);
        let entities: BTreeSet<EntityId> = claims.filter_map(|claim| graph.find(&claim.entity)).collect();
        for at in entities.into_iter().flat_map(|entity| graph.attribute_places(entity)) {
            let known = graph.attribute(at);
            let sources = self.left(&known.sources);
            if sources.len() == known.sources.len() {
                continue;
            }
            let at = number(at);
            if sources.is_empty() {
                self.out.attributes.insert(at, Attribute::default());
                self.around(known.entity).attributes.retain(|one| *one != at);
                Self::cut(
                    &graph.of_attribute,
                    &mut self.out.of_attribute,
                    known.attribute.index(),
                    at,
                );
            } else {
                let row = Attribute {
                    sources,
                    ..known.clone()
                };
                self.out.attributes.insert(at, row);
            }
        }
    }

    pub(super) fn associations(&mut self, said: &[Contribution]) {
        let graph = &self.base.graph;
        for ((one, other), n) in side_by_side(&self.base.schema, said, &self.base.resolution) {
            let ends = graph.find(&one).zip(graph.find(&other));
            let Some((at, (one, other))) = ends.and_then(|(a, b)| Some((graph.association_between(a, b)?, (a, b))))
            else {
                continue;
            };
            let known = graph.association(at);
            let left = self.association(known, (one, other), n);
            let at = number(at);
            if left.is_none() {
                for end in [one, other] {
                    self.around(end).associations.retain(|own| *own != at);
                }
            }
            let states = |one: &Association| (!one.phrases.is_empty()).then_some(one.source.chunk);
            let (then, now) = (states(known), left.as_ref().and_then(states));
            if then != now {
                let fact = Fact::Association(at as usize);
                self.stated(then, |list| list.retain(|one| *one != fact));
                self.stated(now, |list| list.push(fact));
            }
            self.out.associations.insert(at, left.unwrap_or_default());
        }
    }

    /// Changes what a passage states that is left.
    fn stated(&mut self, passage: Option<ChunkId>, change: impl FnOnce(&mut Vec<Fact>)) {
        if let Some(chunk) = passage.filter(|chunk| !self.chunks.contains(chunk)) {
            let known = || self.index.facts.stated_in(chunk).to_vec();
            change(self.out.stated.entry(chunk.0).or_insert_with(known));
        }
    }

    /// What is left of an association that `n` sentences less name.
    fn association(&self, known: &Association, (one, other): (EntityId, EntityId), n: u32) -> Option<Association> {
        let n = known.n.saturating_sub(n);
        let naming = || self.naming(one, other);
        let source = Some(known.source).filter(|source| self.is_left(source));
        let source = source.or_else(|| naming().find_map(|document| self.first_place(document, one, other)))?;
        let said = naming().flat_map(|document| self.joined(document, one, other));
        let phrases = of(&known.phrases, said);
        if n == 0 && phrases.is_empty() {
            return None;
        }
        let mentions = |id: EntityId| {
            let mentions = &self.base.graph.entity(id).mentions;
            mentions.iter().filter(|(source, _)| self.is_left(source)).count()
        };
        let mut left = Association {
            n,
            phrases,
            source,
            ..known.clone()
        };
        left.weight = left.weight_among(mentions(known.a), mentions(known.b));
        Some(left)
    }

    /// The documents left that name two entities, ascending.
    fn naming(&self, one: EntityId, other: EntityId) -> impl Iterator<Item = DocumentIndex> {
        let named = |id| &self.index.incidence.of(id).chunks;
        let (rarer, other) = if named(one).len() <= named(other).len() {
            (one, other)
        } else {
            (other, one)
        };
        let mut last = None;
        let documents = named(rarer).iter().map(|place| self.base.chunk(place.chunk).document);
        documents.filter(move |document| {
            let is_new = last.replace(*document) != Some(*document);
            let mut chunks = chunks_of(self.base, *document);
            is_new
                && !self.gone.contains(document)
                && chunks.any(|chunk| {
                    let named = self.index.incidence.entities_of(chunk);
                    named.iter().any(|(id, _)| *id == other)
                })
        })
    }

    /// The first place of a document that joins two entities or names them side by side.
    fn first_place(&self, document: DocumentIndex, one: EntityId, other: EntityId) -> Option<Source> {
        let said = self.base.contributions.get(document.index());
        let loose = said
            .loose
            .iter()
            .find(|claim| self.are(&claim.head, &claim.tail, one, other));
        let opening = said.chunks.first().map_or(0, |(chunk, _)| chunk.end);
        let is = |key: &str, id: EntityId| self.base.graph.find(key) == Some(id);
        let names = |sentence: &Span, id: EntityId| {
            let first = said
                .mentions
                .partition_point(|mention| mention.span.start < sentence.start);
            let inside = said.mentions[first..].iter();
            let is_inside = |span: Span| span.start < sentence.end && span.end > span.start;
            let is_subject = || {
                said.entities
                    .iter()
                    .any(|claim| claim.is_subject && is(&claim.entity, id))
            };
            inside
                .take_while(|mention| mention.span.start < sentence.end)
                .any(|mention| is_inside(mention.span) && is(&mention.entity, id))
                || sentence.start < opening && is_subject()
        };
        let side_by_side = || {
            said.sentences
                .iter()
                .find(|span| names(span, one) && names(span, other))
        };
        let stated = || {
            said.triples
                .iter()
                .find(|claim| self.are(&claim.head, &claim.tail, one, other))
        };
        let span = loose.map(|claim| claim.span).or_else(|| side_by_side().copied());
        let span = span.or_else(|| stated().map(|claim| claim.span))?;
        let chunks: Vec<ChunkId> = chunks_of(self.base, document).collect();
        let rows: Vec<Chunk> = chunks.iter().map(|id| *self.base.chunk(*id)).collect();
        let first = chunks.first()?.index();
        Some(Source {
            chunk: chunk_of(&rows, first, span),
            span,
        })
    }
}

/// Those of some phrases that are among others; looks no further than it must.
fn of<'a>(phrases: &[String], mut said: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    while found.len() < phrases.len() {
        let Some(phrase) = said.next() else { break };
        if phrases.iter().any(|known| known == phrase) {
            found.insert(phrase);
        }
    }
    let left = phrases.iter().filter(|phrase| found.contains(phrase.as_str()));
    left.cloned().collect()
}

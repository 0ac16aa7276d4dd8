//! A knowledge and its indexes as they are told: by names and places in documents, lists without an order as sets, and nothing
//! of what is gone.

use crate::graph::Source;
use crate::id::{ChunkId, EntityId, TripleId};
use crate::index::{Fact, Index, term};
use crate::knowledge::Knowledge;
use std::collections::BTreeSet;

type Set = BTreeSet<String>;

pub(super) fn told((knowledge, index): &(Knowledge, Index)) -> Vec<Set> {
    let told = Told { knowledge, index };
    let graph = &knowledge.graph;
    let there = |at: &usize| !graph.triple(TripleId::at(*at)).is_gone();
    let triples = (0..graph.n_triples()).filter(there).map(|at| told.triple(at));
    let there = |at: &usize| !graph.association(*at).is_gone();
    let associations = (0..graph.n_associations()).filter(there);
    let attributes = graph.attributes().iter().filter(|one| !one.is_gone());
    let attributes = attributes.map(|one| {
        let sources = told.sources(&one.sources);
        format!("{} {} {sources:?}", told.name(one.entity), one.value)
    });
    let keys = graph.keys.rows().all().iter();
    let of_relation = (0..graph.of_relation.len()).map(|relation| {
        let own = graph.of_relation.get(relation).iter();
        let own: Set = own.map(|at| told.triple(*at as usize)).collect();
        own.into_iter().collect::<String>()
    });
    vec![
        told.documents(),
        triples.collect(),
        associations.map(|at| told.association(at)).collect(),
        attributes.collect(),
        keys.map(|(key, id)| format!("{key} {}", told.name(*id))).collect(),
        of_relation.filter(|own| !own.is_empty()).collect(),
        told.names(),
        told.files(),
        told.entities(),
        told.passages(),
    ]
}

struct Told<'a> {
    knowledge: &'a Knowledge,
    index: &'a Index,
}

impl Told<'_> {
    fn chunk(&self, id: ChunkId) -> String {
        let chunk = self.knowledge.chunk(id);
        format!("{} {:?}", self.knowledge.document(chunk.document).title, chunk.span)
    }

    fn sources(&self, sources: &[Source]) -> Set {
        let told = sources.iter();
        told.map(|source| format!("{} {:?}", self.chunk(source.chunk), source.span))
            .collect()
    }

    fn name(&self, id: EntityId) -> String {
        self.knowledge.graph.entity(id).key.clone()
    }

    fn triple(&self, at: usize) -> String {
        let (one, facts) = (self.knowledge.graph.triple(TripleId::at(at)), &self.index.facts);
        let words = one.phrases.iter().flat_map(|phrase| term::terms(phrase));
        let words: BTreeSet<u32> = words.filter_map(|word| facts.number(&word)).collect();
        let numbered = facts.of_fact(Fact::Triple(TripleId::at(at)));
        assert!(words.iter().all(|word| numbered.binary_search(word).is_ok()), "{one:?}");
        let (head, tail) = (self.name(one.head), self.name(one.tail));
        let phrases: BTreeSet<&String> = one.phrases.iter().collect();
        let sources = self.sources(&one.sources);
        format!("{head} {:?} {tail} {phrases:?} {sources:?}", one.relation)
    }

    fn association(&self, at: usize) -> String {
        let one = self.knowledge.graph.association(at);
        let ends = BTreeSet::from([self.name(one.a), self.name(one.b)]);
        let phrases: BTreeSet<&String> = one.phrases.iter().collect();
        format!("{ends:?} {} {phrases:?} {:?}", one.n, self.sources(&[one.source]))
    }

    fn documents(&self) -> Set {
        let there: Set = self.knowledge.documents_left().map(|one| format!("{one:?}")).collect();
        assert_eq!(there.len(), self.knowledge.n_documents());
        there
    }

    fn names(&self) -> Set {
        let names = self.index.names.rows().all().iter();
        let bearers = |ids: &[EntityId]| ids.iter().map(|id| self.name(*id)).collect::<Set>();
        names.map(|(key, ids)| format!("{key} {:?}", bearers(ids))).collect()
    }

    fn files(&self) -> Set {
        let files = self.index.files.rows().all().iter();
        let title = |at: &u32| self.knowledge.documents.get(*at as usize).title.clone();
        files
            .map(|(file, own)| format!("{file} {:?}", own.iter().map(title).collect::<Set>()))
            .collect()
    }

    fn entities(&self) -> Set {
        let graph = &self.knowledge.graph;
        let all = (0..graph.n_entities()).map(EntityId::at);
        let there = all.filter(|id| !graph.entity(*id).is_gone());
        there.map(|id| self.entity(id)).collect()
    }

    fn entity(&self, id: EntityId) -> String {
        let graph = &self.knowledge.graph;
        let (one, named) = (graph.entity(id), self.index.incidence.of(id));
        let words = term::terms(&one.name);
        let words: BTreeSet<u32> = words.iter().filter_map(|word| self.index.facts.number(word)).collect();
        assert_eq!(
            self.index.facts.of_name(id),
            words.into_iter().collect::<Vec<_>>(),
            "{one:?}"
        );
        assert_eq!(graph.find(&one.key), Some(id));
        let mentions = one.mentions.iter();
        let mentions = mentions.map(|(source, certainty)| format!("{:?} {certainty}", self.sources(&[*source])));
        let about = one
            .subject_of
            .iter()
            .map(|at| self.knowledge.document(*at).title.clone());
        let lists: [Set; 7] = [
            mentions.collect(),
            about.collect(),
            graph.incident(id).map(|at| self.triple(at.index())).collect(),
            graph.attributes_of(id).map(|one| one.value.clone()).collect(),
            graph.associated(id).map(|(other, _)| self.name(other)).collect(),
            named.subject.iter().map(|chunk| self.chunk(*chunk)).collect(),
            named.chunks.iter().map(|place| self.chunk(place.chunk)).collect(),
        ];
        format!(
            "{} {} {:?} {:?} {} {lists:?}",
            one.key, one.name, one.aliases, one.entity_type, named.frequency
        )
    }

    fn passages(&self) -> Set {
        let question = term::distinct("where did dipper take the lantern and the rope");
        let scores = self.index.passages.scores(&question);
        let mut told = Set::new();
        for (at, score) in scores.iter().enumerate() {
            let id = ChunkId::at(at);
            // An association is stated by the first passage that has its words, which may be one before they were added.
            let stated = self.index.facts.stated_in(id).iter().filter_map(|fact| match fact {
                Fact::Triple(id) => Some(self.triple(id.index())),
                Fact::Association(at) => {
                    assert!(!self.knowledge.graph.association(*at).phrases.is_empty());
                    None
                }
            });
            let stated: Set = stated.collect();
            let named = self.index.incidence.entities_of(id).iter();
            let named: Set = named
                .map(|(id, certainty)| format!("{} {certainty}", self.name(*id)))
                .collect();
            if self.knowledge.is_gone(self.knowledge.chunk(id).document) {
                assert!(stated.is_empty() && named.is_empty() && *score == 0.0);
                assert!(self.knowledge.chunk_text(id).is_empty());
            } else {
                told.insert(format!("{} {stated:?} {named:?} {score}", self.chunk(id)));
            }
        }
        told
    }
}

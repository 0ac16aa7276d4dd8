//! What passages state, and the words of it and of names, each word as a number: what a question shares with a fact is
//! found without taking either apart again.

use super::term;
use crate::id::ChunkId;
use crate::id::{EntityId, TripleId};
use crate::knowledge::Knowledge;
use crate::paged::{Paged, Sorted};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// What a passage states of two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// A triple of the schema.
    Triple(TripleId),
    /// Words beyond the schema, by the position of the association that has them.
    Association(usize),
}

/// What passages state, and the words of names and facts.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// By chunk: triples, then associations.
    pub(crate) stated: Paged<Vec<Fact>>,
    pub(crate) numbers: Sorted<String, u32>,
    pub(crate) names: Paged<Vec<u32>>,
    pub(crate) triples: Paged<Vec<u32>>,
    pub(crate) associations: Paged<Vec<u32>>,
}

impl Facts {
    /// Takes names and phrases apart. Cost O(words).
    pub fn new(knowledge: &Knowledge) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut take_apart = |text: &str| -> Vec<u32> {
            let number = |term: String| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(term).or_insert(next)
            };
            let distinct: BTreeSet<u32> = term::terms(text).into_iter().map(number).collect();
            distinct.into_iter().collect()
        };
        let graph = &knowledge.graph;
        let mut stated: Vec<Vec<Fact>> = vec![Vec::new(); knowledge.chunks.len()];
        let (mut names, mut triples, mut associations) = (Vec::new(), Vec::new(), Vec::new());
        for entity in graph.entities() {
            names.push(take_apart(&entity.name));
        }
        for (position, triple) in graph.triples().iter().enumerate() {
            let name = knowledge.schema.relation_name(triple.relation).replace('_', " ");
            triples.push(take_apart(&format!("{name} {}", triple.phrases.join(" "))));
            let fact = Fact::Triple(TripleId::at(position));
            for source in &triple.sources {
                let list = &mut stated[source.chunk.index()];
                if list.last() != Some(&fact) {
                    list.push(fact);
                }
            }
        }
        for (position, association) in graph.associations().iter().enumerate() {
            associations.push(take_apart(&association.phrases.join(" ")));
            if !association.phrases.is_empty() {
                stated[association.source.chunk.index()].push(Fact::Association(position));
            }
        }
        Self {
            stated: stated.into(),
            numbers: numbers.into_iter().collect(),
            names: names.into(),
            triples: triples.into(),
            associations: associations.into(),
        }
    }

    /// What a passage states: triples, then associations.
    pub fn stated_in(&self, chunk: ChunkId) -> &[Fact] {
        self.stated.get(chunk.index())
    }

    /// The number of a term; `None` where no name and no fact has it.
    pub fn number(&self, term: &str) -> Option<u32> {
        self.numbers.get(term).copied()
    }

    /// Numbers of the terms of a name, ascending.
    pub fn of_name(&self, entity: EntityId) -> &[u32] {
        self.names.get(entity.index())
    }

    /// Numbers of the terms that say what a fact's ends have to do with each other, ascending.
    pub fn of_fact(&self, fact: Fact) -> &[u32] {
        match fact {
            Fact::Triple(id) => self.triples.get(id.index()),
            Fact::Association(at) => self.associations.get(at),
        }
    }
}

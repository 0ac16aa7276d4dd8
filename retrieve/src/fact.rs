//! What passages state, and the words of it and of names, each word as a number: what a question shares with a fact is
//! found without taking either apart again.

use crate::rows::Rows;
use banyan_engine::index::term;
use banyan_engine::{EntityId, Knowledge, TripleId};
use std::collections::{BTreeSet, HashMap};

/// What a passage states of two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A triple of the schema.
    Triple(TripleId),
    /// Words beyond the schema, by the position of the association that has them.
    Association(usize),
}

/// Words of a knowledge's names and of what its facts say.
pub(crate) struct FactTerms {
    ids: HashMap<String, u32>,
    names: Rows,
    triples: Rows,
    associations: Rows,
}

impl FactTerms {
    /// Takes names and phrases apart. Cost O(words).
    pub(crate) fn new(knowledge: &Knowledge) -> Self {
        let mut terms = Self {
            ids: HashMap::new(),
            names: Rows::default(),
            triples: Rows::default(),
            associations: Rows::default(),
        };
        let graph = &knowledge.graph;
        for entity in graph.entities() {
            let row = terms.take_apart(&entity.name);
            terms.names.push(row);
        }
        for triple in graph.triples() {
            let name = knowledge.schema.relation_name(triple.relation).replace('_', " ");
            let row = terms.take_apart(&format!("{name} {}", triple.phrases.join(" ")));
            terms.triples.push(row);
        }
        for association in graph.associations() {
            let row = terms.take_apart(&association.phrases.join(" "));
            terms.associations.push(row);
        }
        terms
    }

    fn take_apart(&mut self, text: &str) -> BTreeSet<u32> {
        let number = |term: String| {
            let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
            *self.ids.entry(term).or_insert(next)
        };
        term::terms(text).into_iter().map(number).collect()
    }

    /// The number of a term; `None` where no name and no fact has it.
    pub(crate) fn number(&self, term: &str) -> Option<u32> {
        self.ids.get(term).copied()
    }

    /// Numbers of the terms of a name, ascending.
    pub(crate) fn of_name(&self, entity: EntityId) -> &[u32] {
        self.names.row(entity.index())
    }

    /// Numbers of the terms that say what a fact's ends have to do with each other, ascending.
    pub(crate) fn of_fact(&self, fact: Fact) -> &[u32] {
        match fact {
            Fact::Triple(id) => self.triples.row(id.index()),
            Fact::Association(at) => self.associations.row(at),
        }
    }
}

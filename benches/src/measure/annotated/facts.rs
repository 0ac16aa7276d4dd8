//! Facts between entities of annotated documents.

use super::{Annotated, Relations, Understanding, Vocabulary, tally};
use banyan::eval::report::Part;
use banyan_engine::{EntityId, name};
use std::collections::{BTreeMap, BTreeSet};

/// A fact: head, relation id, tail.
pub(crate) type Fact = (End, String, End);

/// One end of a fact that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// A gold entity, by its position.
    Gold(usize),
    /// Something that is no gold entity, by its key.
    Other(String),
}

/// What was found in each document.
///
/// An end of a fact is a gold entity when any of its names in the document, or its name in the corpus, is a name of that
/// entity; names compare by key ([`banyan_engine::name::key`]). Values of attributes are ends like names.
pub(crate) fn facts(read: &Understanding, documents: &[Annotated], vocabulary: &Vocabulary) -> Vec<BTreeSet<Fact>> {
    let documents = documents.iter().enumerate();
    documents
        .map(|(at, document)| stated(read, at, document, vocabulary))
        .collect()
}

fn stated(read: &Understanding, at: usize, document: &Annotated, vocabulary: &Vocabulary) -> BTreeSet<Fact> {
    let contribution = read.contribution(at);
    let ends = Ends::new(read, at, document);
    let schema = &read.knowledge.schema;
    let graph = &read.knowledge.graph;
    let kind = |key: &str| {
        graph
            .find(key)
            .map_or(schema.thing(), |id| graph.entity(id).entity_type)
    };
    let triples = contribution.triples.iter().filter_map(|claim| {
        let is_admitted = schema.admits(kind(&claim.head), claim.relation, kind(&claim.tail));
        let relation = vocabulary.id(schema.relation_name(claim.relation))?;
        is_admitted.then(|| ends.fact(&claim.head, relation, ends.of_entity(&claim.tail)))
    });
    let attributes = contribution.attributes.iter().filter_map(|claim| {
        let is_admitted = schema.admits_attribute(kind(&claim.entity), claim.attribute);
        let relation = vocabulary.id(schema.attribute_name(claim.attribute))?;
        let value = name::key(&claim.value);
        is_admitted.then(|| ends.fact(&claim.entity, relation, (ends.named(&value), value.clone())))
    });
    triples.chain(attributes).collect()
}

/// Keys to gold entities, in one document.
pub(super) struct Ends<'a> {
    document: &'a Annotated,
    gold: BTreeMap<&'a str, Vec<usize>>,
    /// Entity → keys of its names in the document.
    spoken: BTreeMap<EntityId, BTreeSet<String>>,
    read: &'a Understanding,
}

impl<'a> Ends<'a> {
    pub(super) fn new(read: &'a Understanding, at: usize, document: &'a Annotated) -> Self {
        let mut gold: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (position, names) in document.entities.iter().enumerate() {
            for key in names {
                gold.entry(key).or_default().push(position);
            }
        }
        let mut spoken: BTreeMap<EntityId, BTreeSet<String>> = BTreeMap::new();
        for (span, entity) in read.names(at) {
            spoken
                .entry(entity)
                .or_default()
                .insert(name::key(span.of(&document.text.text)));
        }
        Self {
            document,
            gold,
            spoken,
            read,
        }
    }

    pub(super) fn named(&self, key: &str) -> Vec<usize> {
        self.gold.get(key).cloned().unwrap_or_default()
    }

    /// The gold entities that an entity may be, and its key.
    pub(super) fn of_entity(&self, key: &str) -> (Vec<usize>, String) {
        let graph = &self.read.knowledge.graph;
        let mut keys = BTreeSet::from([key.to_owned()]);
        if let Some(id) = graph.find(key) {
            keys.insert(name::key(&graph.entity(id).name));
            keys.extend(self.spoken.get(&id).into_iter().flatten().cloned());
        }
        let found: BTreeSet<usize> = keys.iter().flat_map(|key| self.named(key)).collect();
        (found.into_iter().collect(), key.to_owned())
    }

    /// A fact with its ends as gold entities where they are: of several readings one that is gold, else the first.
    pub(super) fn fact(&self, head: &str, relation: &str, (tails, tail): (Vec<usize>, String)) -> Fact {
        let (heads, head) = self.of_entity(head);
        let pairs = || {
            heads
                .iter()
                .flat_map(|head| tails.iter().map(move |tail| (*head, *tail)))
        };
        let is_gold = |pair: &(usize, usize)| self.document.facts.contains(&(pair.0, relation.to_owned(), pair.1));
        let end = |list: &[usize], key: String| list.first().map_or(End::Other(key), |first| End::Gold(*first));
        let (head, tail) = match pairs().find(is_gold) {
            Some((head, tail)) => (End::Gold(head), End::Gold(tail)),
            None => (end(&heads, head), end(&tails, tail)),
        };
        (head, relation.to_owned(), tail)
    }
}

/// Counts facts that are right, over all documents together; of all, and of those between gold entities.
pub(super) fn score(part: &mut Part, documents: &[Annotated], found: &[BTreeSet<Fact>], relations: &Relations) {
    let (mut gold, mut predicted) = (BTreeSet::new(), BTreeSet::new());
    for (at, (document, found)) in documents.iter().zip(found).enumerate() {
        let facts = document.facts.iter();
        gold.extend(facts.map(|(head, relation, tail)| (at, (End::Gold(*head), relation.clone(), End::Gold(*tail)))));
        predicted.extend(found.iter().map(|fact| (at, fact.clone())));
    }
    let is_between = |(_, fact): &&(usize, Fact)| matches!(fact, (End::Gold(_), _, End::Gold(_)));
    let between: BTreeSet<(usize, Fact)> = predicted.iter().filter(is_between).cloned().collect();
    tally::set_down(part, "facts", "", &gold, &predicted);
    tally::set_down(part, "facts between gold entities", "", &gold, &between);
    let label = |(_, fact): &(usize, Fact)| relations.get(&fact.1).map_or("", String::as_str);
    tally::by(part, "facts", &gold, &predicted, label);
}

//! What a change of the graph leaves as it was: entities by their keys, facts by what they state.

use super::Before;
use banyan_engine::{EntityId, Keyword, KnowledgeGraph, Schema};
use std::collections::BTreeSet;

/// How the entities of a graph follow from those before.
pub(super) struct Carried {
    /// For each entity, the one before that it continues: the same key, else one that is now joined to it.
    pub(super) before: Vec<Option<EntityId>>,
    /// For each entity before, the one that its key leads to now.
    pub(super) now: Vec<Option<EntityId>>,
    /// Whether each entity is new, or has another key, name, type or attribute than before.
    pub(super) is_other: Vec<bool>,
    /// Entities before whose own key is gone.
    pub(super) lost: Vec<EntityId>,
    /// Heads and tails of triples that only one of the graphs has and whose ends both have.
    pub(super) triples: Vec<(EntityId, EntityId)>,
}

impl Carried {
    /// Compares `graph` with what was before. Cost O((n + t + a) log n) in the numbers of entities, triples and
    /// attributes.
    pub(super) fn new(schema: &Schema, graph: &KnowledgeGraph, before: &Before<'_>) -> Self {
        let ids = |graph: &KnowledgeGraph| (0..graph.entities().len()).map(EntityId::at);
        let now: Vec<Option<EntityId>> = before.graph.entities().iter().map(|old| graph.find(&old.key)).collect();
        let mut origin: Vec<Option<EntityId>> = graph
            .entities()
            .iter()
            .map(|entity| before.graph.find(&entity.key))
            .collect();
        for old in ids(before.graph) {
            if let Some(entity) = now[old.index()] {
                origin[entity.index()].get_or_insert(old);
            }
        }
        let is_other = ids(graph).map(|id| is_other(schema, graph, id, before, origin[id.index()]));
        let mut carried = Self {
            is_other: is_other.collect(),
            lost: Vec::new(),
            triples: Vec::new(),
            before: origin,
            now,
        };
        let is_lost = |old: &EntityId| {
            let key = &before.graph.entity(*old).key;
            carried.now[old.index()].is_none_or(|id| graph.entity(id).key != *key)
        };
        carried.lost = ids(before.graph).filter(is_lost).collect();
        carried.compare_triples(schema, graph, before);
        carried.compare_attributes(schema, graph, before);
        carried
    }

    /// Keywords before with the handles of now; those of entities that are gone are left out.
    pub(super) fn keywords(&self, old: &[Keyword]) -> Vec<Keyword> {
        let now = old.iter().filter_map(|word| {
            self.now[word.entity.index()].map(|entity| Keyword {
                entity,
                score: word.score,
            })
        });
        now.collect()
    }

    /// How many entities came, went, or have another key, name, type, triple or attribute than before.
    pub(super) fn n_changed(&self) -> usize {
        let mut is_changed = self.is_other.clone();
        for (head, tail) in &self.triples {
            is_changed[head.index()] = true;
            is_changed[tail.index()] = true;
        }
        self.lost.len() + is_changed.iter().filter(|is_changed| **is_changed).count()
    }

    /// Collects the triples that only one of the graphs has; every text shifts associations a little.
    fn compare_triples(&mut self, schema: &Schema, graph: &KnowledgeGraph, before: &Before<'_>) {
        let names = before.schema.relation_ids();
        let relations: Vec<_> = names.map(|(_, kind)| schema.relation_id(&kind.name)).collect();
        let mut old = BTreeSet::new();
        for triple in before.graph.triples() {
            let ends = [triple.head, triple.tail].map(|end| self.now[end.index()]);
            if let ([Some(head), Some(tail)], Some(relation)) = (ends, relations[triple.relation.index()]) {
                old.insert((head, relation, tail));
            } else if let [Some(head), Some(tail)] = ends {
                self.triples.push((head, tail));
            }
        }
        let now = graph.triples().iter();
        let now: BTreeSet<_> = now.map(|triple| (triple.head, triple.relation, triple.tail)).collect();
        let changed = old.symmetric_difference(&now);
        self.triples.extend(changed.map(|(head, _, tail)| (*head, *tail)));
    }

    /// Marks the owners of attributes that only one of the graphs has.
    fn compare_attributes(&mut self, schema: &Schema, graph: &KnowledgeGraph, before: &Before<'_>) {
        let mut old = BTreeSet::new();
        for fact in before.graph.attributes() {
            if let Some(owner) = self.now[fact.entity.index()] {
                old.insert((owner, before.schema.attribute_name(fact.attribute), fact.value.as_str()));
            }
        }
        let now = graph.attributes().iter();
        let now: BTreeSet<_> = now
            .map(|fact| (fact.entity, schema.attribute_name(fact.attribute), fact.value.as_str()))
            .collect();
        for (owner, ..) in old.symmetric_difference(&now) {
            self.is_other[owner.index()] = true;
        }
    }
}

/// Whether an entity is new or has another key, name or type than the one it continues.
fn is_other(
    schema: &Schema,
    graph: &KnowledgeGraph,
    id: EntityId,
    before: &Before<'_>,
    origin: Option<EntityId>,
) -> bool {
    let entity = graph.entity(id);
    origin.is_none_or(|old| {
        let old = before.graph.entity(old);
        let kinds = (
            &schema.entity_type(entity.entity_type).name,
            &before.schema.entity_type(old.entity_type).name,
        );
        entity.key != old.key || entity.name != old.name || kinds.0 != kinds.1
    })
}

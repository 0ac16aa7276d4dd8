//! Walks: what is next to an entity, and the simple paths between two.

use super::KnowledgeGraph;
use crate::id::{EntityId, TripleId};
use crate::schema::RelationId;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Entities that the search for paths may step on. Arbitrary: what a second or so looks at.
const MAX_STEPS: usize = 1_000_000;

/// What joins two entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    /// A triple, in either direction.
    Triple(TripleId),
    /// The association at this position of [`KnowledgeGraph::associations`].
    Association(u32),
}

/// Which ties a walk takes.
#[derive(Clone, Copy, Debug)]
pub struct Ties<'a> {
    /// Triples of these relations alone; of any where there are none.
    pub relations: &'a [RelationId],
    /// Associations, too.
    pub with_associations: bool,
}

/// A path on which no entity comes twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimplePath {
    /// From the first end to the other.
    pub entities: Vec<EntityId>,
    /// What joins each to the next.
    pub ties: Vec<Tie>,
}

/// Paths between two entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimplePaths {
    /// The shortest first; of equal length those over triples before those over associations.
    pub paths: Vec<SimplePath>,
    /// Whether there may be more.
    pub is_cut: bool,
}

impl KnowledgeGraph {
    /// The ties of an entity with their other ends: triples by id, then associations, the strongest first. Cost
    /// O(d log d) in the number of ties.
    pub fn ties(&self, id: EntityId, which: Ties<'_>) -> Vec<(EntityId, Tie)> {
        let triples = self.incident(id).map(|at| (at, self.triple(at)));
        let triples = triples
            .filter(|(_, triple)| which.relations.is_empty() || which.relations.contains(&triple.relation))
            .map(|(at, triple)| {
                (
                    if triple.head == id { triple.tail } else { triple.head },
                    Tie::Triple(at),
                )
            });
        let mut ties: Vec<(EntityId, Tie)> = triples.collect();
        if which.with_associations {
            let mut own = self.around.get(id.index()).associations.clone();
            let weight = |at: &u32| self.association(*at as usize).weight;
            own.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
            ties.extend(own.into_iter().map(|at| {
                let other = self.association(at as usize).other(id);
                (other, Tie::Association(at))
            }));
        }
        ties
    }

    /// The simple paths of at most `max_depth` ties from one entity to another, at most `limit`. Of several ties between
    /// two entities a path takes the first, as [`Self::ties`] has them. Cost O(ties of what is at most half as far from
    /// either end), then O(steps), of which there are at most a million.
    pub fn simple_paths(
        &self,
        (from, to): (EntityId, EntityId),
        which: Ties<'_>,
        max_depth: usize,
        limit: usize,
    ) -> SimplePaths {
        let (between, [start, end]) = self.between([from, to], which, max_depth);
        let distances: HashMap<NodeIndex, usize> = dijkstra(&between, end, None, |_| 1).into_iter().collect();
        let mut search = Search {
            between: &between,
            distances: &distances,
            limit,
            n_steps: 0,
            nodes: vec![start],
            ties: Vec::new(),
            found: SimplePaths::default(),
        };
        let shortest = distances.get(&start).map_or(max_depth + 1, |length| (*length).max(1));
        for length in shortest..=max_depth {
            search.follow(length);
            if search.found.is_cut {
                break;
            }
        }
        search.found
    }

    /// A part of the graph with all paths of at most `max_depth` ties between two entities, and the nodes of these; the
    /// edges of each node in the order of its ties. Each tie of such a path has an end that is less than half as far from
    /// one of the two.
    fn between(
        &self,
        ends: [EntityId; 2],
        which: Ties<'_>,
        max_depth: usize,
    ) -> (DiGraph<EntityId, Tie>, [NodeIndex; 2]) {
        let mut around: BTreeMap<EntityId, Vec<(EntityId, Tie)>> = BTreeMap::new();
        let mut further: Vec<(EntityId, EntityId, Tie)> = Vec::new();
        for (end, radius) in ends.into_iter().zip([max_depth.div_ceil(2), max_depth / 2]) {
            let inner = self.distances(end, which, radius.saturating_sub(1));
            around.extend(inner.into_keys().map(|id| (id, self.ties(id, which))));
        }
        for (id, ties) in &around {
            let outer = ties.iter().filter(|(other, _)| !around.contains_key(other));
            further.extend(outer.map(|(other, tie)| (*other, *id, *tie)));
        }
        for (outer, id, tie) in further {
            around.entry(outer).or_default().push((id, tie));
        }
        for end in ends {
            around.entry(end).or_default();
        }
        let mut part = DiGraph::new();
        let nodes: HashMap<EntityId, NodeIndex> = around.keys().map(|id| (*id, part.add_node(*id))).collect();
        let order = |(_, tie): &(EntityId, Tie)| match tie {
            Tie::Triple(id) => (Reverse(f32::INFINITY.to_bits()), id.0),
            Tie::Association(at) => (Reverse(self.association(*at as usize).weight.max(0.0).to_bits()), *at),
        };
        for (id, mut ties) in around {
            ties.sort_by_key(order);
            // A node's edges come back from the last one added to the first.
            for (other, tie) in ties.into_iter().rev() {
                part.add_edge(nodes[&id], nodes[&other], tie);
            }
        }
        (part, ends.map(|end| nodes[&end]))
    }

    /// How many ties entities are away from one, as far as `max_depth`.
    pub(crate) fn distances(&self, from: EntityId, which: Ties<'_>, max_depth: usize) -> HashMap<EntityId, usize> {
        let mut distances = HashMap::from([(from, 0)]);
        let mut open = VecDeque::from([(from, 1)]);
        while let Some((id, next)) = open.pop_front() {
            if next > max_depth {
                break;
            }
            for (other, _) in self.ties(id, which) {
                if let Entry::Vacant(slot) = distances.entry(other) {
                    slot.insert(next);
                    open.push_back((other, next + 1));
                }
            }
        }
        distances
    }
}

struct Search<'a> {
    between: &'a DiGraph<EntityId, Tie>,
    distances: &'a HashMap<NodeIndex, usize>,
    limit: usize,
    n_steps: usize,
    nodes: Vec<NodeIndex>,
    ties: Vec<Tie>,
    found: SimplePaths,
}

impl Search<'_> {
    /// Finds the paths of exactly so many more ties.
    fn follow(&mut self, length: usize) {
        let Some(here) = self.nodes.last().copied() else {
            return;
        };
        if length == 0 {
            self.found.is_cut = self.found.paths.len() == self.limit;
            if !self.found.is_cut {
                self.found.paths.push(SimplePath {
                    entities: self.nodes.iter().map(|node| self.between[*node]).collect(),
                    ties: self.ties.clone(),
                });
            }
            return;
        }
        let mut seen: BTreeSet<NodeIndex> = self.nodes.iter().copied().collect();
        let between = self.between;
        for edge in between.edges(here) {
            let left = self.distances.get(&edge.target());
            let leads_there = left.is_some_and(|left| *left < length && (*left > 0 || length == 1));
            if !leads_there || !seen.insert(edge.target()) {
                continue;
            }
            self.n_steps += 1;
            self.found.is_cut |= self.n_steps > MAX_STEPS;
            if self.found.is_cut {
                return;
            }
            self.nodes.push(edge.target());
            self.ties.push(*edge.weight());
            self.follow(length - 1);
            self.nodes.pop();
            self.ties.pop();
        }
    }
}

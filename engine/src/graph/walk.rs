//! Walks: what is next to an entity, and the simple paths between two.

use super::KnowledgeGraph;
use crate::id::{EntityId, TripleId};
use crate::schema::RelationId;
use std::collections::{BTreeSet, VecDeque};

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
        let triples = self.incident(id).into_iter().map(|at| (at, self.triple(at)));
        let triples = triples
            .filter(|(_, triple)| which.relations.is_empty() || which.relations.contains(&triple.relation))
            .map(|(at, triple)| {
                (
                    if triple.head == id { triple.tail } else { triple.head },
                    Tie::Triple(at),
                )
            });
        let mut ties: Vec<(EntityId, Tie)> = triples.collect();
        if which.with_associations
            && let Some(own) = self.associated.get(id.index())
        {
            let mut own = own.clone();
            let weight = |at: &u32| self.associations[*at as usize].weight;
            own.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
            ties.extend(own.into_iter().map(|at| {
                let other = self.associations[at as usize].other(id);
                (other, Tie::Association(at))
            }));
        }
        ties
    }

    /// The simple paths of at most `max_depth` ties from one entity to another, at most `limit`. Of several ties between
    /// two entities a path takes the first, as [`Self::ties`] has them. Cost O(ties) for the distances, then O(steps), of
    /// which there are at most a million.
    pub fn simple_paths(
        &self,
        (from, to): (EntityId, EntityId),
        which: Ties<'_>,
        max_depth: usize,
        limit: usize,
    ) -> SimplePaths {
        let distances = self.distances(to, which, max_depth);
        let mut search = Search {
            graph: self,
            which,
            distances: &distances,
            limit,
            n_steps: 0,
            entities: vec![from],
            ties: Vec::new(),
            found: SimplePaths::default(),
        };
        let shortest = distances[from.index()].max(1);
        for length in shortest..=max_depth {
            search.follow(length);
            if search.found.is_cut {
                break;
            }
        }
        search.found
    }

    /// How many ties each entity is away from one, as far as `max_depth`; `usize::MAX` beyond.
    pub(crate) fn distances(&self, from: EntityId, which: Ties<'_>, max_depth: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.entities.len()];
        distances[from.index()] = 0;
        let mut open = VecDeque::from([from]);
        while let Some(id) = open.pop_front() {
            let next = distances[id.index()] + 1;
            if next > max_depth {
                break;
            }
            for (other, _) in self.ties(id, which) {
                if distances[other.index()] == usize::MAX {
                    distances[other.index()] = next;
                    open.push_back(other);
                }
            }
        }
        distances
    }
}

struct Search<'a> {
    graph: &'a KnowledgeGraph,
    which: Ties<'a>,
    distances: &'a [usize],
    limit: usize,
    n_steps: usize,
    entities: Vec<EntityId>,
    ties: Vec<Tie>,
    found: SimplePaths,
}

impl Search<'_> {
    /// Finds the paths of exactly so many more ties.
    fn follow(&mut self, length: usize) {
        let Some(here) = self.entities.last().copied() else {
            return;
        };
        if length == 0 {
            self.found.is_cut = self.found.paths.len() == self.limit;
            if !self.found.is_cut {
                self.found.paths.push(SimplePath {
                    entities: self.entities.clone(),
                    ties: self.ties.clone(),
                });
            }
            return;
        }
        let mut seen: BTreeSet<EntityId> = self.entities.iter().copied().collect();
        for (other, tie) in self.graph.ties(here, self.which) {
            let leads_there =
                self.distances[other.index()] < length && (self.distances[other.index()] > 0 || length == 1);
            if !leads_there || !seen.insert(other) {
                continue;
            }
            self.n_steps += 1;
            self.found.is_cut |= self.n_steps > MAX_STEPS;
            if self.found.is_cut {
                return;
            }
            self.entities.push(other);
            self.ties.push(tie);
            self.follow(length - 1);
            self.entities.pop();
            self.ties.pop();
        }
    }
}

//! Small graphs to look at.

use crate::config::Config;
use crate::detect::{detect, perceive};
use crate::error::CommunityError;
use crate::partition::Partition;
use crate::profile::Space;
use crate::semantics::Semantics;
use banyan_engine::embed::{Vectors, normalize};
use banyan_engine::graph::{Association, Source};
use banyan_engine::{ChunkId, Entity, EntityId, KnowledgeGraph, Schema, Span, Triple};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A graph with its schema (relations `r0`, `r1`, `r2`; types `person`, `work`) and vectors.
pub(crate) struct Toy {
    pub(crate) schema: Schema,
    pub(crate) graph: KnowledgeGraph,
    pub(crate) entities: Vectors,
    pub(crate) relations: Vectors,
}

pub(crate) fn schema() -> Schema {
    Schema::from_json(
        r#"{"name": "toy",
            "entity_types": [{"name": "person"}, {"name": "work"}],
            "relations": [{"name": "r0"}, {"name": "r1"}, {"name": "r2"}],
            "attributes": [{"name": "born", "kind": "text"}]}"#,
    )
    .unwrap()
}

impl Toy {
    /// Entities `0..n` without meaning, and ties `(head, relation, tail)`.
    pub(crate) fn new(n: usize, ties: &[(u32, &str, u32)]) -> Self {
        let schema = schema();
        let entities = (0..n).map(|entity| named(&schema, &format!("e{entity}"))).collect();
        let mut triples: Vec<_> = ties
            .iter()
            .map(|&(head, relation, tail)| Triple {
                head: EntityId(head),
                relation: schema.relation_id(relation).unwrap(),
                tail: EntityId(tail),
                phrases: vec![],
                sources: vec![],
            })
            .collect();
        triples.sort_by_key(|triple| (triple.head, triple.relation, triple.tail));
        let graph = KnowledgeGraph::new(entities, triples, vec![]);
        let (entities, relations) = (Vectors::zeros(8, n), Vectors::zeros(8, 4));
        Self {
            schema,
            graph,
            entities,
            relations,
        }
    }

    /// The same with these associations, of weight 1.
    pub(crate) fn with_associations(mut self, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let association = |(a, b): (u32, u32)| Association {
            a: EntityId(a),
            b: EntityId(b),
            n: 1,
            weight: 1.0,
            phrases: vec![],
            source: Source {
                chunk: ChunkId::at(0),
                span: Span::new(0, 0),
            },
        };
        self.graph = self
            .graph
            .with_associations(pairs.into_iter().map(association).collect());
        self
    }

    /// The same with these vectors of entities; relations have none.
    pub(crate) fn with_meaning(mut self, rows: &[Vec<f32>]) -> Self {
        self.entities = Vectors::from_data(rows[0].len(), rows.concat()).unwrap();
        self.relations = Vectors::zeros(rows[0].len(), 4);
        self
    }

    /// The same without these entities and their ties; all others keep their names.
    pub(crate) fn without(&self, gone: &[usize]) -> Self {
        let left: Vec<usize> = (0..self.graph.entities().len())
            .filter(|id| !gone.contains(id))
            .collect();
        let place = |id: EntityId| left.binary_search(&id.index()).ok().map(EntityId::at);
        let entities = left.iter().map(|id| self.graph.entities()[*id].clone()).collect();
        let triples = self.graph.triples().iter().filter_map(|triple| {
            Some(Triple {
                head: place(triple.head)?,
                tail: place(triple.tail)?,
                ..triple.clone()
            })
        });
        let rows: Vec<f32> = left.iter().flat_map(|id| self.entities.row(*id).to_vec()).collect();
        Self {
            schema: schema(),
            graph: KnowledgeGraph::new(entities, triples.collect(), vec![]),
            entities: Vectors::from_data(self.entities.dimension(), rows).unwrap(),
            relations: self.relations.clone(),
        }
    }

    pub(crate) fn semantics(&self) -> Semantics<'_> {
        Semantics {
            entities: &self.entities,
            relations: &self.relations,
        }
    }

    pub(crate) fn detect(&self) -> Result<Partition, CommunityError> {
        detect(&self.graph, &self.semantics(), &Config::default())
    }

    pub(crate) fn space(&self) -> Space {
        perceive(&self.graph, &self.semantics(), &Config::default()).unwrap()
    }

    /// Detects and checks that every entity is in exactly one community; gives the members of each.
    pub(crate) fn communities(&self) -> Vec<Vec<u32>> {
        let partition = self.detect().unwrap();
        let lists = partition.communities().iter();
        let lists: Vec<Vec<u32>> = lists.map(|list| list.iter().map(|id| id.0).collect()).collect();
        let mut all = lists.concat();
        all.sort_unstable();
        let n = u32::try_from(self.graph.entities().len()).unwrap();
        assert_eq!(all, (0..n).collect::<Vec<_>>());
        assert!(lists.iter().all(|list| !list.is_empty()));
        lists
    }
}

pub(crate) fn named(schema: &Schema, name: &str) -> Entity {
    Entity {
        key: name.to_lowercase(),
        name: name.to_owned(),
        aliases: vec![],
        entity_type: schema.thing(),
        subject_of: vec![],
        is_term: false,
        mentions: vec![],
    }
}

/// All ties between the entities of `range`.
pub(crate) fn clique(range: std::ops::Range<u32>) -> Vec<(u32, &'static str, u32)> {
    range
        .clone()
        .flat_map(|a| (a + 1..range.end).map(move |b| (a, "r0", b)))
        .collect()
}

/// `n_topics` topics of `n_each` entities: unit vectors around a random direction each, four ties an entity, of which
/// `same` in ten stay in the topic. Entity `i` has topic `i % n_topics`.
pub(crate) fn planted(n_topics: u32, n_each: u32, same: u64, seed: u64) -> Toy {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let n = n_topics * n_each;
    let centres: Vec<_> = (0..n_topics).map(|_| noise(&mut rng, 64)).collect();
    let rows = (0..n).map(|i| {
        let mut row = noise(&mut rng, 64);
        crate::matrix::add(&mut row, &centres[(i % n_topics) as usize]);
        normalize(&mut row);
        row
    });
    let rows: Vec<Vec<f32>> = rows.collect();
    let below = |rng: &mut Xoshiro256Plus, n: u32| u32::try_from((rng.next_u64() >> 32) % u64::from(n)).unwrap();
    let mut ties = Vec::new();
    for head in 0..n {
        for _ in 0..4 {
            let stays = below(&mut rng, 10) < u32::try_from(same).unwrap();
            let other = below(&mut rng, n);
            let tail = if stays {
                other - other % n_topics + head % n_topics
            } else {
                other
            };
            let relation = ["r0", "r1", "r2"][below(&mut rng, 3) as usize];
            ties.push((head, relation, tail));
        }
    }
    ties.sort_unstable();
    ties.dedup();
    Toy::new(n as usize, &ties).with_meaning(&rows)
}

/// A random direction of length 1.
fn noise(rng: &mut Xoshiro256Plus, width: usize) -> Vec<f32> {
    let mut row: Vec<f32> = (0..width)
        .map(|_| (rng.next_u64() >> 40) as f32 / 16_777_216.0 - 0.5)
        .collect();
    normalize(&mut row);
    row
}

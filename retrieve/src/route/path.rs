//! Path traversal (Eq. 10, fourth line): from strong passages along rare entities to what the question still asks for.
//!
//! # Differs from the paper
//! The paper walks triples depth first without a score. Here a step leads from a passage to another that names the same
//! entity, the stronger where the passage states of that entity what the question asks for (triples, and associations
//! with their words), every step has a score, and the best score wins: among two paths to a passage the stronger is kept.

use super::best;
use super::chunk::{Direct, Hints};
use crate::config::Config;
use crate::route::triple::Likeness;
use crate::searcher::Searcher;
use banyan_engine::index::Postings;
use banyan_engine::{ChunkId, EntityId};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// One way to a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Passages from the first to the one reached, at least two, without repetition.
    pub chunks: Vec<ChunkId>,
    /// The entity between each passage and the next; one fewer than passages.
    pub entities: Vec<EntityId>,
    /// Score of the passage reached, on the scale of the direct scores.
    pub score: f32,
}

/// The best path to every passage that some path reaches.
#[derive(Default)]
pub(crate) struct Paths {
    nodes: Vec<Node>,
    /// Score of the best path to each passage, and the position of its last node.
    best: BTreeMap<ChunkId, (f32, usize)>,
}

/// A passage on a path.
struct Node {
    chunk: ChunkId,
    /// Position of the node before it, and the entity that leads from there; `None` where a path starts.
    before: Option<(usize, EntityId)>,
}

impl Paths {
    /// The passages reached, ascending, with their scores.
    pub(crate) fn scores(&self) -> impl Iterator<Item = (ChunkId, f32)> {
        self.best.iter().map(|(chunk, (score, _))| (*chunk, *score))
    }

    /// Score of the best path to a passage; `None` where none leads.
    pub(crate) fn score(&self, chunk: ChunkId) -> Option<f32> {
        self.best.get(&chunk).map(|(score, _)| *score)
    }

    /// The best path to a passage.
    pub(crate) fn path(&self, chunk: ChunkId) -> Option<Path> {
        let (score, last) = self.best.get(&chunk)?;
        let mut entities: Vec<EntityId> = self.back(*last).filter_map(|node| Some(node.before?.1)).collect();
        entities.reverse();
        Some(Path {
            chunks: self.chunks(*last),
            entities,
            score: *score,
        })
    }

    /// A node and those before it, the first of its path last.
    fn back(&self, last: usize) -> impl Iterator<Item = &Node> {
        let before = |node: &&Node| node.before.map(|(at, _)| &self.nodes[at]);
        std::iter::successors(self.nodes.get(last), before)
    }

    /// The passages up to a node, in the order of the path.
    fn chunks(&self, last: usize) -> Vec<ChunkId> {
        let mut chunks: Vec<ChunkId> = self.back(last).map(|node| node.chunk).collect();
        chunks.reverse();
        chunks
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// The best path to every passage that some path reaches. Cost bounded by the starts, hops and entity frequencies of
/// [`Config`], times the logarithm of the passages that hold a word of the question.
pub(crate) fn search(likeness: &Likeness<'_>, direct: &Direct, hints: &Hints<'_>, config: &Config) -> Paths {
    let searcher = likeness.searcher;
    let words = likeness
        .question
        .terms
        .iter()
        .map(|word| searcher.passages().postings(word));
    let walk = Walk {
        searcher,
        likeness,
        words: words.collect(),
        direct,
        hints,
        config,
    };
    let scored = direct.fused.iter().enumerate();
    let starts = best(scored.map(|(i, score)| (ChunkId::at(i), *score)), config.n_starts);
    let rarest = hints.entities.iter().map(|(_, rarity)| *rarity).fold(0.0, f32::max);
    let first = config.first_hop * (config.without_name + (1.0 - config.without_name) * rarest);
    let mut paths = Paths::default();
    // Score of the step to come and position of the last node of each path that goes on.
    let mut frontier: Vec<(f32, usize)> = starts
        .into_iter()
        .map(|(chunk, score)| (score * first, paths.add(Node { chunk, before: None })))
        .collect();
    for _ in 0..config.max_hops {
        let steps: Vec<Vec<Step>> = frontier
            .par_iter()
            .map(|(score, last)| walk.steps(&paths.chunks(*last), *score))
            .collect();
        let mut next: BTreeMap<ChunkId, (f32, usize, EntityId)> = BTreeMap::new();
        for ((_, last), steps) in frontier.iter().zip(steps) {
            for Step { target, entity, score } in steps {
                let slot = next.entry(target).or_insert((f32::MIN, *last, entity));
                if score > slot.0 {
                    *slot = (score, *last, entity);
                }
            }
        }
        let strongest = best(
            next.iter().map(|(chunk, (score, ..))| (*chunk, *score)),
            config.n_continued,
        );
        let mut reached: BTreeMap<ChunkId, usize> = BTreeMap::new();
        for (chunk, (score, last, entity)) in next {
            let before = Some((last, entity));
            let node = paths.add(Node { chunk, before });
            reached.insert(chunk, node);
            if paths.score(chunk).is_none_or(|known| score > known) {
                paths.best.insert(chunk, (score, node));
            }
        }
        let goes_on = strongest.into_iter().filter_map(|(chunk, score)| {
            let node = reached.get(&chunk)?;
            Some((score.min(1.0) * config.further_hop * first, *node))
        });
        frontier = goes_on.collect();
    }
    paths
}

struct Walk<'a> {
    searcher: &'a Searcher,
    likeness: &'a Likeness<'a>,
    /// Where each word of the question stands.
    words: Vec<Postings<'a>>,
    direct: &'a Direct,
    hints: &'a Hints<'a>,
    config: &'a Config,
}

#[derive(Clone, Copy)]
struct Step {
    target: ChunkId,
    entity: EntityId,
    /// Score of the path with this step.
    score: f32,
}

impl Walk<'_> {
    /// Every step beyond a path of these passages, by the score of the step to come; the best one to each target.
    fn steps(&self, path: &[ChunkId], score: f32) -> Vec<Step> {
        let Some(&here) = path.last() else {
            return Vec::new();
        };
        let left = self.left(path);
        let links = self.links(here).into_iter();
        let beside = self.searcher.knowledge().beside(here);
        let ahead = links.filter(|(target, _)| !path.contains(target));
        ahead
            .map(|(target, (link, entity))| {
                let residual: f32 = left.iter().filter_map(|word| word.weight_in(target.index())).sum();
                let gain = self.config.link_share
                    + self.config.residual_share * residual / self.direct.lexical_max.max(f32::MIN_POSITIVE)
                    + self.config.similarity_share * self.direct.similarity(target.index())
                    + self.config.topic_share * self.hints.communities.get(&target).copied().unwrap_or(0.0);
                let within = if beside.contains(&target.index()) {
                    self.config.same_document
                } else {
                    1.0
                };
                Step {
                    target,
                    entity,
                    score: score * link * gain * within,
                }
            })
            .collect()
    }

    /// The question's words that no passage of the path holds.
    fn left(&self, chunks: &[ChunkId]) -> Vec<Postings<'_>> {
        let is_held = |word: &Postings| chunks.iter().any(|chunk| word.weight_in(chunk.index()).is_some());
        self.words.iter().filter(|word| !is_held(word)).copied().collect()
    }

    /// How much what a passage states of each entity says what the question asks for.
    fn told(&self, here: ChunkId) -> BTreeMap<EntityId, f32> {
        let mut told: BTreeMap<EntityId, f32> = BTreeMap::new();
        for fact in self.searcher.facts().stated_in(here) {
            let (ends, likeness) = self.likeness.of(*fact);
            for end in ends {
                let slot = told.entry(end).or_default();
                *slot = slot.max(likeness);
            }
        }
        told
    }

    /// The passages that share an entity with `here`: the strongest link to each and its entity. Through an entity that
    /// is named too often only what is about it is reached.
    fn links(&self, here: ChunkId) -> BTreeMap<ChunkId, (f32, EntityId)> {
        let incidence = self.searcher.incidence();
        let n_chunks = self.searcher.knowledge().chunks.len();
        let max_df = (self.config.max_frequency * n_chunks as f32).max(2.0);
        let told = self.told(here);
        let mut links: BTreeMap<ChunkId, (f32, EntityId)> = BTreeMap::new();
        for (entity, certainty) in incidence.entities_of(here) {
            let named = incidence.of(*entity);
            let df = named.chunks.len();
            if df < 2 || df as f32 > max_df {
                continue;
            }
            let own = if named.subject.contains(&here) {
                self.config.own_entity
            } else {
                1.0
            };
            let fact = 1.0 + self.config.fact_share * told.get(entity).copied().unwrap_or(0.0);
            let rarity = self.searcher.rarity(*entity).powf(self.config.rarity_exponent)
                * own
                * (f32::from(*certainty) / 100.0)
                * fact;
            let n_named = if df > self.config.max_links { 0 } else { df };
            let places = named.chunks[..n_named]
                .iter()
                .map(|place| (place.chunk, place.weight()));
            for (target, weight) in named.subject.iter().map(|chunk| (*chunk, 1.0)).chain(places) {
                let slot = links.entry(target).or_insert((0.0, *entity));
                if rarity * weight > slot.0 {
                    *slot = (rarity * weight, *entity);
                }
            }
        }
        links.remove(&here);
        links
    }
}

//! Path traversal (Eq. 10, fourth line): from strong passages along rare entities to what the question still asks for.
//!
//! # Differs from the paper
//! The paper walks triples depth first without a score. Here a step leads from a passage to another that names the same
//! entity, the stronger where the passage states of that entity what the question asks for (triples, and associations
//! with their words), every step has a score, and the best score wins: among two paths to a passage the stronger is kept.

use super::best;
use super::chunk::{Direct, Hints};
use crate::route::triple::Likeness;
use crate::searcher::Searcher;
use banyan_engine::index::Postings;
use banyan_engine::{ChunkId, EntityId};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Passages from which paths start.
const N_STARTS: usize = 10;
/// Passages from which paths go on, per further hop.
const N_CONTINUED: usize = 10;
/// Longest path in hops; the paper's d is 5. Measured: 2, 3 and 5 differ within the interval, and cost grows with them.
const MAX_HOPS: usize = 3;
/// Factor of a path's first step.
const FIRST_HOP: f32 = 2.5;
/// Further factor of that step where the question names nothing that the corpus knows; it rises to 1 with the rarity of
/// the rarest name. A question without names asks for one passage more often than for a way between two. Measured:
/// recall@5 of a manual, a novel, musique100 and hotpot100 is .521, .438, .832 and .960 with it and [`SAME_DOCUMENT`],
/// .479, .417, .837 and .960 without.
const WITHOUT_NAME: f32 = 0.6;
/// Factor of every further step, below 1: scores decay along a path.
const FURTHER_HOP: f32 = 0.7;
/// Part of a step's score that the link alone earns.
const LINK_SHARE: f32 = 0.25;
/// Part that the target's similarity to the whole question earns.
const SIMILARITY_SHARE: f32 = 0.5;
/// Part that a matching community of the target earns. Measured: 0.05 and 0.1 raise recall@10 of musique100 from .905 to
/// .921, 0.2 costs recall@2.
const TOPIC_SHARE: f32 = 0.05;
/// Exponent on an entity's rarity: hubs are hardly followed.
const RARITY_EXPONENT: f32 = 1.5;
/// Entities in more than this share of all chunks are not followed.
const MAX_FREQUENCY: f32 = 0.2;
/// Entities that more chunks name lead only to what is about them; it bounds the cost on large corpora.
const MAX_LINKS: usize = 500;
/// Factor for leaving a passage through the entity it is about: it leads to whatever mentions it.
const OWN_ENTITY: f32 = 0.7;
/// Factor for a step within one document: its passages share what it is about, so that such a step tells little.
const SAME_DOCUMENT: f32 = 0.4;
/// How much stronger a link is through an end of what its passage states, times how much that says what the question asks
/// for. Measured, searches alone: recall@5 of musique100 with the facts of a large model is .824 at 0.5, .818 at 1 and .793
/// at 0, without titles .709, .692 and .702, with the facts read here .804, .808 and .794.
const FACT_SHARE: f32 = 0.5;

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

/// The best path to every passage that some path reaches. Cost bounded by starts, hops and entity frequencies, times the
/// logarithm of the passages that hold a word of the question.
pub(crate) fn search(likeness: &Likeness<'_>, direct: &Direct, hints: &Hints<'_>) -> Paths {
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
    };
    let scored = direct.fused.iter().enumerate();
    let starts = best(scored.map(|(i, score)| (ChunkId::at(i), *score)), N_STARTS);
    let rarest = hints.entities.iter().map(|(_, rarity)| *rarity).fold(0.0, f32::max);
    let first = FIRST_HOP * (WITHOUT_NAME + (1.0 - WITHOUT_NAME) * rarest);
    let mut paths = Paths::default();
    // Score of the step to come and position of the last node of each path that goes on.
    let mut frontier: Vec<(f32, usize)> = starts
        .into_iter()
        .map(|(chunk, score)| (score * first, paths.add(Node { chunk, before: None })))
        .collect();
    for _ in 0..MAX_HOPS {
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
        let strongest = best(next.iter().map(|(chunk, (score, ..))| (*chunk, *score)), N_CONTINUED);
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
            Some((score.min(1.0) * FURTHER_HOP * first, *node))
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
                let gain = LINK_SHARE
                    + residual / self.direct.lexical_max.max(f32::MIN_POSITIVE)
                    + SIMILARITY_SHARE * self.direct.similarity(target.index())
                    + TOPIC_SHARE * self.hints.communities.get(&target).copied().unwrap_or(0.0);
                let within = if beside.contains(&target.index()) {
                    SAME_DOCUMENT
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
        let max_df = (MAX_FREQUENCY * n_chunks as f32).max(2.0);
        let told = self.told(here);
        let mut links: BTreeMap<ChunkId, (f32, EntityId)> = BTreeMap::new();
        for (entity, certainty) in incidence.entities_of(here) {
            let named = incidence.of(*entity);
            let df = named.chunks.len();
            if df < 2 || df as f32 > max_df {
                continue;
            }
            let own = if named.subject.contains(&here) { OWN_ENTITY } else { 1.0 };
            let fact = 1.0 + FACT_SHARE * told.get(entity).copied().unwrap_or(0.0);
            let rarity =
                self.searcher.rarity(*entity).powf(RARITY_EXPONENT) * own * (f32::from(*certainty) / 100.0) * fact;
            let n_named = if df > MAX_LINKS { 0 } else { df };
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

//! Path traversal (Eq. 10, fourth line): from strong passages along rare entities to what the question still asks for.
//!
//! # Differs from the paper
//! The paper walks triples depth first without a score. Here a step leads from a passage to another that names the same
//! entity, every step has a score, and the best score wins: among two paths to a passage the stronger is kept.

use super::chunk::Direct;
use crate::config::Config;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, Source};
use std::collections::{BTreeMap, BTreeSet};

/// How strongly a passage is tied to an entity that it is about, has in its title, names first, or names later.
const ABOUT: f32 = 1.0;
const IN_TITLE: f32 = 0.6;
const IN_OPENING: f32 = 0.6;
const IN_TEXT: f32 = 0.4;

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

/// The best path to every passage that some path reaches. Cost bounded by the starts, hops and entity frequencies of
/// [`Config`].
pub fn search(searcher: &Searcher, question: &Question, direct: &Direct, config: &Config) -> BTreeMap<ChunkId, Path> {
    let walk = Walk {
        searcher,
        question,
        direct,
        config,
    };
    let starts = best(
        direct
            .fused
            .iter()
            .enumerate()
            .map(|(i, score)| (ChunkId::at(i), *score)),
        config.n_starts,
    );
    let mut frontier: Vec<Path> = starts
        .into_iter()
        .map(|(chunk, score)| Path {
            chunks: vec![chunk],
            entities: Vec::new(),
            score: score * config.first_hop,
        })
        .collect();
    let mut reached: BTreeMap<ChunkId, Path> = BTreeMap::new();
    for _ in 0..config.max_hops {
        let mut next: BTreeMap<ChunkId, Path> = BTreeMap::new();
        for path in &frontier {
            walk.expand(path, &mut next);
        }
        let strongest = best(
            next.iter().map(|(chunk, path)| (*chunk, path.score)),
            config.n_continued,
        );
        frontier = strongest
            .into_iter()
            .filter_map(|(chunk, score)| {
                let mut path = next.get(&chunk)?.clone();
                path.score = score.min(1.0) * config.further_hop * config.first_hop;
                Some(path)
            })
            .collect();
        for (chunk, path) in next {
            keep_stronger(&mut reached, chunk, path);
        }
    }
    reached
}

struct Walk<'a> {
    searcher: &'a Searcher,
    question: &'a Question,
    direct: &'a Direct,
    config: &'a Config,
}

impl Walk<'_> {
    /// Adds every passage one step beyond `path`, whose score is already that of the step to come.
    fn expand(&self, path: &Path, next: &mut BTreeMap<ChunkId, Path>) {
        let Some(&here) = path.chunks.last() else { return };
        let residual = self.residual(&path.chunks);
        let links = self.links(here);
        for (target, (link, entity)) in links {
            if path.chunks.contains(&target) {
                continue;
            }
            let words = residual[target.index()] / self.direct.lexical_max.max(f32::MIN_POSITIVE);
            let gain = self.config.link_share
                + self.config.residual_share * words
                + self.config.similarity_share * self.direct.similarity(target.index());
            let score = path.score * link * gain;
            if next.get(&target).is_none_or(|known| score > known.score) {
                let mut longer = path.clone();
                longer.chunks.push(target);
                longer.entities.push(entity);
                longer.score = score;
                next.insert(target, longer);
            }
        }
    }

    /// BM25 of every passage `(n_chunks)` for the question's terms that no passage of the path holds.
    fn residual(&self, chunks: &[ChunkId]) -> Vec<f32> {
        let knowledge = self.searcher.knowledge();
        let covered: BTreeSet<String> = chunks
            .iter()
            .flat_map(|chunk| term::terms(&knowledge.passage(*chunk)))
            .collect();
        let left = self.question.terms.iter().filter(|word| !covered.contains(*word));
        self.searcher.passages().scores(left)
    }

    /// The passages that share an entity with `here`: the strongest link to each and its entity.
    fn links(&self, here: ChunkId) -> BTreeMap<ChunkId, (f32, EntityId)> {
        let graph = &self.searcher.knowledge().graph;
        let max_df = self.config.max_frequency * self.searcher.knowledge().chunks.len() as f32;
        let mut links: BTreeMap<ChunkId, (f32, EntityId)> = BTreeMap::new();
        for (entity, certainty) in self.searcher.incidence().entities_of(here) {
            let df = self.searcher.incidence().chunks_of(*entity).len();
            if df < 2 || df as f32 > max_df.max(2.0) {
                continue;
            }
            let about_here = self.searcher.incidence().subject_chunks(*entity).contains(&here);
            let own = if about_here { self.config.own_entity } else { 1.0 };
            let rarity = self.searcher.rarity(*entity).powf(self.config.rarity_exponent) * own * certainty;
            let subjects = self
                .searcher
                .incidence()
                .subject_chunks(*entity)
                .iter()
                .map(|chunk| (*chunk, ABOUT));
            let mentions = graph
                .entity(*entity)
                .mentions
                .iter()
                .map(|(source, certainty)| (source.chunk, self.tie(*source) * f32::from(*certainty) / 100.0));
            for (target, tie) in subjects.chain(mentions) {
                let slot = links.entry(target).or_insert((0.0, *entity));
                if rarity * tie > slot.0 {
                    *slot = (rarity * tie, *entity);
                }
            }
        }
        links.remove(&here);
        links
    }

    fn tie(&self, source: Source) -> f32 {
        if source.span.end == 0 {
            IN_TITLE
        } else if self.searcher.is_opening(source) {
            IN_OPENING
        } else {
            IN_TEXT
        }
    }
}

fn keep_stronger(paths: &mut BTreeMap<ChunkId, Path>, chunk: ChunkId, path: Path) {
    match paths.get(&chunk) {
        Some(known) if known.score >= path.score => {}
        _ => {
            paths.insert(chunk, path);
        }
    }
}

/// The `n` best with a score above zero, best first, ties by id.
fn best(scored: impl Iterator<Item = (ChunkId, f32)>, n: usize) -> Vec<(ChunkId, f32)> {
    let mut list: Vec<_> = scored.filter(|(_, score)| *score > 0.0).collect();
    let order = |a: &(ChunkId, f32), b: &(ChunkId, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if list.len() > n {
        list.select_nth_unstable_by(n, order);
        list.truncate(n);
    }
    list.sort_by(order);
    list
}

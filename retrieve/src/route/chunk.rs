//! Chunk ranking: dense similarity, BM25, and whether the chunk is about something the question names.

use crate::config::Config;
use crate::question::Question;
use crate::route::Route;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, EntityId};
use std::collections::BTreeMap;

/// Share of BM25 against dense similarity in a passage's direct score; all of it without an embedder.
const LEXICAL_SHARE: f32 = 0.5;
/// Weight of a passage being about an entity that the question names.
pub(crate) const ENTITY_WEIGHT: f32 = 0.5;
/// Weight of a title that merely contains a name of the question, against being about it.
const IN_TITLE: f32 = 0.5;

/// What the routes before it say of passages.
#[derive(Clone, Debug, Default)]
pub struct Hints<'a> {
    /// Entities that the question names, with their rarity.
    pub entities: &'a [(EntityId, f32)],
    /// Passages that matching triples speak of, 0..=1.
    pub triples: BTreeMap<ChunkId, f32>,
    /// Passages that matching communities speak of, 0..=1.
    pub communities: BTreeMap<ChunkId, f32>,
}

/// Scores of every chunk, `(n_chunks)` each, scaled so that the best is 1 (all zero where nothing matches).
#[derive(Clone, Debug, Default)]
pub struct Direct {
    /// Cosine to the question, negatives cut off; empty without an embedder.
    pub dense: Vec<f32>,
    /// BM25.
    pub lexical: Vec<f32>,
    /// The largest BM25 score before scaling.
    pub lexical_max: f32,
    /// Chunks about what the question names, with its rarity.
    pub named: BTreeMap<ChunkId, f32>,
    /// Both, and what the hints add: where paths start.
    pub fused: Vec<f32>,
    /// Whether these routes run, so that passages rank by it.
    is_ranked: bool,
}

impl Direct {
    /// What the chunk route alone says of a chunk, before the entity route is added and all is scaled.
    pub fn chunk(&self, chunk: usize) -> f32 {
        let lexical = self.lexical[chunk];
        let dense = self.dense.get(chunk);
        dense.map_or(lexical, |dense| mixed(lexical, *dense))
    }

    /// What a chunk ranks by: `fused`, as far as these routes run.
    pub fn ranked(&self, chunk: usize) -> f32 {
        if self.is_ranked { self.fused[chunk] } else { 0.0 }
    }

    /// Similarity to the whole question: dense, or lexical without an embedder.
    pub fn similarity(&self, chunk: usize) -> f32 {
        *self.dense.get(chunk).unwrap_or(&self.lexical[chunk])
    }
}

fn mixed(lexical: f32, dense: f32) -> f32 {
    LEXICAL_SHARE * lexical + (1.0 - LEXICAL_SHARE) * dense
}

/// Scores all chunks. Cost `O(n_chunks · d)`.
pub fn search(searcher: &Searcher, question: &Question, hints: &Hints<'_>, config: &Config) -> Direct {
    let mut lexical = searcher.passages().scores(&question.terms);
    let lexical_max = scale(&mut lexical);
    let vectors = &searcher.knowledge().chunk_vectors;
    let mut dense: Vec<f32> = match &question.vector {
        Some(vector) if vectors.len() == lexical.len() => {
            let dots = vectors.dots(vector).into_iter();
            dots.map(|dot| dot.max(0.0)).collect()
        }
        _ => Vec::new(),
    };
    for gone in searcher.passages().gone() {
        if let Some(score) = dense.get_mut(*gone as usize) {
            *score = 0.0;
        }
    }
    scale(&mut dense);
    let is_chunk = config.routes.has(Route::Chunk);
    let mut fused: Vec<f32> = if !is_chunk {
        vec![0.0; lexical.len()]
    } else if dense.is_empty() {
        lexical.clone()
    } else {
        lexical.iter().zip(&dense).map(|(l, d)| mixed(*l, *d)).collect()
    };
    let mut named = BTreeMap::new();
    if config.routes.has(Route::Entity) || !is_chunk {
        named = bonuses(searcher, hints.entities);
    }
    for (chunk, bonus) in &named {
        fused[chunk.index()] += ENTITY_WEIGHT * bonus;
    }
    scale(&mut fused);
    Direct {
        dense,
        lexical,
        lexical_max,
        named,
        fused,
        is_ranked: is_chunk || config.routes.has(Route::Entity),
    }
}

/// For each chunk about a named entity the rarity of the rarest such entity, half of it where only the title names it.
fn bonuses(searcher: &Searcher, entities: &[(EntityId, f32)]) -> BTreeMap<ChunkId, f32> {
    let graph = &searcher.knowledge().graph;
    let mut bonuses: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for (entity, rarity) in entities {
        let subjects = searcher
            .incidence()
            .subject_chunks(*entity)
            .iter()
            .map(|chunk| (*chunk, 1.0));
        let titles = graph
            .entity(*entity)
            .mentions
            .iter()
            .filter(|(source, _)| source.span.end == 0);
        for (chunk, share) in subjects.chain(titles.map(|(source, _)| (source.chunk, IN_TITLE))) {
            let slot = bonuses.entry(chunk).or_default();
            *slot = slot.max(share * rarity);
        }
    }
    bonuses
}

/// Divides by the largest value, which is returned; leaves all-zero scores as they are.
fn scale(scores: &mut [f32]) -> f32 {
    let max = scores.iter().copied().fold(0.0, f32::max);
    if max > 0.0 {
        for score in scores {
            *score /= max;
        }
    }
    max
}

//! Passages by how likely they hold evidence: what every route says of them and what their best sentence says, weighed by
//! what was learned on questions over other corpora.
//!
//! ```text
//! routes ─► the best of each list ─► rows of routes ─· first weights ─► the best few ─► rows with sentences ─· weights
//! ```
//!
//! Two conditional logits: of all candidates the passages with evidence are to have the largest share of exp(w · x). The
//! second reads the best few that the first finds. `banyan-eval rank --fit` fits both.

use crate::config::{Config, Route};
use crate::question::Question;
use crate::route::path::Paths;
use crate::route::{
    self,
    chunk::{Direct, Hints},
};
use crate::searcher::Searcher;
use crate::sentence::{self, ALIKE, EXACT, FITS, LACKS, NEIGHBOURS, SECTION, Sentence, TITLE, UNKNOWN, sentences};
use banyan_engine::ChunkId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Features that the routes give.
pub const N_FIRST: usize = 10;
/// All features.
pub const N_FEATURES: usize = 18;
/// Which features of the best sentence count, in their order here.
const OF_SENTENCE: [usize; N_FEATURES - N_FIRST] = [EXACT, ALIKE, NEIGHBOURS, TITLE, SECTION, UNKNOWN, FITS, LACKS];

/// Passages of each list that are candidates, where no more are asked for.
const N_LISTED: usize = 30;
/// Candidates whose sentences are read. Measured with 12, 20 and 30 on 42 corpora, each ranked by what was learned of
/// others: the share of evidence among the first five differs by less than .01.
pub const N_READ: usize = 12;
/// Worth of a value of the kind asked for beside the words that a sentence holds, when the best sentence of a passage is
/// chosen. Arbitrary: a fifth of the question.
const FITTING: f32 = 0.2;

/// The features of one passage, those of the routes first:
///
/// | name | what it is |
/// |---|---|
/// | dense | cosine to the question by that of the best passage |
/// | cosine | cosine to the question |
/// | lexical | BM25 by that of the best passage |
/// | named | rarity of what the question names, where the passage is about it |
/// | dense rank | 1 over its rank by cosine; 0 behind the best of the list |
/// | lexical rank | the same by BM25 |
/// | fused | the larger of direct and path score, plus a little of the smaller and of triples and communities |
/// | fused share | that by the best |
/// | fused named | that times the rarity of the rarest name in the question |
/// | length | logarithm of its bytes |
/// | exact … lacks | of its best sentence, as in [`sentence::Row`] |
pub type Row = [f32; N_FEATURES];

/// A passage that may hold evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which.
    pub chunk: ChunkId,
    /// What speaks for it; those of its sentence are 0 before they are read.
    pub row: Row,
}

/// Weights of both rankings, in the order of [`Row`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// By the routes alone: [`N_FIRST`] numbers.
    pub first: Vec<f32>,
    /// By all: [`N_FEATURES`] numbers.
    pub second: Vec<f32>,
}

/// What was learned, with and without vectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Where question or corpus have no vectors.
    pub words: Weights,
    /// Where they have.
    pub vectors: Weights,
}

/// What the program comes with. A test holds that it can be read; otherwise passages would keep the order of the routes'
/// fused score.
static SHIPPED: LazyLock<Ranking> =
    LazyLock::new(|| serde_json::from_str(include_str!("rank.json")).unwrap_or_else(|_| Ranking::fused()));

impl Ranking {
    /// The one that ships, fitted by `banyan-eval rank` to questions over folders of other people's texts.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The order of the routes' fused score.
    pub fn fused() -> Self {
        let only = |n| (0..n).map(|at| if at == FUSED { 1.0 } else { 0.0 }).collect();
        let weights = Weights {
            first: only(N_FIRST),
            second: only(N_FEATURES),
        };
        Self {
            words: weights.clone(),
            vectors: weights,
        }
    }

    /// The weights for candidates with or without vectors.
    pub fn weights(&self, has_vectors: bool) -> &Weights {
        if has_vectors { &self.vectors } else { &self.words }
    }
}

/// Share of the smaller of direct and path score that is added to the larger.
const AGREEMENT: f32 = 0.1;
/// Weight of what the best matching triple speaks of. Measured: recall@5 of hotpot100 is .960 at 0.01, .955 at 0.05 and
/// .950 at 0.15, of musique100 .837, .825 and .825. It is what the route ranks by where it runs alone.
pub(crate) const TRIPLE_WEIGHT: f32 = 0.01;
/// Weight of naming a pivotal entity of the best matching community. Measured: up to 0.01 it changes no ranking; it is
/// what the route ranks by where it runs alone.
const COMMUNITY_WEIGHT: f32 = 0.01;
/// Position of `fused`.
const FUSED: usize = 6;

/// A feature's weight times its value, added up.
fn weighed(row: &Row, weights: &[f32]) -> f32 {
    row.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// What the routes say of passages.
pub(crate) struct Routed<'a> {
    pub(crate) direct: Direct,
    pub(crate) hints: Hints<'a>,
    pub(crate) paths: Paths,
}

impl Routed<'_> {
    /// The larger of direct and path score of every passage, plus a little of the smaller and of what triples and
    /// communities say.
    pub(crate) fn fused(&self) -> Vec<f32> {
        let mut fused: Vec<f32> = (0..self.direct.fused.len())
            .map(|chunk| self.direct.ranked(chunk))
            .collect();
        for (chunk, path) in self.paths.scores() {
            let direct = &mut fused[chunk.index()];
            *direct = direct.max(path) + AGREEMENT * direct.min(path);
        }
        let hints = [
            (&self.hints.triples, TRIPLE_WEIGHT),
            (&self.hints.communities, COMMUNITY_WEIGHT),
        ];
        for (scores, weight) in hints {
            for (chunk, score) in scores {
                fused[chunk.index()] += weight * score;
            }
        }
        fused
    }
}

/// The passages that may be among the best `top_k` of [`Config`] by one list or another, with the features that routes
/// give; `fused` is that of [`Routed::fused`]. Cost O(passages).
pub(crate) fn candidates(
    searcher: &Searcher,
    question: &Question,
    routed: &Routed<'_>,
    fused: &[f32],
    config: &Config,
) -> Vec<Candidate> {
    let n = config.top_k.max(N_LISTED);
    let Direct {
        dense, lexical, named, ..
    } = &routed.direct;
    let by_fused = best(fused.iter().copied().enumerate(), n);
    if !config.routes.has(Route::Chunk) {
        return by_fused.iter().map(|at| bare(*at, fused[*at])).collect();
    }
    let by_dense = best(dense.iter().copied().enumerate(), n);
    let by_lexical = best(lexical.iter().copied().enumerate(), n);
    let by_path = best(routed.paths.scores().map(|(chunk, path)| (chunk.index(), path)), n);
    let knowledge = searcher.knowledge();
    let nearest = by_dense.first().zip(question.vector.as_ref());
    let cosine = nearest.map_or(0.0, |(at, vector)| knowledge.chunk_vectors.dot(*at, vector).max(0.0));
    let rank = |list: &[usize], at: usize| {
        let found = list.iter().position(|other| *other == at);
        found.map_or(0.0, |rank| 1.0 / (1 + rank) as f32)
    };
    let top = by_fused.first().map_or(1.0, |at| fused[*at]);
    let rarest = routed
        .hints
        .entities
        .iter()
        .map(|(_, rarity)| *rarity)
        .fold(0.0, f32::max);
    let lists = [&by_fused, &by_dense, &by_lexical, &by_path];
    let all: BTreeSet<usize> = lists.into_iter().flatten().copied().collect();
    let candidate = |at: usize| {
        let chunk = ChunkId::at(at);
        let share = fused[at] / top.max(f32::MIN_POSITIVE);
        let near = dense.get(at).copied().unwrap_or(0.0);
        let n_bytes = knowledge.chunk_text(chunk).len();
        let mut row = [0.0; N_FEATURES];
        let first: [f32; N_FIRST] = [
            near,
            near * cosine,
            lexical[at],
            named.get(&chunk).copied().unwrap_or(0.0),
            rank(&by_dense, at),
            rank(&by_lexical, at),
            fused[at],
            share,
            share * rarest,
            (1.0 + n_bytes as f32).ln(),
        ];
        row[..N_FIRST].copy_from_slice(&first);
        Candidate { chunk, row }
    };
    all.into_iter().map(candidate).collect()
}

/// A candidate of which nothing but its fused score is known.
fn bare(at: usize, fused: f32) -> Candidate {
    let mut row = [0.0; N_FEATURES];
    row[FUSED] = fused;
    Candidate {
        chunk: ChunkId::at(at),
        row,
    }
}

/// Reads the sentences of candidates, and sets down what the best of each says.
/// Cost O(words of the passages · words of the question).
pub fn read(searcher: &Searcher, question: &Question, candidates: &mut [Candidate]) -> Vec<Sentence> {
    let chunks: Vec<ChunkId> = candidates.iter().map(|candidate| candidate.chunk).collect();
    let sentences = sentences(searcher, question, &chunks);
    let mut best: BTreeMap<ChunkId, (f32, sentence::Row)> = BTreeMap::new();
    for sentence in &sentences {
        let row = sentence.row;
        let worth = row[ALIKE] + FITTING * (row[FITS] - row[LACKS]);
        let slot = best.entry(sentence.chunk).or_insert((f32::MIN, row));
        if worth > slot.0 {
            *slot = (worth, row);
        }
    }
    for candidate in candidates {
        let row = best.get(&candidate.chunk).map(|(_, row)| row);
        for (value, feature) in candidate.row[N_FIRST..].iter_mut().zip(OF_SENTENCE) {
            *value = row.map_or(0.0, |row| row[feature]);
        }
    }
    sentences
}

/// Brings the best to the front by one set of weights; the scores of all, best first.
pub fn order(candidates: &mut [Candidate], weights: &[f32]) -> Vec<f32> {
    let score = |candidate: &Candidate| weighed(&candidate.row, weights);
    candidates.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.chunk.cmp(&b.chunk)));
    candidates.iter().map(score).collect()
}

/// Candidates, best first, each with exp(w · x) by that of the best: 1 for the first, and falling; and the sentences of
/// those that were read. Without the chunk route it is the fused score that counts, and nothing is read.
pub(crate) fn ranked(
    searcher: &Searcher,
    question: &Question,
    mut candidates: Vec<Candidate>,
    weights: &Weights,
    config: &Config,
) -> (Vec<(ChunkId, f32)>, Vec<Sentence>) {
    if !config.routes.has(Route::Chunk) {
        let scored = candidates.iter().map(|one| (one.chunk, one.row[FUSED]));
        return (scored.collect(), Vec::new());
    }
    let mut scores = order(&mut candidates, &weights.first);
    let n = candidates.len().min(N_READ);
    let sentences = read(searcher, question, &mut candidates[..n]);
    let again = order(&mut candidates[..n], &weights.second);
    let (Some(best), Some(last)) = (again.first().copied(), again.last().copied()) else {
        return (Vec::new(), Vec::new());
    };
    // Those that are not read stay behind, at their distance.
    let edge = scores[n - 1];
    for score in &mut scores[n..] {
        *score += last - edge;
    }
    scores[..n].copy_from_slice(&again);
    let chunks = candidates.iter().map(|candidate| candidate.chunk);
    let scores = scores.iter().map(|score| (score - best).exp());
    (chunks.zip(scores).collect(), sentences)
}

/// The positions of the `n` best scores above zero, best first.
fn best(scores: impl Iterator<Item = (usize, f32)>, n: usize) -> Vec<usize> {
    let best = route::best(scores, n).into_iter();
    best.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_ranking_can_be_read() {
        let shipped = Ranking::shipped();
        assert_ne!(shipped, &Ranking::fused());
        for weights in [&shipped.words, &shipped.vectors] {
            assert_eq!((weights.first.len(), weights.second.len()), (N_FIRST, N_FEATURES));
        }
    }

    #[test]
    fn candidates_are_ordered_by_the_weights_and_equals_by_place() {
        let mut candidates: Vec<Candidate> = [0.1, 0.7, 0.7]
            .into_iter()
            .enumerate()
            .map(|(at, fused)| bare(at, fused))
            .collect();
        let scores = order(&mut candidates, &Ranking::fused().words.first);
        let chunks: Vec<usize> = candidates.iter().map(|one| one.chunk.index()).collect();
        assert_eq!((chunks, scores), (vec![1, 2, 0], vec![0.7, 0.7, 0.1]));
    }

    #[test]
    fn the_best_come_first_and_nothing_without_a_score() {
        let scores = [0.5, 0.0, 0.7, 0.5].into_iter().enumerate();
        assert_eq!(best(scores.clone(), 2), [2, 0]);
        assert_eq!(best(scores, 9), [2, 0, 3]);
    }
}

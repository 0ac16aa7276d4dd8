//! Multi-hop retrieval: which documents each system ranks first, question by question.

use banyan_engine::{ChunkId, QaPair};
use banyan_retrieve::config::Config;
use banyan_retrieve::question::Question;
use banyan_retrieve::route::{self, chunk::Hints};
use banyan_retrieve::searcher::Searcher;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Share of BM25 in the plain fusion that serves as a baseline: half and half, as a user would begin.
const HYBRID_SHARE: f32 = 0.5;

/// Documents in ranked order, by position in the knowledge.
pub type Ranking = Vec<usize>;

/// The systems a user has for free, by name; `dense` and `hybrid` only where question and corpus have vectors.
pub fn baselines(searcher: &Searcher, question: &Question, top_k: usize) -> BTreeMap<&'static str, Ranking> {
    let first = |(name, ranking): (&'static str, Vec<ChunkId>)| (name, documents(searcher, ranking.into_iter(), top_k));
    rankings(searcher, question).into_iter().map(first).collect()
}

/// All chunks that the same systems give a score above 0, best first. Cost O(chunks · log chunks).
pub fn rankings(searcher: &Searcher, question: &Question) -> BTreeMap<&'static str, Vec<ChunkId>> {
    let config = Config {
        lexical_share: HYBRID_SHARE,
        entity_weight: 0.0,
        ..Config::default()
    };
    let direct = route::chunk::search(searcher, question, &Hints::default(), &config);
    let mut rankings = BTreeMap::from([("bm25", rank(&direct.lexical))]);
    if !direct.dense.is_empty() {
        rankings.insert("dense", rank(&direct.dense));
        rankings.insert("hybrid", rank(&direct.fused));
    }
    rankings
}

/// The documents of ranked chunks, each once.
pub fn documents(searcher: &Searcher, chunks: impl Iterator<Item = ChunkId>, top_k: usize) -> Ranking {
    let mut seen = BTreeSet::new();
    chunks
        .map(|chunk| searcher.knowledge().chunk(chunk).document.index())
        .filter(|document| seen.insert(*document))
        .take(top_k)
        .collect()
}

fn rank(scores: &[f32]) -> Vec<ChunkId> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|chunk| scores[*chunk] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.into_iter().map(ChunkId::at).collect()
}

/// A gold passage that the corpus does not hold.
#[derive(Debug, thiserror::Error)]
#[error("question {question}: gold passage {record} is not in the corpus; expected the `id` of one of its records")]
pub struct UnknownGold {
    /// The question's id.
    pub question: String,
    /// The passage's id.
    pub record: String,
}

/// The gold documents of each question, by position in the knowledge. Cost O(documents + gold).
///
/// # Errors
/// [`UnknownGold`] for an id that no document has.
pub fn gold(searcher: &Searcher, questions: &[QaPair]) -> Result<Vec<BTreeSet<usize>>, UnknownGold> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    for (position, document) in searcher.knowledge().documents.iter().enumerate() {
        for record in document.origins.iter().filter_map(|origin| origin.record.as_deref()) {
            positions.insert(record, position);
        }
    }
    let find = |pair: &QaPair, id: &serde_json::Value| {
        let record = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        positions.get(record.as_str()).copied().ok_or(UnknownGold {
            question: pair.id.clone(),
            record,
        })
    };
    questions
        .iter()
        .map(|pair| pair.gold.iter().map(|id| find(pair, id)).collect())
        .collect()
}

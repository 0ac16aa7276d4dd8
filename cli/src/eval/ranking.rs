//! Which passages the systems rank that a user has for free, and where gold stands in the knowledge.

use super::dataset::QaPair;
use anyhow::{Context, Result};
use banyan_engine::ChunkId;
use banyan_retrieve::route::{self, chunk::Hints};
use banyan_retrieve::{Config, Question, Searcher};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Documents in ranked order, by position in the knowledge.
pub type Ranking = Vec<usize>;

/// All chunks that each baseline gives a score above 0, best first; `dense` and `hybrid`, half BM25 and half dense, only where question and corpus
/// have vectors. Cost O(chunks · log chunks).
pub fn rankings(searcher: &Searcher, question: &Question) -> BTreeMap<&'static str, Vec<ChunkId>> {
    let direct = route::chunk::search(searcher, question, &Hints::default(), &Config::default());
    let mut rankings = BTreeMap::from([("bm25", rank(&direct.lexical))]);
    if !direct.dense.is_empty() {
        rankings.insert("dense", rank(&direct.dense));
        rankings.insert("hybrid", rank(&direct.fused));
    }
    rankings
}

fn rank(scores: &[f32]) -> Vec<ChunkId> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|chunk| scores[*chunk] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.into_iter().map(ChunkId::at).collect()
}

/// The documents of ranked chunks, each once.
pub(super) fn documents(searcher: &Searcher, chunks: impl Iterator<Item = ChunkId>, top_k: usize) -> Ranking {
    let mut seen = BTreeSet::new();
    chunks
        .map(|chunk| searcher.knowledge().chunk(chunk).document.index())
        .filter(|document| seen.insert(*document))
        .take(top_k)
        .collect()
}

/// The gold documents of each question, by position in the knowledge. Cost O(documents + gold).
///
/// # Errors
/// For an id that no document has.
pub fn gold(searcher: &Searcher, questions: &[QaPair]) -> Result<Vec<BTreeSet<usize>>> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    for (position, document) in searcher.knowledge().documents.all().iter().enumerate() {
        for record in document.origins.iter().filter_map(|origin| origin.record.as_deref()) {
            positions.insert(record, position);
        }
    }
    let find = |pair: &QaPair, record: &String| {
        positions.get(record.as_str()).copied().with_context(|| {
            format!(
                "question {}: gold passage {record} is not in the corpus; expected the `id` of one of its records",
                pair.id
            )
        })
    };
    let gold = |pair: &QaPair| pair.gold.iter().map(|id| find(pair, id)).collect();
    questions.iter().map(gold).collect()
}

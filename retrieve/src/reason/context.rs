//! Evidence for a prompt: passages and facts from all questions, each once, within a budget of tokens.

use super::retrieve::Found;
use crate::evidence::{Evidence, Passage};
use crate::read::gives_orders;
use crate::searcher::Searcher;
use banyan_engine::ChunkId;
use banyan_engine::llm::{estimate_tokens, fence};
use std::collections::BTreeMap;

/// Share of the room for evidence that facts may take. Arbitrary: passages can be quoted, facts cannot.
const FACT_SHARE: u64 = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Every passage with the best rank that it had for any question, and the first question with that rank.
    passages: BTreeMap<ChunkId, (usize, usize, Passage)>,
    facts: Vec<String>,
    n_questions: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Chunks in the order of their numbers.
    pub(super) chunks: Vec<ChunkId>,
    /// Them as they stand in their fences.
    pub(super) passages: Vec<String>,
    /// A line each.
    pub(super) facts: Vec<String>,
    /// Passages for which there was no room.
    pub(super) n_cut: usize,
    /// Passages shown that give orders to their reader.
    pub(super) n_orders: usize,
}

impl Shown {
    /// The passage with this number, counted from 1.
    pub(super) fn chunk(&self, number: usize) -> Option<ChunkId> {
        self.chunks.get(number.checked_sub(1)?).copied()
    }
}

impl Context {
    /// What the whole question found.
    pub(super) fn new(evidence: &Evidence) -> Self {
        let mut context = Self::default();
        context.add(Found {
            passages: evidence.passages.clone(),
            facts: Vec::new(),
        });
        context
    }

    /// Adds what one more question found.
    pub(super) fn add(&mut self, found: Found) {
        for (rank, passage) in found.passages.into_iter().enumerate() {
            let standing = (rank, self.n_questions, passage);
            let known = self.passages.get(&standing.2.chunk);
            if known.is_none_or(|known| standing.0 < known.0) {
                self.passages.insert(standing.2.chunk, standing);
            }
        }
        for fact in found.facts {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
        self.n_questions += 1;
    }

    /// All passages: the best of every question first, then the second of every question …
    pub(super) fn ranked(&self) -> Vec<&Passage> {
        let mut all: Vec<_> = self.passages.values().collect();
        all.sort_by_key(|(rank, question, passage)| (*rank, *question, passage.chunk));
        all.into_iter().map(|(_, _, passage)| passage).collect()
    }

    /// As many as `room` tokens hold. A passage that does not fit is passed over; smaller ones after it may fit.
    pub(super) fn shown(&self, searcher: &Searcher, room: u64) -> Shown {
        let mut shown = Shown::default();
        let mut left = room / FACT_SHARE;
        for fact in &self.facts {
            let tokens = estimate_tokens(fact);
            if tokens <= left {
                left -= tokens;
                shown.facts.push(fact.clone());
            }
        }
        let mut left = room - shown.facts.iter().map(|fact| estimate_tokens(fact)).sum::<u64>();
        for passage in self.ranked() {
            let body = body(searcher, passage.chunk);
            let tokens = estimate_tokens(&fence("passage 100", &body));
            if tokens > left {
                shown.n_cut += 1;
                continue;
            }
            left -= tokens;
            shown.n_orders += usize::from(gives_orders(&body));
            shown.chunks.push(passage.chunk);
            shown.passages.push(body);
        }
        shown
    }
}

/// A passage as it stands in its fence: title, then text.
pub(super) fn body(searcher: &Searcher, chunk: ChunkId) -> String {
    let knowledge = searcher.knowledge();
    let title = &knowledge.document(knowledge.chunk(chunk).document).title;
    format!("{}\n\n{}", title.trim(), knowledge.chunk_text(chunk).trim())
}

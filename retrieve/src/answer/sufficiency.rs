//! How well the evidence covers a question: what reject mode decides by.

use super::candidate::weights;
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use std::collections::BTreeSet;

/// Passages that may cover the question together: as many as a path of three hops has.
const MAX_PASSAGES: usize = 4;

/// The share of the question's words, weighted by rarity, that the best passages hold together, 0..=1.
///
/// A name that the corpus does not know weighs most, so that questions about something else score low.
pub(crate) fn sufficiency(searcher: &Searcher, question: &Question, evidence: &Evidence) -> f32 {
    let held: BTreeSet<String> = evidence
        .passages
        .iter()
        .take(MAX_PASSAGES)
        .flat_map(|passage| term::terms(&searcher.knowledge().passage(passage.chunk)))
        .collect();
    let weights = weights(searcher, question);
    weights
        .iter()
        .filter(|(word, _)| held.contains(word.as_str()))
        .map(|(_, weight)| weight)
        .fold(0.0, |sum, weight| sum + weight)
        .min(1.0)
}

//! Yes or no: whether what the question says of the things it names stands in what the evidence says of them.

use super::candidate::{Found, Sentence};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::EntityId;
use std::collections::BTreeSet;

/// Share of the question's own words, names apart, that must stand beside each thing it names.
const AGREES: f32 = 0.5;

/// "yes" when for every thing that the question names a document about it, among the evidence, holds at least half of
/// the question's other words; else "no". `None` without a sentence to cite.
pub(super) fn decide(searcher: &Searcher, question: &Question, sentences: &[Sentence]) -> Option<Found> {
    let sentence = (!sentences.is_empty()).then_some(0)?;
    let graph = &searcher.knowledge().graph;
    let named: BTreeSet<EntityId> = searcher.named_in(&question.text);
    let names: BTreeSet<String> = named
        .iter()
        .flat_map(|entity| term::terms(&graph.entity(*entity).key))
        .collect();
    let said: Vec<&String> = question
        .terms
        .iter()
        .filter(|word| !names.contains(*word) && !matches!(word.as_str(), "both" | "same" | "either"))
        .collect();
    let subjects: Vec<_> = named.iter().filter(|entity| !searcher.incidence().subject_chunks(**entity).is_empty()).collect();
    let agrees = subjects.iter().all(|entity| {
        let held: BTreeSet<String> = searcher
            .incidence()
            .subject_chunks(**entity)
            .iter()
            .flat_map(|chunk| term::terms(&searcher.knowledge().passage(*chunk)))
            .collect();
        let n = said.iter().filter(|word| held.contains(**word)).count();
        n as f32 >= AGREES * said.len() as f32
    });
    let text = if agrees && !subjects.is_empty() { "yes" } else { "no" };
    Some(Found {
        text: text.to_owned(),
        sentence,
    })
}

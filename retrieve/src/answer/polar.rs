//! Yes or no: whether what the question says of the things it names stands in what the evidence says of them.

use super::Expected;
use super::candidate::{Found, Sentence};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::EntityId;
use banyan_engine::index::term;
use std::collections::BTreeSet;

/// Share of the question's own words, names apart, that must stand beside each thing it names.
const AGREES: f32 = 0.5;

/// Decides by what the documents about the named things say. `None` without a sentence to cite.
///
/// "the same X": whether those documents name a thing of that kind in common. Else: whether each of them holds at least
/// half of the question's words that are no names.
pub(super) fn decide(searcher: &Searcher, question: &Question, sentences: &[Sentence]) -> Option<Found> {
    let sentence = (!sentences.is_empty()).then_some(0)?;
    let named: Vec<EntityId> = searcher
        .named_in(&question.text)
        .into_iter()
        .filter(|entity| !searcher.incidence().subject_chunks(*entity).is_empty())
        .collect();
    let agrees = match shared_kind(searcher, question) {
        Some(kind) => share_a_thing(searcher, &named, kind),
        None => each_holds_the_words(searcher, question, &named),
    };
    Some(Found {
        text: if agrees && !named.is_empty() { "yes" } else { "no" }.to_owned(),
        sentence,
    })
}

/// What "the same …" asks to be shared: a type, or anything where the noun denotes none.
fn shared_kind(searcher: &Searcher, question: &Question) -> Option<Expected> {
    let (_, after) = question.text.split_once(" same ")?;
    Some(Expected::of(&format!("which {after}"), &searcher.knowledge().schema))
}

fn share_a_thing(searcher: &Searcher, named: &[EntityId], kind: Expected) -> bool {
    let graph = &searcher.knowledge().graph;
    let fits = |entity: EntityId| match kind {
        Expected::Entity(wanted) => graph.entity(entity).entity_type == wanted,
        _ => true,
    };
    let things = |subject: &EntityId| -> BTreeSet<EntityId> {
        let chunks = searcher.incidence().subject_chunks(*subject).iter();
        let inside = chunks
            .flat_map(|chunk| searcher.incidence().entities_of(*chunk))
            .map(|(entity, _)| *entity);
        inside
            .filter(|entity| !named.contains(entity) && fits(*entity))
            .collect()
    };
    let mut sets = named.iter().map(things);
    let Some(first) = sets.next() else { return false };
    named.len() > 1
        && !sets
            .fold(first, |common, set| common.intersection(&set).copied().collect())
            .is_empty()
}

fn each_holds_the_words(searcher: &Searcher, question: &Question, named: &[EntityId]) -> bool {
    let graph = &searcher.knowledge().graph;
    let names: BTreeSet<String> = named
        .iter()
        .flat_map(|entity| term::terms(&graph.entity(*entity).key))
        .collect();
    let said: Vec<&String> = question
        .terms
        .iter()
        .filter(|word| !names.contains(*word) && !matches!(word.as_str(), "both" | "either"))
        .collect();
    named.iter().all(|entity| {
        let chunks = searcher.incidence().subject_chunks(*entity).iter();
        let held: BTreeSet<String> = chunks
            .flat_map(|chunk| term::terms(&searcher.knowledge().passage(*chunk)))
            .collect();
        let n = said.iter().filter(|word| held.contains(**word)).count();
        n as f32 >= AGREES * said.len() as f32
    })
}

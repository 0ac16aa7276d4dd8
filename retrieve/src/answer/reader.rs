//! Reads passages for the answer to one sub-question: possible answers, best first.

use super::ask::Ask;
use super::choice::{self, Sort};
use super::feature::{Feature, Features, Place, Standing, features};
use super::likeness::Likeness;
use super::page::Pages;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, Span};
use banyan_extract::gazetteer;
use std::collections::{BTreeMap, BTreeSet};

/// A possible answer with its support.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) entity: Option<EntityId>,
    pub(crate) chunk: ChunkId,
    pub(crate) sentence: Span,
    pub(crate) score: f32,
    pub(crate) row: Features,
    /// The sentences that gave the answers of the steps before.
    pub(crate) before: Vec<(ChunkId, Span)>,
}

/// The possible answers in these passages, best first, each text once at its best place. Cost O(words of the passages).
pub(crate) fn read(
    pages: &mut Pages<'_>,
    ask: &Ask,
    passages: &[(ChunkId, Standing)],
    weights: &[f32],
) -> Vec<Reading> {
    let likeness = Likeness::new(pages.searcher, ask, &pages.compared);
    let mut best: BTreeMap<String, Reading> = BTreeMap::new();
    let mut seen_in: BTreeMap<String, BTreeSet<ChunkId>> = BTreeMap::new();
    for (chunk, standing) in passages {
        for reading in in_passage(pages, (ask, &likeness), *chunk, *standing, weights) {
            let key = reading.text.to_lowercase();
            seen_in.entry(key.clone()).or_default().insert(*chunk);
            if best.get(&key).is_none_or(|known| reading.score > known.score) {
                best.insert(key, reading);
            }
        }
    }
    for (key, reading) in &mut best {
        let n = seen_in.get(key).map_or(1, BTreeSet::len);
        let value = (n as f32).ln().min(2.0);
        reading.row[Feature::Frequency as usize] = value;
        reading.score += weights[Feature::Frequency as usize] * value;
    }
    let mut readings: Vec<Reading> = fullest(best.into_values().collect());
    readings.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    readings
}

/// Single words that are the last word of a longer name in the same passage give way to it: "Hall" to "G. Stanley Hall".
/// Well-known places do not: "Uganda" is not "Eastern Region of Uganda".
fn fullest(readings: Vec<Reading>) -> Vec<Reading> {
    let mut kept: Vec<Reading> = Vec::new();
    let is_short =
        |one: &Reading| one.entity.is_some() && !one.text.contains(' ') && gazetteer::place(&one.text).is_none();
    let (short, long): (Vec<Reading>, Vec<Reading>) = readings.into_iter().partition(is_short);
    kept.extend(long);
    let mut alone = Vec::new();
    for one in short {
        let ending = format!(" {}", one.text);
        let longer = kept
            .iter_mut()
            .filter(|other| other.entity.is_some() && other.text.ends_with(&ending) && other.chunk == one.chunk)
            .max_by(|a, b| a.score.total_cmp(&b.score));
        match longer {
            Some(longer) if longer.score < one.score => {
                longer.score = one.score;
                longer.row = one.row;
                longer.sentence = one.sentence;
            }
            Some(_) => {}
            None => alone.push(one),
        }
    }
    kept.extend(alone);
    kept
}

/// The name within a longer one that a document is about: "Senator Mara Voss" is Mara Voss. Else the text as it is.
fn named_within(searcher: &Searcher, text: String, sort: Sort) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let Sort::Entity(entity) = sort else { return text };
    if words.len() < 3 || !searcher.incidence().subject_chunks(entity).is_empty() {
        return text;
    }
    let knowledge = searcher.knowledge();
    let is_person =
        |entity: &EntityId| Some(knowledge.graph.entity(*entity).entity_type) == knowledge.schema.type_id("person");
    let has_document = |entity: &EntityId| !searcher.incidence().subject_chunks(*entity).is_empty();
    let is_known = |part: &str| {
        searcher
            .named(part)
            .iter()
            .any(|entity| is_person(entity) && has_document(entity))
    };
    let ends = (1..words.len() - 1).map(|n| words[n..].join(" "));
    let starts = (2..words.len()).rev().map(|n| words[..n].join(" "));
    ends.chain(starts).find(|part| is_known(part)).unwrap_or(text)
}

fn in_passage(
    pages: &mut Pages<'_>,
    (ask, likeness): (&Ask, &Likeness<'_>),
    chunk: ChunkId,
    standing: Standing,
    weights: &[f32],
) -> Vec<Reading> {
    let page = pages.page(chunk);
    let incidence = pages.searcher.incidence();
    let is_about = |list: &BTreeSet<EntityId>| list.iter().any(|one| incidence.subject_chunks(*one).contains(&chunk));
    let is_about = (is_about(&ask.anchors), is_about(&ask.bridges));
    let mut readings = Vec::new();
    for sentence in page.sentences.iter().filter(|sentence| !sentence.is_command) {
        let place = Place::new((ask, likeness), &page, sentence, standing, is_about);
        for choice in choice::choices(pages.searcher, ask, &page, sentence) {
            let own = term::terms(&choice.text);
            let is_asked = |word: &String| ask.context.contains_key(word) || ask.named.contains(word);
            if !own.is_empty() && own.iter().all(is_asked) {
                continue;
            }
            let row = features(pages, ask, &place, &choice);
            readings.push(Reading {
                text: named_within(pages.searcher, choice.text, choice.sort),
                entity: match choice.sort {
                    Sort::Entity(entity) => Some(entity),
                    _ => None,
                },
                chunk,
                sentence: sentence.span,
                score: row.iter().zip(weights).map(|(value, weight)| value * weight).sum(),
                row,
                before: Vec::new(),
            });
        }
    }
    readings
}

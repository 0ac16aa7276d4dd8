//! Reads passages for the answer to one sub-question: possible answers, best first.

use super::ask::Ask;
use super::candidate::{Sort, candidates};
use super::feature::{Feature, Features, Rank, of_candidate, of_sentence};
use super::page::Pages;
use banyan_engine::index::term;
use banyan_engine::{ChunkId, EntityId, Span};
use banyan_extract::gazetteer;
use std::collections::{BTreeMap, BTreeSet};

/// A possible answer with its support.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The answer.
    pub text: String,
    /// What speaks for it.
    pub row: Features,
    /// The entity that it names, if it names one.
    pub(crate) entity: Option<EntityId>,
    pub(crate) chunk: ChunkId,
    pub(crate) sentence: Span,
    pub(crate) score: f32,
    /// The sentences that gave the answers of the steps before.
    pub(crate) before: Vec<(ChunkId, Span)>,
}

/// The possible answers in these passages, best first, each text once at its best place. Cost O(words of the passages).
pub(crate) fn read(pages: &mut Pages<'_>, ask: &Ask, passages: &[(ChunkId, Rank)], weights: &[f32]) -> Vec<Reading> {
    let mut best: BTreeMap<String, Reading> = BTreeMap::new();
    let mut seen_in: BTreeMap<String, BTreeSet<ChunkId>> = BTreeMap::new();
    for (chunk, rank) in passages {
        for reading in in_passage(pages, ask, *chunk, *rank, weights) {
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
    let mut readings = fullest(best.into_values().collect());
    readings.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    readings
}

/// Last words of longer names in the same passage give way to them: "Voss" to "Mara Voss". Well-known places do not:
/// "Uganda" is not "Eastern Region of Uganda".
fn fullest(readings: Vec<Reading>) -> Vec<Reading> {
    let is_short =
        |one: &Reading| one.entity.is_some() && !one.text.contains(' ') && gazetteer::place(&one.text).is_none();
    let (short, mut kept): (Vec<Reading>, Vec<Reading>) = readings.into_iter().partition(is_short);
    for one in short {
        let ending = format!(" {}", one.text);
        let is_longer =
            |other: &&mut Reading| other.entity.is_some() && other.chunk == one.chunk && other.text.ends_with(&ending);
        match kept
            .iter_mut()
            .filter(is_longer)
            .max_by(|a, b| a.score.total_cmp(&b.score))
        {
            Some(longer) if longer.score < one.score => {
                (longer.score, longer.row, longer.sentence) = (one.score, one.row, one.sentence);
            }
            Some(_) => {}
            None => kept.push(one),
        }
    }
    kept
}

fn in_passage(pages: &mut Pages<'_>, ask: &Ask, chunk: ChunkId, rank: Rank, weights: &[f32]) -> Vec<Reading> {
    let page = pages.page(chunk);
    let incidence = pages.searcher.incidence();
    let mut anchors = ask.anchors.iter();
    let is_about = anchors.any(|anchor| incidence.subject_chunks(*anchor).contains(&chunk));
    let mut readings = Vec::new();
    for sentence in page.sentences.iter().filter(|sentence| !sentence.is_command) {
        let share = pages.share(chunk, sentence.span);
        let common = of_sentence(ask, &page, sentence, (rank, share), is_about);
        for candidate in candidates(pages.searcher, ask, &page, sentence) {
            let own = term::terms(&candidate.text);
            let is_asked = |word: &String| ask.context.contains(word) || ask.named.contains(word);
            if !own.is_empty() && own.iter().all(is_asked) {
                continue;
            }
            let row = of_candidate(pages, ask, (&page, sentence), (&candidate, &own), common);
            readings.push(Reading {
                text: candidate.text,
                entity: match candidate.sort {
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

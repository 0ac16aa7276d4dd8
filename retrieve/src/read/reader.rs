//! Reads passages for the answer to one sub-question: possible answers, best first.

use super::ask::Ask;
use super::candidate::{Sort, candidates};
use super::feature::{Feature, Features, Rank, asked_in, of_candidate, of_sentence};
use super::page::{Page, Pages};
use banyan_engine::{ChunkId, EntityId, Span};
use banyan_extract::gazetteer;
use std::collections::BTreeMap;

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

/// A possible answer at its best place, and the passages that have it.
struct Seen {
    reading: Reading,
    n_passages: usize,
    last: ChunkId,
}

/// The possible answers in these passages, best first, each text once at its best place. Cost O(words of the passages).
pub(crate) fn read(pages: &mut Pages<'_>, ask: &Ask, passages: &[(ChunkId, Rank)], weights: &[f32]) -> Vec<Reading> {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let read = pages.pages(passages.iter().map(|(chunk, _)| *chunk));
    for ((chunk, page), (_, rank)) in read.iter().zip(passages) {
        in_passage(pages, ask, (*chunk, page, *rank), weights, &mut seen);
    }
    let readings = seen.into_values().map(|seen| {
        let mut reading = seen.reading;
        let value = (seen.n_passages as f32).ln().min(2.0);
        reading.row[Feature::Frequency as usize] = value;
        reading.score += weights[Feature::Frequency as usize] * value;
        reading
    });
    let mut readings = fullest(readings.collect());
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

/// Adds what one passage has; no passage is read twice.
fn in_passage(
    pages: &mut Pages<'_>,
    ask: &Ask,
    (chunk, page, rank): (ChunkId, &Page<'_>, Rank),
    weights: &[f32],
    seen: &mut BTreeMap<String, Seen>,
) {
    let incidence = pages.searcher.incidence();
    let mut anchors = ask.anchors.iter();
    let is_about = anchors.any(|anchor| incidence.subject_chunks(*anchor).contains(&chunk));
    let named = ask.named_in(&page.mentions);
    for sentence in page.sentences.iter().filter(|sentence| !sentence.is_command) {
        let found = candidates(pages.searcher, ask, page, sentence);
        if found.is_empty() {
            continue;
        }
        let share = pages.share(chunk, sentence.span);
        let common = of_sentence(ask, page, sentence, (rank, share), (is_about, &named));
        let asked = asked_in(ask, &sentence.words);
        for candidate in found {
            let is_asked = |word: &String| ask.context.contains(word) || ask.named.contains(word);
            if !candidate.terms.is_empty() && candidate.terms.iter().all(is_asked) {
                continue;
            }
            let row = of_candidate(pages, ask, (page, sentence, &asked), &candidate, common);
            let score = row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
            let known = seen.get_mut(&candidate.key);
            let is_better = known.as_ref().is_none_or(|known| score > known.reading.score);
            let reading = is_better.then(|| Reading {
                text: candidate.text.clone(),
                entity: match candidate.sort {
                    Sort::Entity(entity) => Some(entity),
                    _ => None,
                },
                chunk,
                sentence: sentence.span,
                score,
                row,
                before: Vec::new(),
            });
            match known {
                Some(known) => {
                    known.n_passages += usize::from(known.last != chunk);
                    known.last = chunk;
                    if let Some(reading) = reading {
                        known.reading = reading;
                    }
                }
                None => {
                    seen.extend(reading.map(|reading| {
                        let new = Seen {
                            reading,
                            n_passages: 1,
                            last: chunk,
                        };
                        (candidate.key.clone(), new)
                    }));
                }
            }
        }
    }
}

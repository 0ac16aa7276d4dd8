//! The agent (Eq. 9, Youtu-GraphRAG).

use crate::answer::Found;
use crate::answer::ask::Ask;
use crate::answer::feature::{Feature, Standing};
use crate::answer::page::Pages;
use crate::answer::reader::{Reading, read};
use crate::answer::weight::Weights;
use crate::config::Config;
use crate::decompose::{Decompose, Decomposition, Embedded};
use crate::evidence::Evidence;
use crate::question::Question;
use crate::route;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, EntityId};
use std::collections::BTreeMap;

/// Answers of a step that later steps are tried with.
const BEAM: usize = 3;
/// Passages read for the whole question, and for each step.
const WHOLE_PASSAGES: usize = 6;
const STEP_PASSAGES: usize = 4;

/// The best answer to the last step, with the sentences that led to it.
pub(crate) fn find(searcher: &Searcher, question: &Question, evidence: &Evidence, weights: &Weights) -> Option<Found> {
    let decomposition = decompose(searcher, question);
    let steps = follow(
        searcher,
        question,
        evidence,
        &decomposition,
        weights,
        &Config::default(),
    );
    let best = steps.last()?.first()?;
    let mut support = vec![(best.chunk, best.sentence)];
    support.extend(&best.before);
    Some(Found {
        text: best.text.clone(),
        support,
    })
}

/// The steps of a question that the reader answers; `None` for one that is decided by comparing.
pub(crate) fn steps_of(searcher: &Searcher, question: &Question) -> Option<Decomposition> {
    (!crate::answer::is_decided(&question.text, &searcher.knowledge().schema)).then(|| decompose(searcher, question))
}

fn decompose(searcher: &Searcher, question: &Question) -> Decomposition {
    let names = searcher.names_in(&question.text);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Embedded.decompose(&question.text, &names, &searcher.knowledge().schema)
}

/// Follows the steps; the readings of each, best first.
pub(crate) fn follow(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    decomposition: &Decomposition,
    weights: &Weights,
    config: &Config,
) -> Vec<Vec<Reading>> {
    let whole: BTreeMap<ChunkId, (f32, f32)> = evidence
        .passages
        .iter()
        .take(WHOLE_PASSAGES)
        .enumerate()
        .map(|(rank, passage)| (passage.chunk, (passage.score, 1.0 / (1 + rank) as f32)))
        .collect();
    let mut pages = Pages::new(searcher);
    let mut answers: Vec<Vec<Reading>> = Vec::new();
    for (position, step) in decomposition.steps.iter().enumerate() {
        let is_last = position + 1 == decomposition.steps.len();
        let weights = if is_last { &weights.last } else { &weights.bridge };
        let mut merged: BTreeMap<String, Reading> = BTreeMap::new();
        for combination in combinations(&step.depends_on, &answers) {
            let texts: Vec<Option<&str>> = (0..answers.len())
                .map(|n| combination.picks.get(&(n + 1)).map(|reading| reading.text.as_str()))
                .collect();
            let bridges: Vec<EntityId> = combination
                .picks
                .values()
                .filter_map(|reading| reading.entity)
                .collect();
            let filled = step.filled(&texts);
            let ask = Ask::new(searcher, &question.text, step, &filled, &bridges);
            let mut passages: BTreeMap<ChunkId, Standing> = whole
                .iter()
                .map(|(chunk, whole)| {
                    (
                        *chunk,
                        Standing {
                            whole: *whole,
                            step: (0.0, 0.0),
                        },
                    )
                })
                .collect();
            if decomposition.steps.len() > 1 {
                for (rank, (chunk, score)) in search(searcher, &filled, &ask, config).into_iter().enumerate() {
                    passages.entry(chunk).or_default().step = (score, 1.0 / (1 + rank) as f32);
                }
            }
            let passages: Vec<(ChunkId, Standing)> = passages.into_iter().collect();
            for mut reading in read(&mut pages, &ask, &passages, weights) {
                reading.row[Feature::Bridge as usize] = combination.score;
                for pick in combination.picks.values() {
                    reading.before.push((pick.chunk, pick.sentence));
                    reading.before.extend(&pick.before);
                }
                reading.score += weights[Feature::Bridge as usize] * combination.score;
                let key = reading.text.to_lowercase();
                if merged.get(&key).is_none_or(|known| reading.score > known.score) {
                    merged.insert(key, reading);
                }
            }
        }
        let mut readings: Vec<Reading> = merged.into_values().collect();
        readings.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
        answers.push(readings);
    }
    answers
}

struct Combination<'a> {
    picks: BTreeMap<usize, &'a Reading>,
    /// Log probability.
    score: f32,
}

fn combinations<'a>(needed: &[usize], answers: &'a [Vec<Reading>]) -> Vec<Combination<'a>> {
    let mut all = vec![Combination {
        picks: BTreeMap::new(),
        score: 0.0,
    }];
    for step in needed {
        let readings = &answers[step - 1];
        let top = readings.first().map_or(0.0, |reading| reading.score);
        let total: f32 = readings.iter().map(|reading| (reading.score - top).exp()).sum();
        let mut next = Vec::new();
        for known in &all {
            for reading in readings.iter().take(BEAM) {
                let mut picks = known.picks.clone();
                picks.insert(*step, reading);
                next.push(Combination {
                    picks,
                    score: known.score + reading.score - top - total.ln(),
                });
            }
        }
        if next.is_empty() {
            continue;
        }
        next.sort_by(|a, b| b.score.total_cmp(&a.score));
        next.truncate(BEAM);
        all = next;
    }
    all
}

fn search(searcher: &Searcher, filled: &str, ask: &Ask, config: &Config) -> Vec<(ChunkId, f32)> {
    let question = Question::new(filled, None);
    let entities: Vec<(EntityId, f32)> = ask
        .anchors
        .iter()
        .map(|entity| (*entity, searcher.rarity(*entity)))
        .collect();
    let hints = route::chunk::Hints {
        entities: &entities,
        ..route::chunk::Hints::default()
    };
    let direct = route::chunk::search(searcher, &question, &hints, config);
    let mut scored: Vec<(ChunkId, f32)> = direct
        .fused
        .iter()
        .enumerate()
        .filter(|(_, score)| **score > 0.0)
        .map(|(position, score)| (ChunkId::at(position), *score))
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(STEP_PASSAGES);
    scored
}

/// The entity that best answers a description such as "the director of Teak", of which the corpus knows the entities named.
pub(crate) fn first_answer(
    searcher: &Searcher,
    description: &str,
    named: &[EntityId],
    weights: &Weights,
) -> Option<EntityId> {
    let schema = &searcher.knowledge().schema;
    let mut step = crate::decompose::SubQuery::read(description, 0, schema);
    step.expected = schema
        .type_id("person")
        .map_or(crate::answer::Expected::Any, crate::answer::Expected::Entity);
    let ask = Ask::new(searcher, description, &step, description, named);
    let own = named
        .iter()
        .flat_map(|entity| searcher.incidence().subject_chunks(*entity));
    let standing = Standing {
        whole: (1.0, 1.0),
        step: (1.0, 1.0),
    };
    let passages: Vec<(ChunkId, Standing)> = own.map(|chunk| (*chunk, standing)).collect();
    let readings = read(&mut Pages::new(searcher), &ask, &passages, &weights.bridge);
    readings
        .iter()
        .filter_map(|reading| reading.entity)
        .find(|entity| !searcher.incidence().subject_chunks(*entity).is_empty())
}

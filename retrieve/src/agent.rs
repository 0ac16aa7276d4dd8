//! The agent (Eq. 9, Youtu-GraphRAG): the steps of a question in order, each asked with the best answers of the steps
//! before it, until the last one is answered.
//!
//! A step retrieves passages for the whole question and for its own words, and reads them for possible answers. Several
//! answers of a step are kept, and the steps after it decide between them: an answer that leads nowhere loses to one that
//! the next fact fits.
//!
//! # Differs from the paper
//! There reasoning and reflection are prompts to a model, as in [`crate::reason::ModelReasoner`]. Here a learned score
//! does both: it ranks the answers of a step (reasoning), and the belief in the step before is one of its features
//! (reflection).

use crate::config::Config;
use crate::decompose::SubQuery;
use crate::evidence::Evidence;
use crate::form::QuestionForm;
use crate::question::{Expected, Question};
use crate::read::{Ask, Feature, Pages, Rank, Reading, Weights, read};
use crate::route;
use crate::searcher::Searcher;
use crate::sentence::Sentence;
use banyan_engine::{ChunkId, EntityId};
use std::collections::BTreeMap;

mod history;

pub use history::{Belief, Thought};

/// Answers of a step that later steps are tried with, a search each. Arbitrary, not measured.
const BEAM: usize = 3;
/// Passages read for the whole question. Arbitrary, not measured; so is the next.
const WHOLE_PASSAGES: usize = 6;
/// Passages read for a filled sub-question.
const STEP_PASSAGES: usize = 4;

/// Who is told of each step once it is done.
pub type Sink<'a> = &'a mut dyn FnMut(&Thought);

/// Follows the steps of a question over evidence and its sentences, as they are ranked for the whole question; the possible
/// answers to each step, best first.
pub fn follow(
    searcher: &Searcher,
    (question, form): (&Question, &QuestionForm),
    (evidence, sentences): (&Evidence, &[Sentence]),
    weights: &Weights,
    sink: Sink<'_>,
) -> Vec<Vec<Reading>> {
    let steps = &form.decomposition.steps;
    let best = evidence.passages.iter().take(WHOLE_PASSAGES).enumerate();
    let whole = best.map(|(rank, passage)| {
        let rank = 1.0 / (1 + rank) as f32;
        (passage.chunk, (passage.fused, passage.log_odds(), rank))
    });
    let mut walk = Walk {
        question,
        whole: whole.collect(),
        is_single: steps.len() == 1,
        // How near a sentence is to the whole question says little of a step.
        pages: Pages::new(searcher, if steps.len() == 1 { sentences } else { &[] }),
    };
    let mut answers: Vec<Vec<Reading>> = Vec::new();
    for (position, step) in steps.iter().enumerate() {
        let is_last = position + 1 == steps.len();
        let weights = if is_last { &weights.last } else { &weights.bridge };
        let (mut thought, readings) = walk.step(step, &answers, weights);
        thought.step = position + 1;
        thought.beliefs = history::beliefs(searcher, &readings);
        sink(&thought);
        answers.push(readings);
    }
    answers
}

/// What stays the same from step to step.
struct Walk<'a> {
    question: &'a Question,
    /// Score by the routes, logarithm of the odds and 1 / rank of the best passages for the whole question.
    whole: BTreeMap<ChunkId, (f32, f32, f32)>,
    is_single: bool,
    pages: Pages<'a>,
}

impl Walk<'_> {
    /// Asks one step with every likely combination of earlier answers. The best answer of an earlier step answers no
    /// later one.
    fn step(&mut self, step: &SubQuery, answers: &[Vec<Reading>], weights: &[f32]) -> (Thought, Vec<Reading>) {
        let mut merged: BTreeMap<String, Reading> = BTreeMap::new();
        let mut thought = Thought::of(step);
        for combination in combinations(&step.depends_on, answers) {
            let filled = combination.fill(step, answers.len());
            let picks = combination.picks.values();
            let bridges: Vec<EntityId> = picks.filter_map(|reading| reading.entity).collect();
            let ask = Ask::new(self.pages.searcher, &self.question.text, step, &filled, &bridges);
            let sought = if self.is_single {
                Vec::new()
            } else {
                search(self.pages.searcher, &filled, &ask)
            };
            let passages = self.passages(&sought);
            thought.n_passages += passages.len();
            thought.sought.push(sought.iter().map(|(chunk, _)| *chunk).collect());
            thought.filled.push(filled);
            for mut reading in read(&mut self.pages, &ask, &passages, weights) {
                let mut earlier = answers.iter().filter_map(|earlier| earlier.first());
                if earlier.any(|best| best.text == reading.text) {
                    continue;
                }
                combination.lend(&mut reading, weights);
                let key = reading.text.to_lowercase();
                if merged.get(&key).is_none_or(|known| reading.score > known.score) {
                    merged.insert(key, reading);
                }
            }
        }
        let mut readings: Vec<Reading> = merged.into_values().collect();
        readings.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
        (thought, readings)
    }

    /// The passages for the whole question and those for this step.
    fn passages(&self, sought: &[(ChunkId, f32)]) -> Vec<(ChunkId, Rank)> {
        let mut passages: BTreeMap<ChunkId, Rank> = BTreeMap::new();
        for (chunk, whole) in &self.whole {
            passages.entry(*chunk).or_default().whole = *whole;
        }
        for (rank, (chunk, score)) in sought.iter().enumerate() {
            passages.entry(*chunk).or_default().step = (*score, 1.0 / (1 + rank) as f32);
        }
        passages.into_iter().collect()
    }
}

/// One answer for each earlier step that a step needs.
struct Combination<'a> {
    picks: BTreeMap<usize, &'a Reading>,
    /// Logarithm of the belief in all of them.
    score: f32,
}

impl Combination<'_> {
    fn fill(&self, step: &SubQuery, n_answers: usize) -> String {
        let texts: Vec<Option<&str>> = (1..=n_answers)
            .map(|n| self.picks.get(&n).map(|reading| reading.text.as_str()))
            .collect();
        step.filled(&texts)
    }

    /// Gives a reading the belief in what it rests on, and its sentences.
    fn lend(&self, reading: &mut Reading, weights: &[f32]) {
        reading.row[Feature::Bridge as usize] = self.score;
        reading.score += weights[Feature::Bridge as usize] * self.score;
        for pick in self.picks.values() {
            reading.before.push((pick.chunk, pick.sentence));
            reading.before.extend(&pick.before);
        }
    }
}

/// The likeliest combinations of answers to the steps needed, best first, at most [`BEAM`].
fn combinations<'a>(needed: &[usize], answers: &'a [Vec<Reading>]) -> Vec<Combination<'a>> {
    let mut all = vec![Combination {
        picks: BTreeMap::new(),
        score: 0.0,
    }];
    for step in needed {
        let readings = &answers[step - 1];
        let shares = history::log_shares(readings);
        let mut next = Vec::new();
        for known in &all {
            for (reading, share) in readings.iter().zip(&shares).take(BEAM) {
                let mut picks = known.picks.clone();
                picks.insert(*step, reading);
                next.push(Combination {
                    picks,
                    score: known.score + share,
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

/// The best passages for a filled sub-question, by words and names: it has no vector.
fn search(searcher: &Searcher, filled: &str, ask: &Ask) -> Vec<(ChunkId, f32)> {
    let question = Question::new(filled, None);
    let named = ask.anchors.iter().map(|entity| (*entity, searcher.rarity(*entity)));
    let entities: Vec<(EntityId, f32)> = named.collect();
    let hints = route::chunk::Hints {
        entities: &entities,
        ..route::chunk::Hints::default()
    };
    let direct = route::chunk::search(searcher, &question, &hints, &Config::default());
    let scored = direct.fused.iter().enumerate();
    route::best(scored.map(|(at, score)| (ChunkId::at(at), *score)), STEP_PASSAGES)
}

/// The person who best answers a description such as "the director of Teak", of which the corpus knows the entities
/// named, if a document is about them.
pub(crate) fn described_person(
    searcher: &Searcher,
    description: &str,
    named: &[EntityId],
    weights: &Weights,
) -> Option<EntityId> {
    let schema = &searcher.knowledge().schema;
    let mut step = SubQuery::read(description, 0, schema);
    step.expected = schema.type_id("person").map_or(Expected::Any, Expected::Entity);
    let ask = Ask::new(searcher, description, &step, description, named);
    let incidence = searcher.incidence();
    let own = named.iter().flat_map(|entity| incidence.subject_chunks(*entity));
    let first = Rank {
        whole: (1.0, 0.0, 1.0),
        step: (1.0, 1.0),
    };
    let passages: Vec<(ChunkId, Rank)> = own.map(|chunk| (*chunk, first)).collect();
    let readings = read(&mut Pages::new(searcher, &[]), &ask, &passages, &weights.bridge);
    let has_document = |entity: &EntityId| !incidence.subject_chunks(*entity).is_empty();
    readings.iter().filter_map(|reading| reading.entity).find(has_document)
}

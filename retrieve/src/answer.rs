//! An answer from evidence without a language model: the best-supported entity or value of the kind asked for.

use crate::agent::{self, Sink, Thought};
use crate::evidence::Evidence;
use crate::level;
use crate::read::Reading;
use crate::searcher::Searcher;
use crate::sentence::Sentence;
use banyan_engine::document::one_line;
use banyan_engine::embed::{EmbedError, Embedder};
use banyan_engine::index::term::is_ideograph;
use banyan_engine::{ChunkId, Span};
use serde::Serialize;

pub mod calibration;
mod compare;
mod han;
pub mod ranking;
mod role;
pub mod score;
mod stated;
mod subject;
mod yes_no;

use calibration::Calibration;
use ranking::MAX_PASSAGES;

pub use crate::citation::Citation;
pub(crate) use crate::citation::cite;
pub use crate::form::QuestionForm;
pub use crate::question::{Expected, Question};
pub use crate::read::{Weights, WeightsError};

/// What to do when the evidence is weak (Youtu-GraphRAG §4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Answer with the best there is.
    Open,
    /// Say that the corpus does not tell.
    #[default]
    Reject,
}

/// What the engine says to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The answer; `None` where nothing fits or reject mode refused.
    pub text: Option<String>,
    /// What kind of thing was looked for.
    pub expected: Expected,
    /// The likeliest answer, stated or not; `None` where nothing fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeliest: Option<String>,
    /// How likely the answer is right, 0..=1; 0 before it is judged.
    pub sufficiency: f32,
    /// Whether reject mode held an answer back.
    pub is_rejected: bool,
    /// The sentences that support the answer, or the nearest ones where there is none; strongest first.
    pub citations: Vec<Citation>,
    /// The steps that led to it (H in Eq. 9); none where things were compared or the graph states it.
    pub history: Vec<Thought>,
}

const MAX_CITATIONS: usize = 3;
/// Most that is believed of an answer: no set of questions is large enough to tell more.
const SUREST: f64 = 0.99;
/// How likely what the graph states is right: what facts are held to.
const STATED: f64 = 0.8;

/// What may be the answer to a question, before it is decided what is stated.
#[derive(Clone, Debug)]
pub struct Considered {
    /// How the question was read.
    pub form: QuestionForm,
    /// The best short answer, however likely.
    pub answer: Answer,
    /// The sentences of the evidence, best first.
    pub ranked: Vec<Sentence>,
    /// How likely the best of them holds the answer, 0..=1.
    pub best: f64,
    /// The sentence that the short answer is taken from.
    pub source: Option<(ChunkId, Span)>,
    /// Whether the graph states the short answer, rather than a passage that was read for it.
    pub is_stated: bool,
}

impl Considered {
    /// What is stated: the short answer where the graph states it or `calibration` is sure of it; else the best sentence where that is sure;
    /// else nothing. A sentence does not decide between yes and no or between two things, and answers no question of
    /// several steps. [`Mode::Open`] states the short answer, or the best sentence without one, however unsure. Nothing
    /// is sure of a question that names what no passage names, nor of a count where no number stands before what is
    /// counted, nor of a place of which nothing tells that it is of the kind asked for.
    pub fn judge(self, searcher: &Searcher, calibration: &Calibration, mode: Mode) -> Answer {
        let signals = calibration::signals(searcher, &self);
        let form = self.form;
        let said = |quote: &str, chance: f64| {
            if form.may_be_said_by(quote) && !form.is_foreign {
                chance.min(SUREST)
            } else {
                0.0
            }
        };
        let cited = self.answer.text.as_ref().and(self.answer.citations.first());
        let is_level = |quote: &str| match (&form.level, &self.answer.text) {
            (Some(level), Some(named)) => level::may_be(searcher, named, level, quote),
            _ => true,
        };
        let short = if self.is_stated {
            STATED
        } else {
            let cited = cited.filter(|cited| is_level(&cited.quote));
            cited.map_or(0.0, |cited| said(&cited.quote, calibration.short.probability(&signals)))
        };
        let sentence = self.ranked.first();
        let sentence = sentence.map(|sentence| cite(searcher, sentence.chunk, sentence.stated(searcher)));
        let is_told = |quote: &str| form.level.as_ref().is_none_or(|level| level::may_be_told(level, quote));
        let told = sentence.as_ref().filter(|cited| is_told(&cited.quote));
        let best = told.map_or(0.0, |cited| said(&cited.quote, self.best));
        let is_sure = |probability: f64| probability >= calibration.threshold;
        let mut answer = self.answer;
        answer.sufficiency = probability(short);
        if is_sure(short) || (mode == Mode::Open && answer.text.is_some()) {
            return answer;
        }
        let is_one = answer.history.len() == 1 && !form.is_decided();
        let sentence = sentence.filter(|_| is_one);
        if sentence.is_some() {
            answer.sufficiency = probability(short.max(best));
        }
        if let Some(sentence) = sentence.filter(|_| is_sure(best) || mode == Mode::Open) {
            answer.sufficiency = probability(best);
            answer.text = Some(sentence.quote.clone());
            answer.citations.retain(|cited| *cited != sentence);
            answer.citations.insert(0, sentence);
            answer.citations.truncate(MAX_CITATIONS);
        } else {
            answer.text = None;
            answer.is_rejected = mode == Mode::Reject;
        }
        answer
    }
}

/// A probability as answers bear it.
#[expect(clippy::cast_possible_truncation, reason = "0..=1")]
fn probability(value: f64) -> f32 {
    value as f32
}

/// What may be the answer by these weights; every step is told to `sink` when it is done. What is stated, and how likely
/// it is, [`Considered::judge`] decides.
///
/// # Errors
/// When `embedder` fails.
pub fn consider(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    (weights, calibration): (&Weights, &Calibration),
    embedder: Option<&dyn Embedder>,
    sink: Sink<'_>,
) -> Result<Considered, EmbedError> {
    let mut history: Vec<Thought> = Vec::new();
    let form = QuestionForm::read(searcher, question);
    let mut ranked = ranking::ranked(searcher, question, evidence, calibration, MAX_PASSAGES);
    let mut told = |thought: &Thought| {
        sink(thought);
        history.push(thought.clone());
    };
    let stated = if form.is_decided() {
        None
    } else {
        stated::find(searcher, question, &form)
    };
    let is_stated = stated.is_some();
    let read = |told: &mut dyn FnMut(&Thought)| find(searcher, (question, &form), evidence, &ranked, weights, told);
    let found = match stated {
        None if !stated::is_defining(searcher, &question.text) => read(&mut told),
        stated => stated,
    };
    let best = ranking::certainty(searcher, question, &mut ranked, calibration, embedder)?;
    let nearest = ranked.iter().map(|sentence| (sentence.chunk, sentence.span));
    let support = found.iter().flat_map(|found| found.support.iter().copied());
    let mut citations: Vec<Citation> = Vec::new();
    for (chunk, span) in support.chain(nearest) {
        let citation = cite(searcher, chunk, span);
        if citations.len() < MAX_CITATIONS && !citations.contains(&citation) {
            citations.push(citation);
        }
    }
    let source = found.as_ref().and_then(|found| found.support.first().copied());
    // Many a corpus comes from pages.
    let text = found.map(|found| one_line(&html_escape::decode_html_entities(&found.text)));
    let answer = Answer {
        likeliest: text.clone(),
        text,
        expected: form.expected,
        sufficiency: 0.0,
        is_rejected: false,
        citations,
        history,
    };
    Ok(Considered {
        form,
        answer,
        ranked,
        best,
        source,
        is_stated,
    })
}

/// The possible answers to each step of a question that is read from passages, best first: what weights are fitted to.
/// `None` for a question that is decided by comparing things, and for one in text without spaces.
pub fn possible(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    weights: &Weights,
) -> Option<Vec<Vec<Reading>>> {
    let form = QuestionForm::read(searcher, question);
    (!form.is_decided()).then(|| {
        let sentences = ranking::ranked(searcher, question, evidence, &Calibration::default(), MAX_PASSAGES);
        agent::follow(
            searcher,
            (question, &form),
            (evidence, &sentences),
            weights,
            &mut |_| {},
        )
    })
}

#[derive(Clone, Debug, PartialEq)]
struct Found {
    text: String,
    /// Strongest first.
    support: Vec<(ChunkId, Span)>,
}

fn find(
    searcher: &Searcher,
    (question, form): (&Question, &QuestionForm),
    evidence: &Evidence,
    sentences: &[Sentence],
    weights: &Weights,
    sink: Sink<'_>,
) -> Option<Found> {
    if form.expected == Expected::YesNo {
        return yes_no::decide(searcher, (question, form), evidence, weights);
    }
    // The reader sees words between spaces.
    if question.text.contains(is_ideograph) {
        return han::best(searcher, question, evidence, form.expected, sentences);
    }
    if form.is_choice
        && let Some(chosen) = compare::choose(searcher, question, form, weights)
    {
        return Some(chosen);
    }
    let steps = agent::follow(searcher, (question, form), (evidence, sentences), weights, sink);
    let best = steps.last()?.first()?;
    let mut support = vec![(best.chunk, best.sentence)];
    support.extend(&best.before);
    Some(Found {
        text: best.text.clone(),
        support,
    })
}

/// The sentence of each passage of the evidence that is nearest to the question, in the order of the passages. Cost
/// O(words of the passages · words of the question).
pub fn best_of_each(searcher: &Searcher, question: &Question, evidence: &Evidence) -> Vec<Option<Citation>> {
    let n = evidence.passages.len();
    let sentences = ranking::ranked(searcher, question, evidence, &Calibration::default(), n);
    let best = |chunk| sentences.iter().find(|sentence| sentence.chunk == chunk);
    let cited = |chunk| best(chunk).map(|sentence| cite(searcher, chunk, sentence.span));
    evidence.passages.iter().map(|passage| cited(passage.chunk)).collect()
}

/// How likely the best sentence of the evidence answers a question, and the sentences nearest to it, best first.
pub(crate) fn nearest(
    searcher: &Searcher,
    question: &Question,
    evidence: &Evidence,
    embedder: Option<&dyn Embedder>,
) -> Result<(f32, Vec<Citation>), EmbedError> {
    let calibration = Calibration::default();
    let mut ranked = ranking::ranked(searcher, question, evidence, &calibration, MAX_PASSAGES);
    let best = ranking::certainty(searcher, question, &mut ranked, &calibration, embedder)?;
    let near = ranked.iter().take(MAX_CITATIONS);
    let citations = near
        .map(|sentence| cite(searcher, sentence.chunk, sentence.span))
        .collect();
    Ok((probability(best), citations))
}

//! Sufficiency as a probability: how likely an answer is right, learned from answers that are known to be right or wrong.
//!
//! A logistic model over a few signals, each in 0..=1, that mean the same for every corpus. It is fitted by gradient
//! descent with a ridge, from zero, so equal examples give equal weights.

use crate::agent::Thought;
use crate::answer::sufficiency::sufficiency;
use crate::answer::{Answer, Expected, Mode};
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// How many signals there are.
const N: usize = 14;
/// Their names, in their order, as a calibration's file has them.
pub const SIGNALS: [&str; N] = [
    "coverage",
    "share",
    "margin",
    "chain",
    "brevity",
    "kind",
    "fits",
    "decided",
    "named",
    "agreement",
    "lead",
    "support",
    "place",
    "stated",
];
/// Passages that are asked whether routes agree on them: as many as the longest chains of the development sets.
const MAX_PASSAGES: usize = 4;
/// Strength of the ridge: about one example's worth for a hundred. Arbitrary.
const RIDGE: f64 = 0.01;
/// Steps and length of a step of gradient descent; more steps change no weight's second digit.
const N_STEPS: usize = 4_000;
const STEP: f64 = 0.5;

/// What speaks for an answer; each number in 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Whether the question names something that no passage does. Reject mode refuses it whatever the fit says: sets with
    /// answers hold no such questions to fit to.
    pub is_foreign: bool,
    /// Share of the question's words, weighted by rarity, that the best passages hold.
    pub coverage: f32,
    /// Share of belief of the answer among all possible ones of the last step; 1 where things were compared.
    pub share: f32,
    /// How far its share is ahead of the second's.
    pub margin: f32,
    /// Product of the best shares of the steps before; 1 without such steps.
    pub chain: f32,
    /// 1 over the number of steps.
    pub brevity: f32,
    /// 1 where the question asks for a kind of thing, 0 where anything goes.
    pub kind: f32,
    /// 1 where the answer is known to be of that kind.
    pub fits: f32,
    /// 1 where things were compared, not read.
    pub decided: f32,
    /// Entities that the question names and the corpus knows, three counting as all.
    pub named: f32,
    /// Share of the best passages that a path and a direct match find both.
    pub agreement: f32,
    /// How far the best passage is ahead of the second, as a share of its score.
    pub lead: f32,
    /// Share of the question's words that the first cited sentence and its title hold.
    pub support: f32,
    /// 1 over the rank of the passage that the answer is cited from.
    pub place: f32,
    /// 1 where a matching triple has the answer for an end.
    pub stated: f32,
}

impl Signals {
    /// The signals of an answer; no answer has none. Cost O(words of the best passages).
    pub fn of(searcher: &Searcher, question: &Question, evidence: &Evidence, answer: &Answer) -> Self {
        let Some(text) = &answer.text else {
            return Self::default();
        };
        let knowledge = searcher.knowledge();
        let cited = answer.citations.first();
        let title = |chunk| knowledge.document(knowledge.chunk(chunk).document).title.as_str();
        let place = cited.and_then(|cited| {
            let mut passages = evidence.passages.iter();
            passages.position(|passage| title(passage.chunk) == cited.title)
        });
        let best = &evidence.passages[..evidence.passages.len().min(MAX_PASSAGES)];
        let agreed = best
            .iter()
            .filter(|passage| passage.direct > 0.0 && passage.path.is_some())
            .count();
        let lead = match best {
            [first, second, ..] if first.score > 0.0 => 1.0 - second.score / first.score,
            _ => 0.0,
        };
        let Shares {
            share: best_share,
            margin,
            chain,
        } = Shares::of(answer);
        let is_end = |end| knowledge.graph.entity(end).name == *text;
        let stated = evidence.triples.iter().any(|(id, _)| {
            let triple = knowledge.graph.triple(*id);
            is_end(triple.head) || is_end(triple.tail)
        });
        let held = cited.map(|cited| term::terms(&format!("{} {}", cited.title, cited.quote)));
        Self {
            is_foreign: is_foreign(searcher, &question.text),
            coverage: sufficiency(searcher, question, evidence),
            share: best_share,
            margin,
            chain,
            brevity: 1.0 / answer.history.len().max(1) as f32,
            kind: share(usize::from(answer.expected != Expected::Any), 1),
            fits: share(usize::from(fits(searcher, text, answer.expected)), 1),
            decided: share(usize::from(answer.history.is_empty()), 1),
            named: share(evidence.entities.len().min(3), 3),
            agreement: share(agreed, best.len()),
            lead,
            support: held.map_or(0.0, |held| support(searcher, question, &held.into_iter().collect())),
            place: place.map_or(0.0, |place| 1.0 / (place + 1) as f32),
            stated: share(usize::from(stated), 1),
        }
    }

    fn values(&self) -> [f64; N] {
        [
            self.coverage,
            self.share,
            self.margin,
            self.chain,
            self.brevity,
            self.kind,
            self.fits,
            self.decided,
            self.named,
            self.agreement,
            self.lead,
            self.support,
            self.place,
            self.stated,
        ]
        .map(f64::from)
    }
}

/// What the steps believed.
struct Shares {
    share: f32,
    margin: f32,
    chain: f32,
}

impl Shares {
    fn of(answer: &Answer) -> Self {
        let best = |thought: &Thought| thought.beliefs.first().map_or(0.0, |belief| belief.share);
        let Some((last, before)) = answer.history.split_last() else {
            return Self {
                share: 1.0,
                margin: 1.0,
                chain: 1.0,
            };
        };
        Self {
            share: best(last),
            margin: best(last) - last.beliefs.get(1).map_or(0.0, |belief| belief.share),
            chain: before.iter().map(best).product(),
        }
    }
}

/// Whether an answer is known to be of the kind asked for: of its type, a value, or yes or no.
fn fits(searcher: &Searcher, text: &str, expected: Expected) -> bool {
    let graph = &searcher.knowledge().graph;
    let is_of = |kind| {
        searcher
            .named(text)
            .iter()
            .any(|entity| graph.entity(*entity).entity_type == kind)
    };
    match expected {
        Expected::Entity(kind) => is_of(kind),
        Expected::Any => false,
        Expected::YesNo | Expected::Date | Expected::Number => true,
    }
}

fn share(n: usize, of: usize) -> f32 {
    n as f32 / of.max(1) as f32
}

/// The share of the question's words, by inverse document frequency, that are held.
fn support(searcher: &Searcher, question: &Question, held: &BTreeSet<String>) -> f32 {
    let idf = |word: &String| searcher.passages().idf(word);
    let asked: f32 = question.terms.iter().map(idf).sum();
    let shared: f32 = question.terms.iter().filter(|word| held.contains(*word)).map(idf).sum();
    if asked > 0.0 { shared / asked } else { 0.0 }
}

/// Whether a word of a question, written as a name, stands in no passage. The first word is written so anyway.
fn is_foreign(searcher: &Searcher, question: &str) -> bool {
    let words = question
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let names = words.skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let mut terms = names.flat_map(term::terms);
    terms.any(|term| searcher.passages().document_frequency(&term) == 0)
}

/// An answer's signals and how right it was, 0..=1.
pub type Example = (Signals, f64);

/// A fitted model and the probability from which reject mode answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Weight of each signal, in the order of [`SIGNALS`].
    pub weights: [f64; N],
    /// Log-odds with no signal.
    pub bias: f64,
    /// Least probability of being right with which reject mode answers, 0..=1.
    pub threshold: f64,
}

/// What the program comes with.
static SHIPPED: LazyLock<Option<Calibration>> =
    LazyLock::new(|| serde_json::from_str(include_str!("answer/weights.calibration.json")).ok());

impl Default for Calibration {
    /// The one that ships: `banyan eval answers --fit` wrote it beside the weights of the answerer, from answers to
    /// questions that the weights behind them had not seen. A test holds that it can be read.
    fn default() -> Self {
        SHIPPED.clone().unwrap_or(Self {
            weights: [0.0; N],
            bias: 0.0,
            threshold: 0.0,
        })
    }
}

impl Calibration {
    /// The model for `examples`, with the threshold at which `coverage` of them are answered. Cost O(examples). Without
    /// examples every answer is as likely right as wrong.
    pub fn fit(examples: &[Example], coverage: f64) -> Self {
        let mut model = Self {
            weights: [0.0; N],
            bias: 0.0,
            threshold: 0.0,
        };
        let n = examples.len().max(1) as f64;
        for _ in 0..N_STEPS {
            let (mut slopes, mut slope) = (model.weights.map(|weight| RIDGE * weight), 0.0);
            for (signals, right) in examples {
                let error = (model.probability(signals) - right) / n;
                slope += error;
                for (sum, value) in slopes.iter_mut().zip(signals.values()) {
                    *sum += error * value;
                }
            }
            model.bias -= STEP * slope;
            for (weight, slope) in model.weights.iter_mut().zip(slopes) {
                *weight -= STEP * slope;
            }
        }
        let mut sure: Vec<f64> = examples.iter().map(|(signals, _)| model.probability(signals)).collect();
        sure.sort_by(|a, b| b.total_cmp(a));
        model.threshold = at(&sure, coverage);
        model
    }

    /// How likely an answer with these signals is right, 0..=1.
    pub fn probability(&self, signals: &Signals) -> f64 {
        let weighted = self
            .weights
            .iter()
            .zip(signals.values())
            .map(|(weight, value)| weight * value);
        1.0 / (1.0 + (-(self.bias + weighted.sum::<f64>())).exp())
    }

    /// The answer with its probability for sufficiency; in reject mode it is held back below the threshold.
    #[must_use]
    pub fn judge(&self, mode: Mode, signals: &Signals, answer: Answer) -> Answer {
        let probability = answer.text.as_ref().map_or(0.0, |_| self.probability(signals));
        let is_unsure = probability < self.threshold || signals.is_foreign;
        let is_rejected = mode == Mode::Reject && is_unsure;
        Answer {
            text: answer.text.filter(|_| !is_rejected),
            // A probability fits.
            #[allow(clippy::cast_possible_truncation, reason = "0..=1")]
            sufficiency: probability as f32,
            is_rejected,
            ..answer
        }
    }
}

/// The value that a `share` of `sorted`, best first, reaches; 0 for none.
fn at(sorted: &[f64], share: f64) -> f64 {
    let reached = (0..sorted.len()).find(|position| (position + 1) as f64 >= share * sorted.len() as f64 - 1e-9);
    reached.map_or(0.0, |position| sorted[position])
}

/// The probability of each example by a model that was fitted to the others: to all folds but its own, where example `i`
/// is in fold `i % n_folds`. Cost O(folds · examples).
pub fn held_back(examples: &[Example], n_folds: usize) -> Vec<f64> {
    let n_folds = n_folds.max(2);
    let models: Vec<Calibration> = (0..n_folds)
        .map(|fold| {
            let others = examples.iter().enumerate().filter(|(at, _)| at % n_folds != fold);
            Calibration::fit(&others.map(|(_, example)| *example).collect::<Vec<_>>(), 0.5)
        })
        .collect();
    let probability = |(at, (signals, _)): (usize, &Example)| models[at % n_folds].probability(signals);
    examples.iter().enumerate().map(probability).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(coverage: f32, right: f64) -> Example {
        (
            Signals {
                coverage,
                ..Signals::default()
            },
            right,
        )
    }

    #[test]
    fn without_signals_the_probability_is_the_share_of_right_answers() {
        let examples = [
            example(0.0, 1.0),
            example(0.0, 0.0),
            example(0.0, 0.0),
            example(0.0, 0.0),
        ];
        let model = Calibration::fit(&examples, 0.5);
        assert!((model.probability(&Signals::default()) - 0.25).abs() < 1e-3);
    }

    #[test]
    fn a_signal_that_tells_right_from_wrong_raises_the_probability() {
        let examples: Vec<Example> = (0..40).map(|i| example((i % 2) as f32, f64::from(i % 2))).collect();
        let model = Calibration::fit(&examples, 0.5);
        let (low, high) = (model.probability(&examples[0].0), model.probability(&examples[1].0));
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
        assert!((model.threshold - high).abs() < 1e-12);
        let held = held_back(&examples, 5);
        assert!(
            held.iter()
                .zip(&examples)
                .all(|(p, (_, right))| (p - right).abs() < 0.25)
        );
    }

    #[test]
    fn the_shipped_calibration_can_be_read_and_trusts_what_covers_the_question() {
        let shipped = Calibration::default();
        assert_eq!(SHIPPED.as_ref(), Some(&shipped));
        let sure = |coverage| shipped.probability(&example(coverage, 0.0).0);
        assert!(sure(1.0) > sure(0.0) && shipped.threshold > 0.0);
    }

    #[test]
    fn no_examples_leave_even_odds() {
        let model = Calibration::fit(&[], 0.5);
        assert!((model.probability(&Signals::default()) - 0.5).abs() < 1e-12);
        assert!(held_back(&[], 5).is_empty());
    }
}

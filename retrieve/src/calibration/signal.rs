//! What speaks for an answer, as numbers.

use crate::agent::Thought;
use crate::answer::sufficiency::sufficiency;
use crate::answer::{Answer, Citation, Expected};
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;
use std::collections::BTreeSet;

/// How many signals there are.
pub(super) const N: usize = 19;
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
    "strength",
    "weakest",
    "anchored",
    "covered",
    "value",
];
/// Passages that are asked whether routes agree on them: as many as the longest chains of the development sets.
const MAX_PASSAGES: usize = 4;

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
    /// The learned score of the answer, as a share of the largest that counts.
    pub strength: f32,
    /// The lowest share of belief of any step's best answer.
    pub weakest: f32,
    /// Share of the steps whose best answer stands in a passage that names what the step asks about.
    pub anchored: f32,
    /// Share of the question's words that all cited sentences and their titles hold together.
    pub covered: f32,
    /// 1 where a date or a number is asked for.
    pub value: f32,
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
        let steps = Steps::of(answer);
        let is_end = |end| knowledge.graph.entity(end).name == *text;
        let stated = evidence.triples.iter().any(|(id, _)| {
            let triple = knowledge.graph.triple(*id);
            is_end(triple.head) || is_end(triple.tail)
        });
        let held = |cited: &[Citation]| -> BTreeSet<String> {
            let texts = cited.iter().flat_map(|cited| [&cited.title, &cited.quote]);
            texts.flat_map(|text| term::terms(text)).collect()
        };
        let supported = |n: usize| {
            support(
                searcher,
                question,
                &held(&answer.citations[..answer.citations.len().min(n)]),
            )
        };
        Self {
            is_foreign: is_foreign(searcher, &question.text),
            coverage: sufficiency(searcher, question, evidence),
            share: steps.share,
            margin: steps.margin,
            chain: steps.chain,
            brevity: 1.0 / answer.history.len().max(1) as f32,
            kind: share(usize::from(answer.expected != Expected::Any), 1),
            fits: share(usize::from(fits(searcher, text, answer.expected)), 1),
            decided: share(usize::from(answer.history.is_empty()), 1),
            named: share(evidence.entities.len().min(3), 3),
            agreement: share(agreed, best.len()),
            lead,
            support: supported(1),
            place: place.map_or(0.0, |place| 1.0 / (place + 1) as f32),
            stated: share(usize::from(stated), 1),
            strength: steps.strength,
            weakest: steps.weakest,
            anchored: steps.anchored,
            covered: supported(answer.citations.len()),
            value: share(
                usize::from(matches!(answer.expected, Expected::Date | Expected::Number)),
                1,
            ),
        }
    }

    pub(super) fn values(&self) -> [f64; N] {
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
            self.strength,
            self.weakest,
            self.anchored,
            self.covered,
            self.value,
        ]
        .map(f64::from)
    }
}

/// Learned scores beyond this count as this much. Arbitrary: few are higher.
const MAX_STRENGTH: f32 = 12.0;

/// What the steps believed.
struct Steps {
    share: f32,
    margin: f32,
    chain: f32,
    strength: f32,
    weakest: f32,
    anchored: f32,
}

impl Steps {
    /// Without steps, where things were compared, all is believed.
    fn of(answer: &Answer) -> Self {
        let best = |thought: &Thought| thought.beliefs.first().map_or(0.0, |belief| belief.share);
        let Some((last, before)) = answer.history.split_last() else {
            return Self {
                share: 1.0,
                margin: 1.0,
                chain: 1.0,
                strength: 1.0,
                weakest: 1.0,
                anchored: 1.0,
            };
        };
        let first = |thought: &Thought| {
            thought
                .beliefs
                .first()
                .map_or((0.0, false), |belief| (belief.score, belief.is_anchored))
        };
        let n_anchored = answer.history.iter().filter(|thought| first(thought).1).count();
        Self {
            share: best(last),
            margin: best(last) - last.beliefs.get(1).map_or(0.0, |belief| belief.share),
            chain: before.iter().map(best).product(),
            strength: (first(last).0 / MAX_STRENGTH).clamp(0.0, 1.0),
            weakest: answer.history.iter().map(best).fold(1.0, f32::min),
            anchored: share(n_anchored, answer.history.len()),
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

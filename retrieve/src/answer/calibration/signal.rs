//! What speaks for an answer, as numbers.

use crate::agent::Thought;
use crate::answer::sentence::{coverage, support};
use crate::answer::{Answer, Expected};
use crate::evidence::Evidence;
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::index::term;

/// How many signals there are.
pub const N_SIGNALS: usize = 10;
/// Their names, in the order of [`Signals::values`]:
///
/// | name | what it is, 0..=1 |
/// |---|---|
/// | coverage | share of the question's words, by rarity, that the best passages hold |
/// | covered | share of them that the cited sentences and their titles hold |
/// | place | 1 over the rank of the passage that the answer is cited from |
/// | kind | 1 where the question asks for a kind of thing, 0 where anything goes |
/// | fits | 1 where the answer is known to be of that kind |
/// | decided | 1 where things were compared, not read |
/// | share | share of belief of the answer among all possible ones of the last step; 1 where things were compared |
/// | margin | how far that is ahead of the second's |
/// | chain | product of the best shares of the steps before; 1 without such steps |
/// | weakest | the lowest share of any step's best answer |
pub const SIGNALS: [&str; N_SIGNALS] = [
    "coverage", "covered", "place", "kind", "fits", "decided", "share", "margin", "chain", "weakest",
];

/// What speaks for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Whether the question names something that no passage does. Reject mode refuses it whatever the fit says: sets with
    /// answers hold no such questions to fit to.
    pub is_foreign: bool,
    /// By [`SIGNALS`].
    pub values: [f64; N_SIGNALS],
}

impl Signals {
    /// The signals of an answer; no answer has none. Cost O(words of the best passages).
    pub fn of(searcher: &Searcher, question: &Question, evidence: &Evidence, answer: &Answer) -> Self {
        let Some(text) = &answer.text else {
            return Self::default();
        };
        let cited = answer.citations.iter().flat_map(|cited| [&cited.title, &cited.quote]);
        let cited = cited.flat_map(|text| term::terms(text)).collect();
        let beliefs = beliefs(&answer.history);
        let values = [
            coverage(searcher, question, evidence),
            support(searcher, question, &cited),
            place(searcher, evidence, answer),
            on(answer.expected != Expected::Any),
            on(fits(searcher, text, answer.expected)),
            on(answer.history.is_empty()),
        ];
        let mut all = values.into_iter().chain(beliefs).map(f64::from);
        Self {
            is_foreign: is_foreign(searcher, &question.text),
            values: std::array::from_fn(|_| all.next().unwrap_or_default()),
        }
    }
}

fn on(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// 1 over the rank of the document that is cited first; 0 where it is not among the passages.
fn place(searcher: &Searcher, evidence: &Evidence, answer: &Answer) -> f32 {
    let knowledge = searcher.knowledge();
    let title = |chunk| &knowledge.document(knowledge.chunk(chunk).document).title;
    let cited = answer.citations.first();
    let place = cited.and_then(|cited| {
        let mut passages = evidence.passages.iter();
        passages.position(|passage| *title(passage.chunk) == cited.title)
    });
    place.map_or(0.0, |place| 1.0 / (place + 1) as f32)
}

/// Share, margin, chain and weakest. Without steps, where things were compared, all is believed.
fn beliefs(history: &[Thought]) -> [f32; 4] {
    let share = |thought: &Thought, rank: usize| thought.beliefs.get(rank).map_or(0.0, |belief| belief.share);
    let Some((last, before)) = history.split_last() else {
        return [1.0; 4];
    };
    let best = |thought| share(thought, 0);
    [
        best(last),
        best(last) - share(last, 1),
        before.iter().map(best).product(),
        history.iter().map(best).fold(1.0, f32::min),
    ]
}

/// Whether an answer is known to be of the kind asked for: of its type, a value, or yes or no.
fn fits(searcher: &Searcher, text: &str, expected: Expected) -> bool {
    let graph = &searcher.knowledge().graph;
    match expected {
        Expected::Entity(kind) => {
            let mut named = searcher.named(text).iter();
            named.any(|entity| graph.entity(*entity).entity_type == kind)
        }
        Expected::Any => false,
        Expected::YesNo | Expected::Date | Expected::Number => true,
    }
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

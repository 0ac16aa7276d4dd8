//! What speaks for an answer, as numbers.

use crate::agent::Thought;
use crate::answer::{Considered, Expected};
use crate::searcher::Searcher;
use crate::sentence::{ALIKE, SCORE};

/// How many signals there are.
pub const N_SIGNALS: usize = 11;
/// What speaks for a short answer; no answer has nothing. Cost O(sentences).
///
/// | name | what it is, 0..=1 |
/// |---|---|
/// | best | how likely the best sentence of the evidence is right |
/// | sentence | share of the sentence that the answer is cited from, see [`Sentence::share`](crate::sentence::Sentence) |
/// | covered | share of the question's words, by rarity, that this sentence, its title and its headings hold, or words alike |
/// | score | score of its passage by that of the best |
/// | kind | 1 where the question asks for a kind of thing, 0 where anything goes |
/// | fits | 1 where the answer is known to be of that kind |
/// | decided | 1 where things were compared, not read |
/// | share | share of belief of the answer among all possible ones of the last step; 1 where things were compared |
/// | margin | how far that is ahead of the second's |
/// | chain | product of the best shares of the steps before; 1 without such steps |
/// | weakest | the lowest share of any step's best answer |
pub fn signals(searcher: &Searcher, considered: &Considered) -> [f64; N_SIGNALS] {
    let Considered {
        answer,
        ranked,
        best,
        source,
        ..
    } = considered;
    let Some(text) = &answer.text else {
        return [0.0; N_SIGNALS];
    };
    let cited = ranked
        .iter()
        .find(|sentence| Some((sentence.chunk, sentence.span)) == *source);
    let [share, margin, chain, weakest] = beliefs(&answer.history);
    let values = [
        cited.map_or(0.0, |sentence| sentence.share),
        cited.map_or(0.0, |sentence| sentence.row[ALIKE]),
        cited.map_or(0.0, |sentence| sentence.row[SCORE]),
        on(answer.expected != Expected::Any),
        on(fits(searcher, text, answer.expected)),
        on(answer.history.is_empty()),
        share,
        margin,
        chain,
        weakest,
    ];
    let mut signals = [*best; N_SIGNALS];
    for (signal, value) in signals[1..].iter_mut().zip(values) {
        *signal = f64::from(value);
    }
    signals
}

fn on(is: bool) -> f32 {
    f32::from(u8::from(is))
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

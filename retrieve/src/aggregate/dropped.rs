//! What a query leaves out of its question: an answer without it would be one to another question.

use super::mark::Meaning;
use super::operation::{Reading, is_small};
use super::query::Query;

/// From this fit on words say a column. Arbitrary: three quarters of its name.
const SAID: f32 = 0.75;
/// Words before a thing that records are to have.
const HAVING: &[&str] = &[
    "with",
    "without",
    "have",
    "has",
    "having",
    "offer",
    "offers",
    "offering",
    "feature",
    "features",
    "featuring",
    "lack",
    "lacking",
];
const ARTICLES: &[&str] = &["a", "an", "the", "no", "any", "its", "their", "own"];
/// Words between them.
const REACH: usize = 3;

/// What restricts the records in words that say a column only in part and that the query leaves out: `offering an airport
/// shuttle`, where there is no more than a distance to the airport.
pub(super) fn dropped(reading: &Reading<'_>, query: &Query) -> Option<String> {
    let read = query.columns();
    let marks = reading.marked.marks.iter().enumerate();
    let left_out = marks.filter(|(at, mark)| match &mark.meaning {
        Meaning::Column(found) => {
            let is_part = found.iter().all(|(_, fit)| *fit < SAID) && !is_small(&reading.marked.text(mark));
            is_part && !reading.bindings.used[*at] && !found.iter().any(|(column, _)| read.contains(column))
        }
        _ => false,
    });
    let first = left_out.map(|(_, mark)| reading.marked.text(mark)).next();
    first.or_else(|| unknown_thing(reading))
}

/// A word that means nothing here at the end of what records are to have: `with a helipad`.
fn unknown_thing(reading: &Reading<'_>) -> Option<String> {
    let Reading { marked, .. } = reading;
    let is_open = |at: usize| {
        let mark = &marked.marks[at];
        mark.meaning == Meaning::Word && !is_small(&marked.text(mark))
    };
    let asks = |at: usize| {
        let from = marked.marks[at].from;
        let before = marked.words[from.saturating_sub(REACH)..from].iter().rev();
        let before: Vec<&str> = before.map(|word| word.lower.as_str()).collect();
        let cue = before.iter().position(|word| HAVING.contains(word));
        cue.is_some_and(|cue| {
            before[..cue]
                .iter()
                .all(|word| ARTICLES.contains(word) || !is_small(word))
        })
    };
    let is_last = |at: usize| {
        let is_thing = |next: usize| match &marked.marks[next].meaning {
            Meaning::Word => is_open(next),
            Meaning::Column(_) | Meaning::Value { .. } => true,
            _ => false,
        };
        at + 1 == marked.marks.len() || !is_thing(at + 1) || marked.has_break(at, at + 1)
    };
    let found = (0..marked.marks.len()).find(|at| is_open(*at) && is_last(*at) && asks(*at));
    found.map(|at| marked.text(&marked.marks[at]))
}

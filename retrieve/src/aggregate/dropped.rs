//! What a query leaves out of its question: an answer without it would be one to another question.

use super::mark::{Mark, Meaning};
use super::operation::{Reading, is_small};
use super::query::{Condition, Operand, Operator, Query, Shape};
use banyan_extract::record::term::terms_of as units_of;

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
    first
        .or_else(|| unknown_thing(reading))
        .or_else(|| unknown_name(reading))
        .or_else(|| lost_link(reading, query))
}

/// A name that no record has: `hotels in Paris` are not all hotels. It may stand within the words that were taken for a column.
fn unknown_name(reading: &Reading<'_>) -> Option<String> {
    let Reading { marked, catalogue, .. } = reading;
    let is_said = |at: usize, mark: &Mark, found: &[(usize, f32)]| {
        let lower: Vec<String> = marked.words[mark.from..mark.to]
            .iter()
            .map(|word| word.lower.clone())
            .collect();
        let units = units_of(&lower);
        let own = units
            .iter()
            .find(|unit| (unit.start..unit.end).contains(&(at - mark.from)));
        let mut views = found.iter().map(|(column, _)| &catalogue.columns[*column]);
        own.is_none_or(|own| {
            views.any(|view| {
                view.units
                    .iter()
                    .chain(&view.description)
                    .any(|unit| unit.likeness(own) > 0.0)
            })
        })
    };
    let is_known = |at: usize, mark: &Mark| match &mark.meaning {
        Meaning::Word => false,
        Meaning::Column(found) => is_said(at, mark, found),
        _ => true,
    };
    let words = marked
        .marks
        .iter()
        .flat_map(|mark| (mark.from..mark.to).map(move |at| (at, mark)));
    let is_name = |at: usize| {
        let text = &marked.words[at].text;
        at > 0 && text.starts_with(char::is_uppercase) && !is_small(text)
    };
    let mut unknown = words.filter(|(at, mark)| is_name(*at) && !is_known(*at, mark));
    unknown.next().map(|(at, _)| marked.words[at].text.clone())
}

/// A negation that denies nothing in the query, an `or` between conditions that must all hold, or a column to group by that
/// nothing is grouped by.
fn lost_link(reading: &Reading<'_>, query: &Query) -> Option<String> {
    let conditions = &query.conditions;
    let of = |meaning: Meaning| {
        let mark = reading.marked.marks.iter().find(|mark| mark.meaning == meaning)?;
        Some(reading.marked.text(mark))
    };
    let sets_apart = matches!(query.shape, Shape::Versus { .. } | Shape::Difference { .. });
    let denies = |one: &Condition| one.operator == Operator::Unequal || one.operand == Operand::Flag(false);
    let is_lost = !sets_apart && !conditions.iter().any(denies);
    if let Some(word) = of(Meaning::Not).filter(|_| is_lost) {
        return Some(word);
    }
    let is_list = |one: &Condition| match &one.operand {
        Operand::Texts(list) => list.len() > 1,
        Operand::Years(list) => list.len() > 1,
        _ => false,
    };
    let all_hold = !sets_apart && conditions.len() > 1 && !conditions.iter().any(is_list);
    if let Some(word) = of(Meaning::Or).filter(|_| all_hold) {
        return Some(word);
    }
    let read = query.columns();
    let marks = reading.marked.marks.iter().filter(|mark| match &mark.meaning {
        Meaning::Column(found) => !found.iter().any(|(column, _)| read.contains(column)),
        _ => false,
    });
    let mut by = marks.filter(|mark| mark.from > 0 && reading.marked.words[mark.from - 1].lower == "by");
    by.next().map(|mark| format!("by {}", reading.marked.text(mark)))
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

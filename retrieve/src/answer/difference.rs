//! Arithmetic on what two texts say: "How old was Mara Voss when she died?", "How many years after Tidd Bridge was Ansay
//! Pier built?", "How much longer is the Ondle than the Skelva?", "How many people live in both together?".

use super::Found;
use super::date::{Date, Period};
use super::subject::{Measured, Subject};
use crate::question::Question;
use crate::searcher::Searcher;
use banyan_engine::{ChunkId, EntityId, Span};
use banyan_extract::record::literal::{convert, unit_of};

/// What is to be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// The age of somebody at an event.
    Age,
    /// The time between two events.
    Between(Period),
    /// By how much a number is larger than another one.
    More,
    /// Two numbers together.
    Total,
}

/// An event with the sentence that dates it.
type Dated = (Date, (ChunkId, Span));

/// What the question asks to be computed of the things that it names, from the sentences that say their dates or numbers.
/// `None` where it asks for nothing of the kind, names other than one or two things that documents are about, or where a
/// date, a number or a common unit is missing. Cost O(length of their documents).
pub(super) fn compute(searcher: &Searcher, question: &Question) -> Option<Found> {
    let task = task(&question.text)?;
    let things = things(searcher, &question.text);
    match task {
        Task::Age => age(searcher, &question.text, things.as_slice()),
        Task::Between(period) => between(searcher, &question.text, &things, period),
        Task::More | Task::Total => numbers(searcher, question, &things, task),
    }
}

/// Whether a question asks for something that is computed.
pub(crate) fn is_asked(question: &str) -> bool {
    task(question).is_some()
}

/// Reads what is to be computed from the words of a question.
fn task(question: &str) -> Option<Task> {
    let plain = plain(question);
    let has = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    let is_age = has(&[" how old was ", " how old were ", " how old would "])
        && has(&[
            " when ",
            " at the time of ",
            " at his death",
            " at her death",
            " in 1",
            " in 2",
        ]);
    if is_age || has(&[" at what age did ", " at which age did ", " how old did "]) {
        return Some(Task::Age);
    }
    let counted = plain.strip_prefix(" how many ").unwrap_or_default();
    if let Some(period) = Period::of(counted.split(' ').next().unwrap_or_default())
        && has(&[
            " between ",
            " after ",
            " before ",
            " later ",
            " earlier ",
            " older ",
            " younger ",
            " separate ",
            " apart ",
        ])
    {
        return Some(Task::Between(period));
    }
    if has(&[
        " how much older ",
        " how much younger ",
        " how much earlier ",
        " how much later ",
    ]) {
        return Some(Task::Between(Period::Year));
    }
    let compares = has(&[" than "]) && has(&[" how much ", " how many more ", " how many fewer "]);
    if compares || has(&[" difference in "]) {
        return Some(Task::More);
    }
    let adds = has(&[" together ", " combined ", " in total ", " altogether "]);
    (adds && has(&[" how ", " what "])).then_some(Task::Total)
}

/// The words of a text in lower case, one space around each.
fn plain(text: &str) -> String {
    let mut plain = String::from(" ");
    for word in text
        .split(|ch: char| !ch.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        plain.extend(word.chars().flat_map(char::to_lowercase));
        plain.push(' ');
    }
    plain
}

/// A thing that the question names and some document is about.
struct Thing {
    /// Where the question names it.
    span: Span,
    subject: Subject,
}

fn things(searcher: &Searcher, question: &str) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    let mut from = 0;
    for name in searcher.names_in(question) {
        let Some(at) = question[from..].find(&name).map(|at| at + from) else {
            continue;
        };
        from = at + name.len();
        let subject = |entity: &EntityId| Subject::of(searcher, *entity).first().copied();
        let Some(subject) = searcher.named(&name).iter().find_map(subject) else {
            continue;
        };
        if things.iter().all(|known| known.subject.entity != subject.entity) {
            things.push(Thing {
                span: Span::new(at, from),
                subject,
            });
        }
    }
    things
}

/// The age of the first thing named, in whole years.
fn age(searcher: &Searcher, question: &str, things: &[Thing]) -> Option<Found> {
    let (first, others) = things.split_first()?;
    let birth = first.subject.born(searcher)?;
    let clause = when_clause(question);
    let event = match others {
        _ if says_death(question) => first.subject.died(searcher)?,
        [] => (year(clause)?, birth.1),
        [other] => event(searcher, other, clause)?,
        _ => return None,
    };
    let years = birth.0.until(event.0, Period::Year).filter(|years| *years > 0)?;
    Some(found(years.to_string(), &[birth, event].map(|one| one.1)))
}

/// What follows "when" or "in", to the end.
fn when_clause(question: &str) -> &str {
    let at = question.find(" when ").or_else(|| question.rfind(" in "));
    at.map_or(question, |at| &question[at..])
}

fn says_death(text: &str) -> bool {
    let plain = plain(text);
    [" die ", " died ", " death ", " dies "]
        .iter()
        .any(|word| plain.contains(word))
}

/// The first year of four digits that a text names.
fn year(text: &str) -> Option<Date> {
    let mut words = text.split(|ch: char| !ch.is_alphanumeric());
    words
        .find(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(Date::parse)
}

/// The time between what the question says of two things, or of one thing and a year.
fn between(searcher: &Searcher, question: &str, things: &[Thing], period: Period) -> Option<Found> {
    let (first, second) = match things {
        [one, other] => {
            let joint = one.span.end as usize;
            let is_birth = [" older ", " younger "]
                .iter()
                .any(|word| plain(question).contains(word));
            let (left, right) = if is_birth {
                (question, question)
            } else {
                halves(question, joint, other.span.start as usize)
            };
            (event(searcher, one, left)?, event(searcher, other, right)?)
        }
        [one] => {
            let dated = event(searcher, one, question)?;
            (dated, (year(question)?, dated.1))
        }
        _ => return None,
    };
    let (earlier, later) = if first.0 <= second.0 {
        (first, second)
    } else {
        (second, first)
    };
    let n = earlier.0.until(later.0, period)?;
    Some(found(n.to_string(), &[first.1, second.1]))
}

/// The two parts of a question around the word that sets two things apart.
fn halves(question: &str, end: usize, start: usize) -> (&str, &str) {
    let between = &question[end..start];
    let joints = [" than ", " and ", " after ", " before ", " until "];
    let at = joints.iter().find_map(|joint| between.find(joint)).unwrap_or(0);
    (&question[..end + at], &question[end + at..])
}

/// When what the words say of a thing happened: birth, death, or the date that a sentence with one of the words tells.
fn event(searcher: &Searcher, thing: &Thing, words: &str) -> Option<Dated> {
    let plain = plain(words);
    let has = |list: &[&str]| list.iter().any(|word| plain.contains(word));
    if says_death(words) {
        return thing.subject.died(searcher);
    }
    if has(&[" born ", " birth ", " older ", " younger ", " old "])
        && let Some(birth) = thing.subject.born(searcher)
    {
        return Some(birth);
    }
    thing.subject.dated(searcher, &Question::new(words, None))
}

/// Two numbers of one unit, taken from each other or added.
fn numbers(searcher: &Searcher, question: &Question, things: &[Thing], task: Task) -> Option<Found> {
    let [one, other] = things else { return None };
    let first = one.subject.measured(searcher, question)?;
    let second = other.subject.measured(searcher, question)?;
    let (left, right) = commensurable(&first, &second)?;
    // A number without a unit, in a sentence that has no word of the question, is about something else.
    let is_meant = |one: &Measured| one.shared > 0 || unit_of(&one.unit).is_some();
    if !is_meant(&first) || !is_meant(&second) {
        return None;
    }
    let value = if task == Task::Total {
        left + right
    } else {
        (left - right).abs()
    };
    let digits = decimals(left).max(decimals(right));
    let text = format!("{} {}", grouped(value, digits), first.unit);
    Some(found(text.trim_end().to_owned(), &[first.place, second.place]))
}

/// Two values in the unit of the first; `None` where their units measure different things or only one has a unit.
pub(super) fn commensurable(first: &Measured, second: &Measured) -> Option<(f64, f64)> {
    if first.unit == second.unit {
        return Some((first.value, second.value));
    }
    let (own, other) = (unit_of(&first.unit)?, unit_of(&second.unit)?);
    Some((first.value, convert(second.value, other, own)?))
}

/// Decimals that a value is written with, at most 3.
fn decimals(value: f64) -> usize {
    let is_written = |n: &usize| {
        let scaled = value * 10f64.powi(i32::try_from(*n).unwrap_or(0));
        (scaled - scaled.round()).abs() < 1e-6
    };
    (0..3).find(is_written).unwrap_or(3)
}

/// A number with a comma between groups of three digits, as English writes it.
fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{value:.decimals$}");
    let (whole, rest) = plain
        .split_once('.')
        .map_or((plain.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(rest) = rest {
        text.push('.');
        text.push_str(rest);
    }
    text
}

fn found(text: String, places: &[(ChunkId, Span)]) -> Found {
    let mut support = places.to_vec();
    support.dedup();
    Found { text, support }
}

#[cfg(test)]
mod tests;

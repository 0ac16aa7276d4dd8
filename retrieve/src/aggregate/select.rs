//! The shape of what is left: columns of records; and what a noun that no column is called stands for.

use super::mark::{Ask, Meaning};
use super::operation::{Focus, Reading, is_small};
use super::parse::Found;
use super::parse::{Refusal, refusal, unlinked};
use super::query::{Condition, Shape};
use banyan_engine::table::Kind;

/// What a second question word asks for: `…, and in which year?`
pub(super) fn further(reading: &Reading<'_>, asked: usize, key: Option<usize>) -> Vec<usize> {
    let marks = &reading.marked.marks;
    let second = (asked + 1..marks.len())
        .filter(|at| matches!(marks[*at].meaning, Meaning::Ask(ask) if ask != Ask::YesNo && ask != Ask::HowMany));
    second
        .filter_map(|at| match reading.focus(at + 1) {
            Focus::Column(column) => Some(column),
            Focus::Record => key,
            _ if marks[at].meaning == Meaning::Ask(Ask::When) => reading.catalogue.time_columns().first().copied(),
            _ => None,
        })
        .collect()
}

/// The column for a noun that no column is called: the role that the sentence names, as in `which country hosted`.
pub(super) fn named_by(reading: &Reading<'_>, mark: usize, asked: usize) -> Option<usize> {
    let word = reading.marked.text(&reading.marked.marks[mark]).to_lowercase();
    let is_time = matches!(word.as_str(), "year" | "years" | "date" | "day");
    if is_time {
        return reading.catalogue.time_columns().first().copied();
    }
    reading.role(asked + 1)
}

/// `who was the runner-up in 1990`, `which hotels have a pool`, `list the cities`.
pub(super) fn select(reading: &Reading<'_>, all: Vec<Condition>) -> Result<Found, Refusal> {
    let (asked, ask) = reading.ask().unwrap_or((0, Ask::What));
    let catalogue = reading.catalogue;
    let key = catalogue.key;
    let column = match reading.focus(asked + usize::from(reading.ask().is_some())) {
        Focus::Column(column) if ask == Ask::HowMany && reading.kind(column) == Kind::Boolean => {
            return Err(refusal(unlinked(reading), catalogue));
        }
        Focus::Column(_) if ask == Ask::Who => reading.role(asked),
        Focus::Column(column) => Some(column),
        Focus::Record | Focus::None | Focus::Unknown(_) if ask == Ask::When => time_of(reading, asked),
        Focus::Record | Focus::None if ask == Ask::Who => reading.role(asked),
        Focus::Record => key,
        Focus::None => reading
            .any_column(|_| true)
            .map(|(_, column)| column)
            .or(key.filter(|_| !all.is_empty())),
        Focus::Unknown(mark) => {
            let word = reading.marked.text(&reading.marked.marks[mark]);
            Some(named_by(reading, mark, asked).ok_or_else(|| refusal(vec![word], catalogue))?)
        }
    };
    let column = column.ok_or_else(|| refusal(unlinked(reading), catalogue))?;
    let mut columns = vec![column];
    columns.extend(also(reading, asked, column));
    columns.extend(further(reading, asked, key));
    let mut seen = Vec::new();
    columns.retain(|column| {
        !seen.contains(column) && {
            seen.push(*column);
            true
        }
    });
    if all.is_empty()
        && Some(column) != key
        && matches!(ask, Ask::What | Ask::Who | Ask::When | Ask::Where)
        && catalogue.n_records > 1
        && reading.find(|meaning| *meaning == Meaning::Record).is_none()
    {
        let words = unlinked(reading);
        if !words.is_empty() {
            return Err(refusal(words, catalogue));
        }
    }
    Ok((Shape::Select(columns), all))
}

/// The column in time that `when` asks for.
pub(super) fn time_of(reading: &Reading<'_>, asked: usize) -> Option<usize> {
    let own = reading
        .column_in(asked, reading.marked.marks.len(), Kind::is_time)
        .map(|(_, column)| column);
    own.or_else(|| reading.catalogue.time_columns().first().copied())
}

/// Columns joined to the first by `and`: `the name and the price`.
fn also(reading: &Reading<'_>, asked: usize, first: usize) -> Vec<usize> {
    let marks = &reading.marked.marks;
    let Some(start) = (asked..marks.len()).find(|at| {
        reading.column_at(*at, |_| true).is_some_and(|column| column == first) || marks[*at].meaning == Meaning::Record
    }) else {
        return Vec::new();
    };
    let mut columns = Vec::new();
    let mut joined = false;
    for (at, mark) in marks.iter().enumerate().skip(start + 1) {
        match &mark.meaning {
            Meaning::And => joined = true,
            Meaning::Column(_) if joined && !reading.bindings.used[at] => {
                columns.extend(reading.column_at(at, |kind| kind != Kind::Boolean));
                joined = false;
            }
            Meaning::Word if is_small(&reading.marked.text(mark)) && joined => {}
            _ => break,
        }
    }
    columns
}

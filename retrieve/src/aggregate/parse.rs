//! A question to a query: the common shapes, tried from the most particular to the most general.

use super::catalogue::Catalogue;
use super::dropped::dropped;
use super::filter::bind;
use super::mark::{Aggregate, Ask, Marked, Meaning};
use super::operation::{Focus, Reading, is_small};
use super::query::{Condition, Expr, Function, Query, Shape};
use super::select::{further, named_by, select, time_of};
use super::versus::{difference, percentage, ratio, versus};
use banyan_engine::table::Kind;

/// A question that is not answered, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// What could not be linked, in the question's words; empty where the whole shape is unknown.
    pub words: Vec<String>,
    /// One sentence for people.
    pub reason: String,
}

/// How the note begins that tells which words were passed over.
pub(super) const IGNORED: &str = "not understood";

/// Translates a question. Cost O(words · columns).
///
/// # Errors
/// [`Refusal`] where what is asked for, or what restricts it, matches no column: it is not guessed.
pub fn parse(question: &str, catalogue: &Catalogue) -> Result<Query, Refusal> {
    let marked = Marked::new(question, catalogue);
    let bindings = bind(&marked, catalogue);
    if let Some(words) = bindings.unbound.first() {
        return Err(refusal(vec![words.clone()], catalogue));
    }
    let reading = Reading {
        marked: &marked,
        catalogue,
        bindings: &bindings,
    };
    let (shape, conditions) = shape(&reading)?;
    let mut notes = bindings.notes.clone();
    notes.extend(implied(&reading, &shape));
    let ignored: Vec<String> = unlinked(&reading);
    if !ignored.is_empty() && bindings.is_ambiguous {
        // Which of its columns a value is of, the words that are not known would have said.
        return Err(refusal(ignored, catalogue));
    }
    if !ignored.is_empty() {
        notes.push(format!("{IGNORED}: {}", ignored.join(", ")));
    }
    let query = Query {
        shape,
        conditions,
        notes,
    };
    match dropped(&reading, &query) {
        Some(words) => Err(refusal(vec![words], catalogue)),
        None => Ok(query),
    }
}

/// Which column an adjective was taken to measure, where the question does not name it.
fn implied(reading: &Reading<'_>, shape: &Shape) -> Option<String> {
    let Shape::Extreme { by, .. } = shape else { return None };
    let at = reading.find(|meaning| matches!(meaning, Meaning::Extreme { hint: Some(_), .. }))?;
    let names = |meaning: &Meaning| match meaning {
        Meaning::Column(found) => found.iter().any(|(column, _)| column == by),
        _ => false,
    };
    let name = &reading.catalogue.columns[*by].column.name;
    let word = reading.marked.text(&reading.marked.marks[at]);
    reading
        .find(names)
        .is_none()
        .then(|| format!("`{word}` was taken as {name}"))
}

/// The refusal of words that match no column.
pub(super) fn refusal(words: Vec<String>, catalogue: &Catalogue) -> Refusal {
    let known: Vec<&str> = catalogue.columns.iter().map(|view| view.column.name.as_str()).collect();
    let reason = if words.is_empty() {
        format!(
            "the question is of no known shape; the columns are {}",
            known.join(", ")
        )
    } else {
        format!(
            "no column says `{}`; the columns are {}",
            words.join("`, `"),
            known.join(", ")
        )
    };
    Refusal { words, reason }
}

/// Words that mean nothing here, other than those that say what a number counts.
pub(super) fn unlinked(reading: &Reading<'_>) -> Vec<String> {
    let measures = units(reading);
    let marks = reading.marked.marks.iter().filter(|mark| mark.meaning == Meaning::Word);
    marks
        .map(|mark| reading.marked.text(mark))
        .filter(|word| !is_small(word) && !measures.contains(word))
        .collect()
}

/// Words that say what a number of a condition counts: up to two of them, such as `nautical miles`, follow it.
fn units(reading: &Reading<'_>) -> Vec<String> {
    let marks = &reading.marked.marks;
    let is_bound = |at: &usize| matches!(marks[*at].meaning, Meaning::Number { .. }) && reading.bindings.used[*at];
    let numbers = (0..marks.len()).filter(is_bound);
    let behind = numbers.flat_map(|at| {
        let next = marks[at + 1..].iter().take(2);
        next.take_while(|mark| mark.meaning == Meaning::Word)
    });
    behind.map(|mark| reading.marked.text(mark)).collect()
}

pub(super) type Found = (Shape, Vec<Condition>);
/// Reads one shape, where the question has it.
type Step = fn(&Reading<'_>, &[Condition]) -> Option<Found>;

fn shape(reading: &Reading<'_>) -> Result<Found, Refusal> {
    let all: Vec<Condition> = reading
        .bindings
        .bounds
        .iter()
        .map(|bound| bound.condition.clone())
        .collect();
    let steps: [Step; 9] = [
        percentage, difference, ratio, versus, groups, per_value, extremes, aggregates, counts,
    ];
    if let Some(found) = steps.into_iter().find_map(|step| step(reading, &all)) {
        return Ok(found);
    }
    // A superlative or an aggregate that nothing took asks for something that no column says.
    let is_number = |meaning: &Meaning| {
        matches!(
            meaning,
            Meaning::Extreme { .. }
                | Meaning::MostOften { .. }
                | Meaning::Aggregate(Aggregate::Mean | Aggregate::Median)
        )
    };
    if reading.find(is_number).is_some() {
        return Err(refusal(unlinked(reading), reading.catalogue));
    }
    select(reading, all)
}

/// `the most common type`, `which countries more than once`, `which city has the most hotels`.
fn groups(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let (asked, ask) = reading.ask().unwrap_or((0, Ask::List));
    if ask == Ask::HowMany && reading.bindings.having.is_none() {
        return None;
    }
    let n = reading.marked.marks.len();
    let often = reading.find(|meaning| matches!(meaning, Meaning::MostOften { .. }));
    let most = reading.find(|meaning| matches!(meaning, Meaning::Extreme { .. }));
    let counts_records = most.is_some_and(|at| {
        let next = (at + 1..n).find(|next| {
            !matches!(
                reading.meaning(*next),
                Some(Meaning::Word | Meaning::Aggregate(_)) | None
            )
        });
        next.is_some_and(|next| {
            reading.meaning(next) == Some(&Meaning::Record)
                || reading.bindings.used[next]
                    && (next..n).any(|later| reading.meaning(later) == Some(&Meaning::Record))
        })
    });
    if often.is_none() && reading.bindings.having.is_none() && !counts_records {
        return None;
    }
    let is_group = |kind: Kind| !kind.is_number() && kind != Kind::Boolean;
    let by = match reading.focus(asked + 1) {
        Focus::Column(column) if is_group(reading.kind(column)) => Some(column),
        _ => reading
            .role(asked + 1)
            .or_else(|| reading.any_column(is_group).map(|(_, column)| column)),
    }?;
    let is_max = match often.or(most).and_then(|at| reading.meaning(at)) {
        Some(Meaning::MostOften { is_max } | Meaning::Extreme { is_max, .. }) => *is_max,
        _ => true,
    };
    let best = reading.bindings.having.is_none().then(|| (is_max, top(reading)));
    let asks_number = reading
        .marked
        .marks
        .iter()
        .skip(asked + 1)
        .any(|mark| matches!(mark.meaning, Meaning::Ask(Ask::HowMany)));
    let having = reading.bindings.having;
    let shape = Shape::Group {
        by,
        value: Expr::Count,
        having,
        best,
        shows_value: asks_number,
    };
    Some((shape, all.to_vec()))
}

/// The number of `top 3`, `the five highest`.
fn top(reading: &Reading<'_>) -> Option<usize> {
    let of = |at: usize| match reading.meaning(at) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 1000")]
        Some(Meaning::Number { value, .. }) if (1.0..=1000.0).contains(value) && !reading.bindings.used[at] => {
            Some(*value as usize)
        }
        _ => None,
    };
    let marks = &reading.marked.marks;
    (0..marks.len()).find_map(|at| match marks[at].meaning {
        Meaning::Top => of(at + 1),
        Meaning::Extreme { .. } => at.checked_sub(1).and_then(of).or_else(|| of(at + 1)),
        Meaning::Record => at.checked_sub(1).and_then(of),
        _ => None,
    })
}

/// `the average price per city`, `how many hotels in each country`, `which city has the highest average rating`.
fn per_value(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let (asked, ask) = reading.ask().unwrap_or((0, Ask::List));
    let n = reading.marked.marks.len();
    let is_group = |kind: Kind| !kind.is_number();
    let counts_records = ask == Ask::HowMany && reading.focus(asked + 1) == Focus::Record;
    let number = |reading: &Reading<'_>| {
        let value = reading.value(Function::Sum).filter(|_| !counts_records);
        value.unwrap_or(Expr::Count)
    };
    if let Some(each) = reading.find(|meaning| *meaning == Meaning::Each)
        && let Some((_, by)) = reading.column_in(each + 1, (each + 4).min(n), is_group)
    {
        let shape = Shape::Group {
            by,
            value: number(reading),
            having: None,
            best: None,
            shows_value: true,
        };
        return Some((shape, all.to_vec()));
    }
    let at = reading.find(|meaning| matches!(meaning, Meaning::Extreme { .. }))?;
    let Some(Meaning::Extreme { is_max, .. }) = reading.meaning(at) else {
        return None;
    };
    let function = reading.function()?;
    let Focus::Column(by) = reading.focus(asked + 1) else {
        return None;
    };
    let (_, column) = reading.any_column(Kind::is_number)?;
    let fits = matches!(ask, Ask::Which | Ask::What | Ask::Who | Ask::List)
        && is_group(reading.kind(by))
        && Some(by) != reading.catalogue.key;
    let asks_number = reading
        .marked
        .marks
        .iter()
        .skip(asked + 1)
        .any(|mark| matches!(mark.meaning, Meaning::Ask(_)));
    fits.then(|| {
        let value = Expr::Of(function, column);
        (
            Shape::Group {
                by,
                value,
                having: None,
                best: Some((*is_max, top(reading))),
                shows_value: asks_number,
            },
            all.to_vec(),
        )
    })
}

/// `which hotel has the most reviews`, `what is the highest rating`, `the top 3 hotels by price`.
fn extremes(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let (asked, ask) = reading.ask().unwrap_or((0, Ask::List));
    let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Extreme { .. } | Meaning::Top);
    let at = (asked..reading.marked.marks.len())
        .find(|at| reading.meaning(*at).is_some_and(is_cue))
        .or_else(|| reading.find(is_cue))?;
    let (by, is_max) = reading.measure(at)?;
    let top = top(reading);
    let mut columns = Vec::new();
    let shows_measure = reading.marked.marks[asked + 1..at.max(asked + 1)]
        .iter()
        .all(|mark| mark.meaning == Meaning::Word && is_small(&reading.marked.text(mark)));
    let key = reading.catalogue.key;
    match reading.focus(asked + 1) {
        Focus::Column(column) if ask == Ask::HowMany && column != by => columns.push(column),
        _ if shows_measure && ask == Ask::What || ask == Ask::HowMany => {
            // "What is the oldest hotel?" asks for the hotel, "what is the highest rating" for the rating.
            let next = (at + 1..reading.marked.marks.len()).find(|next| {
                !matches!(
                    reading.meaning(*next),
                    Some(Meaning::Word | Meaning::Aggregate(_) | Meaning::Number { .. })
                )
            });
            let is_record = next.is_some_and(|next| reading.meaning(next) == Some(&Meaning::Record));
            columns.push(if is_record { key? } else { by });
        }
        Focus::Column(column) if column != by || ask == Ask::What => columns.push(column),
        Focus::Unknown(mark) => columns.push(named_by(reading, mark, asked)?),
        _ if ask == Ask::When => columns.push(time_of(reading, asked)?),
        _ if ask == Ask::Who => columns.push(reading.role(asked + 1).or(key)?),
        _ => columns.push(key?),
    }
    columns.extend(further(reading, asked, key));
    columns.dedup();
    if columns == [by] && top.is_none() {
        let function = if is_max { Function::Max } else { Function::Min };
        return Some((Shape::Value(Expr::Of(function, by)), all.to_vec()));
    }
    Some((
        Shape::Extreme {
            columns,
            by,
            is_max,
            top,
        },
        all.to_vec(),
    ))
}

/// `the average rating of hotels in Rome`, `the total number of matches`.
fn aggregates(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let function = reading.function()?;
    let (_, ask) = reading.ask().unwrap_or((0, Ask::What));
    let at = reading.find(|meaning| {
        matches!(
            meaning,
            Meaning::Aggregate(Aggregate::Mean | Aggregate::Sum | Aggregate::Median | Aggregate::Deviation)
        )
    })?;
    let number = reading
        .column_in(at + 1, reading.marked.marks.len(), Kind::is_number)
        .or_else(|| reading.any_column(Kind::is_number));
    let record = (at + 1..reading.marked.marks.len()).find(|at| reading.meaning(*at) == Some(&Meaning::Record));
    if function == Function::Sum {
        // "The total number of hotels with a pool" counts hotels; a column that stands before them is what is added up.
        let counts =
            number.is_none_or(|(number, _)| record.is_some_and(|record| record < number) && ask != Ask::HowMany);
        if counts && record.is_some() {
            return Some((Shape::Value(Expr::Count), all.to_vec()));
        }
    }
    let (_, column) = number?;
    Some((Shape::Value(Expr::Of(function, column)), all.to_vec()))
}

/// `how many hotels`, `how many different cities`, `how many rooms`, `is there a hotel`.
fn counts(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let (asked, ask) = reading.ask().unwrap_or((0, Ask::What));
    let count = reading.find(|meaning| matches!(meaning, Meaning::Aggregate(Aggregate::Count)));
    let is_distinct = reading.has(Aggregate::Distinct);
    if ask == Ask::YesNo {
        return (!all.is_empty()).then(|| (Shape::Exists, all.to_vec()));
    }
    let from = match (ask, count) {
        (Ask::HowMany, _) => asked + 1,
        (_, Some(at)) => at + 1,
        _ if is_distinct && ask != Ask::List && ask != Ask::Which => asked + 1,
        _ => return None,
    };
    let value = match reading.focus(from) {
        Focus::Record => Expr::Count,
        Focus::Column(column) if reading.kind(column).is_number() && is_distinct => {
            Expr::Of(Function::Distinct, column)
        }
        Focus::Column(column) if reading.kind(column).is_number() => Expr::Of(Function::Sum, column),
        // Whether a record has something does not say how many.
        Focus::Column(column) if reading.kind(column) == Kind::Boolean => {
            reading.find(|meaning| *meaning == Meaning::Record)?;
            Expr::Count
        }
        Focus::Column(column) => Expr::Of(Function::Distinct, column),
        Focus::Unknown(_) => Expr::Of(Function::Distinct, reading.role(from)?),
        Focus::None if reading.find(|meaning| *meaning == Meaning::Occasions).is_some() => Expr::Count,
        Focus::None if !all.is_empty() => Expr::Count,
        Focus::None => return None,
    };
    Some((Shape::Value(value), all.to_vec()))
}

//! Conditions: which values, numbers, dates and flags of a question bind to which columns.

use super::adjective::Measure;
use super::catalogue::Catalogue;
use super::link::hinted;
use super::mark::{Compare, Marked, Meaning};
use super::query::{Condition, Operand, Operator};
use super::role;
use banyan_engine::table::Kind;
use banyan_extract::record::literal::{convert, unit_of};

/// Marks between a comparison and its number, and between a number and its column.
const REACH: usize = 4;

/// Marks between a negation and the number that it denies: `did not have 32 teams`.
const NEGATION: usize = 2;

/// A condition and the marks it was read from.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) condition: Condition,
    /// The mark of the value, number or flag.
    pub(super) at: usize,
}

/// Conditions with what was used and what was noticed.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    pub(super) bounds: Vec<Bound>,
    /// Marks that have done their work, by position.
    pub(super) used: Vec<bool>,
    pub(super) notes: Vec<String>,
    /// Comparisons that no column takes.
    pub(super) unbound: Vec<String>,
    /// Whether a value is of several columns, and no word near it says which.
    pub(super) is_ambiguous: bool,
    /// What groups have to compare with: `more than once`.
    pub(super) having: Option<(Operator, f64)>,
}

/// Binds everything that restricts records.
pub(super) fn bind(marked: &Marked, catalogue: &Catalogue) -> Bindings {
    let mut bindings = Bindings {
        used: vec![false; marked.marks.len()],
        ..Bindings::default()
    };
    having(marked, &mut bindings);
    comparisons(marked, catalogue, &mut bindings);
    plain_numbers(marked, catalogue, &mut bindings);
    years(marked, catalogue, &mut bindings);
    role::values(marked, catalogue, &mut bindings);
    role::flags(marked, catalogue, &mut bindings);
    role::equal_columns(marked, catalogue, &mut bindings);
    bindings.bounds.sort_by_key(|bound| bound.at);
    alternatives(catalogue, &mut bindings.bounds);
    bindings
}

/// Years and texts that one column would have to equal at once are alternatives: `in 1998 and in 2002`. Of lists all items
/// may be asked for.
fn alternatives(catalogue: &Catalogue, bounds: &mut Vec<Bound>) {
    let mut kept: Vec<Bound> = Vec::new();
    for bound in bounds.drain(..) {
        let view = &catalogue.columns[bound.condition.column];
        let is_same = |known: &Condition| {
            known.column == bound.condition.column
                && [known.operator, bound.condition.operator] == [Operator::Equal; 2]
                && !view.has_lists
                && view.child.is_none()
        };
        let same = kept.iter_mut().find(|known| is_same(&known.condition));
        let is_joined = match (same.map(|known| &mut known.condition.operand), &bound.condition.operand) {
            (Some(Operand::Years(years)), Operand::Years(more)) => {
                years.extend(more);
                true
            }
            (Some(Operand::Texts(texts)), Operand::Texts(more)) => {
                texts.extend(more.iter().cloned());
                true
            }
            _ => false,
        };
        if !is_joined {
            kept.push(bound);
        }
    }
    *bounds = kept;
}

fn operator(how: Compare) -> Operator {
    match how {
        Compare::More | Compare::After => Operator::More,
        Compare::Less | Compare::Before => Operator::Less,
        Compare::AtLeast | Compare::Since | Compare::Between => Operator::AtLeast,
        Compare::AtMost | Compare::Until => Operator::AtMost,
        Compare::Equal => Operator::Equal,
    }
}

/// `more than once`, `at least three times`, `exactly twice`.
fn having(marked: &Marked, bindings: &mut Bindings) {
    for (at, mark) in marked.marks.iter().enumerate() {
        let (count, end) = match (&mark.meaning, marked.marks.get(at + 1).map(|next| &next.meaning)) {
            (Meaning::Times(n), _) => (*n, at + 1),
            (Meaning::Number { value, .. }, Some(Meaning::Occasions)) => (*value, at + 2),
            _ => continue,
        };
        let how = match at.checked_sub(1).map(|before| &marked.marks[before].meaning) {
            Some(Meaning::Compare { how, .. }) => {
                bindings.used[at - 1] = true;
                operator(*how)
            }
            _ if marked
                .words
                .get(marked.marks.get(end).map_or(usize::MAX, |mark| mark.from))
                .is_some_and(|word| word.lower == "or") =>
            {
                Operator::AtLeast
            }
            _ => Operator::Equal,
        };
        bindings.having = Some((how, count));
        bindings.used[at..end].fill(true);
    }
}

fn is_operand(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Number { .. } | Meaning::Year(_) | Meaning::Date(_))
}

fn comparisons(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    for (at, mark) in marked.marks.iter().enumerate() {
        let Meaning::Compare { how, hint } = &mark.meaning else {
            continue;
        };
        if bindings.used[at] {
            continue;
        }
        let limit = marked.marks.len().min(at + 1 + REACH);
        let after = (at + 1..limit)
            .take_while(|next| !matches!(marked.marks[*next].meaning, Meaning::Record | Meaning::Compare { .. }))
            .find(|next| is_operand(&marked.marks[*next].meaning));
        let before = at.checked_sub(1).filter(|before| {
            marked.text(mark).eq_ignore_ascii_case("or more") && is_operand(&marked.marks[*before].meaning)
        });
        let Some(operand) = before.or(after).filter(|operand| !bindings.used[*operand]) else {
            continue;
        };
        let second = (*how == Compare::Between)
            .then(|| {
                (operand + 1..marked.marks.len().min(operand + 3)).find(|next| is_operand(&marked.marks[*next].meaning))
            })
            .flatten();
        if *how == Compare::Between && second.is_none() {
            continue;
        }
        let Some(column) = column_of(
            marked,
            catalogue,
            bindings,
            (at, operand, second.unwrap_or(operand)),
            *hint,
        ) else {
            let last = second.unwrap_or(operand).max(at);
            let end = marked.marks.len().min(last + 3);
            let words: Vec<String> = marked.marks[at.min(operand)..end]
                .iter()
                .map(|mark| marked.text(mark))
                .collect();
            bindings.unbound.push(words.join(" "));
            continue;
        };
        let mut flip = operator(*how);
        // An older thing has an earlier year, but a higher age.
        if hint.is_some_and(Measure::is_time) && !catalogue.kind(column).is_time() {
            flip = if flip == Operator::Less {
                Operator::More
            } else {
                Operator::Less
            };
        }
        push(marked, catalogue, bindings, column, flip, operand);
        if let Some(second) = second {
            push(marked, catalogue, bindings, column, Operator::AtMost, second);
        }
        bindings.used[at] = true;
    }
}

/// Adds a condition on a column with the number or date of a mark.
fn push(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings, column: usize, operator: Operator, at: usize) {
    let operand = match &marked.marks[at].meaning {
        Meaning::Number { value, unit } => Operand::Number(converted(*value, unit, catalogue, column)),
        Meaning::Year(year) if catalogue.kind(column).is_time() => Operand::Years(vec![*year]),
        Meaning::Year(year) => Operand::Number(f64::from(*year)),
        Meaning::Date(date) if catalogue.kind(column) == Kind::Year => {
            match date.get(..4).and_then(|year| year.parse().ok()) {
                Some(year) => Operand::Years(vec![year]),
                None => return,
            }
        }
        Meaning::Date(date) if date.len() == 4 => Operand::Years(date.parse().ok().into_iter().collect()),
        Meaning::Date(date) => Operand::Date(date.clone()),
        _ => return,
    };
    bindings.bounds.push(Bound {
        condition: Condition {
            column,
            operator,
            operand,
        },
        at,
    });
    bindings.used[at] = true;
}

/// A number in the unit of a column.
fn converted(value: f64, unit: &str, catalogue: &Catalogue, column: usize) -> f64 {
    let wanted = catalogue.columns[column].column.unit.as_deref().and_then(unit_of);
    match (unit_of(unit), wanted) {
        (Some(from), Some(to)) => convert(value, from, to).unwrap_or(value),
        _ => value,
    }
}

/// The column that a comparison at `at` with operands `first..=last` is about.
fn column_of(
    marked: &Marked,
    catalogue: &Catalogue,
    bindings: &mut Bindings,
    (at, first, last): (usize, usize, usize),
    hint: Option<&Measure>,
) -> Option<usize> {
    let is_time = !matches!(marked.marks[first].meaning, Meaning::Number { .. });
    let fits = |kind: Kind| if is_time { kind.is_time() } else { kind.is_number() };
    let unit = match &marked.marks[first].meaning {
        Meaning::Number { unit, .. } => unit_of(unit),
        _ => None,
    };
    let named = |position: usize| match &marked.marks.get(position)?.meaning {
        Meaning::Column(found) => found
            .iter()
            .map(|(column, _)| *column)
            .find(|column| fits(catalogue.kind(*column))),
        _ => None,
    };
    let hinted = |hint: &Measure| hinted(hint, catalogue, fits).into_iter().next();
    if let Some(column) = hint.filter(|hint| !hint.yields).and_then(hinted) {
        return Some(column);
    }
    let reach = match hint {
        _ if is_time => 1,
        Some(_) => REACH,
        None => 3,
    };
    let limit = marked.marks.len().min(last + 1 + reach);
    let after = (last + 1..limit)
        .take_while(|next| {
            !marked.has_break(last, *next)
                && !matches!(
                    marked.marks[*next].meaning,
                    Meaning::And | Meaning::Or | Meaning::Compare { .. }
                )
        })
        .find_map(|next| named(next).map(|column| (next, column)));
    let start = at.min(first);
    let before = (start.saturating_sub(REACH)..start)
        .rev()
        .take_while(|before| {
            !matches!(
                marked.marks[*before].meaning,
                Meaning::Compare { .. } | Meaning::Number { .. }
            )
        })
        .find_map(|before| named(before).map(|column| (before, column)));
    // "rating above 9": the column right before the comparison is meant, whatever follows the number.
    let is_adjacent = before.is_some_and(|(position, _)| position + 1 == start);
    let linked = if is_time || is_adjacent {
        before.or(after)
    } else {
        after.or(before)
    };
    if let Some((position, column)) = linked {
        bindings.used[position] = true;
        return Some(column);
    }
    if let Some(column) = hint.and_then(hinted) {
        return Some(column);
    }
    let measured = |column: &usize| {
        let own = catalogue.columns[*column].column.unit.as_deref().and_then(unit_of);
        fits(catalogue.kind(*column)) && unit.is_some_and(|unit| own.is_some_and(|own| own.dimension == unit.dimension))
    };
    (0..catalogue.columns.len()).find(measured).or_else(|| {
        if is_time {
            catalogue.time_columns().first().copied()
        } else {
            None
        }
    })
}

/// `16 teams`, `4-star hotels`, `a rating of 9`.
fn plain_numbers(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    for (at, mark) in marked.marks.iter().enumerate() {
        let is_number = matches!(mark.meaning, Meaning::Number { .. });
        let is_top = at > 0
            && (matches!(marked.marks[at - 1].meaning, Meaning::Top)
                || marked
                    .marks
                    .get(at + 1)
                    .is_some_and(|next| matches!(next.meaning, Meaning::Extreme { .. })));
        let is_list = marked
            .marks
            .get(at + 1)
            .is_some_and(|next| next.meaning == Meaning::Record);
        if !is_number || bindings.used[at] || is_top || is_list {
            continue;
        }
        let named = |position: usize| match &marked.marks.get(position)?.meaning {
            Meaning::Column(found) => found
                .iter()
                .map(|(column, _)| *column)
                .find(|column| catalogue.kind(*column).is_number())
                .map(|column| (position, column)),
            _ => None,
        };
        let is_word = |position: usize| {
            marked
                .marks
                .get(position)
                .is_some_and(|mark| mark.meaning == Meaning::Word)
        };
        let after = named(at + 1).or_else(|| named(at + 2).filter(|_| is_word(at + 1)));
        let before = at
            .checked_sub(1)
            .and_then(|one| named(one).or_else(|| named(one.checked_sub(1)?).filter(|_| is_word(one))));
        if let Some((position, column)) = after.or(before) {
            let is_not = (at.saturating_sub(NEGATION)..at).any(|before| marked.marks[before].meaning == Meaning::Not);
            let operator = if is_not { Operator::Unequal } else { Operator::Equal };
            push(marked, catalogue, bindings, column, operator, at);
            bindings.used[position] = true;
        }
    }
}

/// `in 2010`, `the 1954 World Cup`, `on 3 May 1990`; years joined by `or` are alternatives.
fn years(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    for (at, mark) in marked.marks.iter().enumerate() {
        if bindings.used[at] || !matches!(mark.meaning, Meaning::Year(_) | Meaning::Decade(_) | Meaning::Date(_)) {
            continue;
        }
        let is_asked = |column: usize| column > 0 && matches!(marked.marks[column - 1].meaning, Meaning::Ask(_));
        let own = (at.saturating_sub(3)..at)
            .rev()
            .filter(|before| !is_asked(*before))
            .find_map(|before| match &marked.marks[before].meaning {
                Meaning::Column(found) => found
                    .iter()
                    .map(|(column, _)| *column)
                    .find(|column| catalogue.kind(*column).is_time())
                    .map(|column| (before, column)),
                _ => None,
            });
        let default = catalogue.time_columns().first().copied();
        let Some(column) = own.map(|(_, column)| column).or(default) else {
            bindings.unbound.push(marked.text(mark));
            continue;
        };
        if let Some((position, _)) = own {
            bindings.used[position] = true;
        }
        let joined = at >= 2 && marked.marks[at - 1].meaning == Meaning::Or;
        if let (true, Meaning::Year(year), Some(last)) = (joined, &mark.meaning, bindings.bounds.last_mut())
            && let Operand::Years(years) = &mut last.condition.operand
        {
            years.push(*year);
            bindings.used[at] = true;
            continue;
        }
        if let Meaning::Decade(first) = mark.meaning {
            for (operator, year) in [(Operator::AtLeast, first), (Operator::AtMost, first + 9)] {
                let operand = Operand::Years(vec![year]);
                let condition = Condition {
                    column,
                    operator,
                    operand,
                };
                bindings.bounds.push(Bound { condition, at });
            }
            bindings.used[at] = true;
            continue;
        }
        push(marked, catalogue, bindings, column, Operator::Equal, at);
    }
}

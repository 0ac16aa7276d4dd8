//! Conditions on texts and flags: which role a name plays.

use super::catalogue::Catalogue;
use super::filter::{Bindings, Bound};
use super::mark::{Marked, Meaning};
use super::query::{Condition, Operand, Operator};
use banyan_engine::table::Kind;

/// Marks between a name and the word that gives it a role.
const BESIDE: usize = 3;
/// From this fit on a word says a column: `won` the champion. Measured on our own questions: words of one group fit .8.
const SAID: f32 = 0.75;

/// Values of text columns: each binds to the column whose word stands nearest, else to the one that holds it.
pub(super) fn values(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    let mut pairs: Vec<(usize, usize, usize, usize)> = Vec::new();
    for (at, mark) in marked.marks.iter().enumerate() {
        let Meaning::Value { columns, .. } = &mark.meaning else {
            continue;
        };
        for (role, other) in marked.marks.iter().enumerate() {
            let Meaning::Column(found) = &other.meaning else {
                continue;
            };
            let Some(rank) = found.iter().position(|(column, _)| columns.contains(column)) else {
                continue;
            };
            let distance = role.abs_diff(at) * 2 + usize::from(marked.has_break(role, at)) * 6 + rank;
            let crosses = marked.marks[role.min(at)..role.max(at)]
                .iter()
                .any(|mark| matches!(mark.meaning, Meaning::And | Meaning::Or));
            pairs.push((
                distance + usize::from(crosses && role > at) * 4,
                at,
                role,
                found[rank].0,
            ));
        }
    }
    pairs.sort_unstable();
    let mut column_of: Vec<Option<usize>> = vec![None; marked.marks.len()];
    let mut taken = vec![false; marked.marks.len()];
    for (_, at, role, column) in &pairs {
        if column_of[*at].is_none() && !taken[*role] {
            column_of[*at] = Some(*column);
            taken[*role] = true;
            bindings.used[*role] = true;
        }
    }
    for (at, mark) in marked.marks.iter().enumerate() {
        if let (Meaning::Value { columns, .. }, None) = (&mark.meaning, column_of[at])
            && let Some((role, column)) = absent_role(marked, catalogue, &taken, at, columns)
        {
            column_of[at] = Some(column);
            taken[role] = true;
            bindings.used[role] = true;
        }
    }
    let mut last: Option<(usize, usize)> = None;
    for (at, mark) in marked.marks.iter().enumerate() {
        let Meaning::Value { text, columns } = &mark.meaning else {
            continue;
        };
        let joined = last.filter(|(before, column)| {
            let between = &marked.marks[before + 1..at];
            let is_list = between.len() <= 2
                && between
                    .iter()
                    .all(|mark| matches!(mark.meaning, Meaning::And | Meaning::Or | Meaning::Word | Meaning::Than));
            is_list && columns.contains(column)
        });
        let column = column_of[at].or(joined.map(|(_, column)| column));
        let column = if let Some(column) = column {
            column
        } else {
            let Some(first) = columns.first() else { continue };
            if columns.len() > 1 {
                bindings.is_ambiguous = true;
                bindings.notes.push(format!(
                    "`{text}` was taken as {}",
                    catalogue.columns[*first].column.name
                ));
            }
            *first
        };
        bindings.used[at] = true;
        let is_or = at > 0 && marked.marks[at - 1].meaning == Meaning::Or && joined.is_some();
        let same = bindings
            .bounds
            .iter_mut()
            .rev()
            .find(|bound| is_or && bound.condition.column == column);
        if let Some(Bound {
            condition: Condition {
                operand: Operand::Texts(texts),
                ..
            },
            ..
        }) = same
        {
            texts.push(text.clone());
        } else {
            let is_not = (at.saturating_sub(2)..at).any(|before| marked.marks[before].meaning == Meaning::Not);
            let operator = if is_not { Operator::Unequal } else { Operator::Equal };
            let condition = Condition {
                column,
                operator,
                operand: Operand::Texts(vec![text.clone()]),
            };
            bindings.bounds.push(Bound { condition, at });
        }
        last = Some((at, column));
    }
}

/// The role that a name is given and that it has in no record: `Has Tidd ever won?`, where Tidd only came second. The word
/// right beside the name that says a column whose values are of its kind.
fn absent_role(
    marked: &Marked,
    catalogue: &Catalogue,
    taken: &[bool],
    at: usize,
    columns: &[usize],
) -> Option<(usize, usize)> {
    let near = (1..=BESIDE).flat_map(|distance| [at.checked_sub(distance), Some(at + distance)]);
    let near = near.flatten().filter(|role| *role < taken.len() && !taken[*role]);
    let is_word = |between: usize| matches!(marked.marks[between].meaning, Meaning::Word | Meaning::Record);
    let is_open = |role: &usize| (role.min(&at) + 1..*role.max(&at)).all(is_word) && !marked.has_break(*role, at);
    let said = |role: usize| match &marked.marks[role].meaning {
        Meaning::Column(found) => found
            .first()
            .filter(|(column, fit)| *fit >= SAID && catalogue.kind(*column) == Kind::Text)
            .map(|(column, _)| (role, *column)),
        _ => None,
    };
    let asked = |role: usize| role > 0 && matches!(marked.marks[role - 1].meaning, Meaning::Ask(_));
    near.filter(is_open)
        .filter(|role| *role > at || !asked(*role))
        .find_map(said)
        .filter(|(_, column)| columns.iter().any(|own| shares_values(catalogue, *own, *column)))
}

/// Columns of flags: asked for, or denied.
pub(super) fn flags(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    let mut denied = false;
    for (at, mark) in marked.marks.iter().enumerate() {
        match &mark.meaning {
            Meaning::Not => denied = true,
            Meaning::And | Meaning::Or | Meaning::Word => {}
            Meaning::Column(found)
                if !bindings.used[at]
                    && found
                        .first()
                        .is_some_and(|(column, _)| catalogue.kind(*column) == Kind::Boolean) =>
            {
                let column = found[0].0;
                let condition = Condition {
                    column,
                    operator: Operator::Equal,
                    operand: Operand::Flag(!denied),
                };
                bindings.bounds.push(Bound { condition, at });
                bindings.used[at] = true;
                // "no pool but a gym" denies the pool only; "neither pool nor gym" both.
                let goes_on = marked.marks.get(at + 1).is_some_and(|next| {
                    marked.text(next).eq_ignore_ascii_case("or") || marked.text(next).eq_ignore_ascii_case("nor")
                });
                denied = denied && goes_on;
            }
            _ => denied = false,
        }
    }
}

/// `won by the host country`: two text columns of one record are equal.
pub(super) fn equal_columns(marked: &Marked, catalogue: &Catalogue, bindings: &mut Bindings) {
    let text_of = |at: usize| match &marked.marks[at].meaning {
        Meaning::Column(found) => found
            .iter()
            .map(|(column, _)| *column)
            .find(|column| catalogue.kind(*column) == Kind::Text),
        _ => None,
    };
    let roles: Vec<(usize, usize)> = (0..marked.marks.len())
        .filter(|at| !bindings.used[*at])
        .filter_map(|at| Some((at, text_of(at)?)))
        .collect();
    for pair in roles.windows(2) {
        let ((a, left), (b, right)) = (pair[0], pair[1]);
        let by = marked.marks[a + 1..b].iter().any(|mark| {
            mark.meaning == Meaning::Word && matches!(marked.text(mark).as_str(), "by" | "as" | "also" | "same")
        });
        let share = shares_values(catalogue, left, right);
        let is_other = marked.marks[a + 1..b]
            .iter()
            .any(|mark| mark.meaning == Meaning::Not || marked.text(mark).eq_ignore_ascii_case("other"));
        let reach = if is_other { 7 } else { 5 };
        if left == right || !share || b - a > reach || !by {
            continue;
        }
        let condition = Condition {
            column: left,
            operator: if is_other { Operator::Unequal } else { Operator::Equal },
            operand: Operand::Column(right),
        };
        bindings.bounds.push(Bound { condition, at: b });
        bindings.used[a] = true;
        bindings.used[b] = true;
    }
}

/// Whether two columns hold a value in common.
fn shares_values(catalogue: &Catalogue, a: usize, b: usize) -> bool {
    catalogue
        .values
        .values()
        .any(|known| known.columns.contains_key(&a) && known.columns.contains_key(&b))
}

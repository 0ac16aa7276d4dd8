//! Shapes that set numbers against each other: shares, differences, ratios, comparisons.

use super::adjective::{self, Degree, Measure};
use super::filter::Bound;
use super::link::hinted;
use super::mark::{Aggregate, Ask, Meaning};
use super::operation::Reading;
use super::parse::Found;
use super::query::{Condition, Expr, Function, Operand, Operator, Shape};
use banyan_engine::table::Kind;

/// `What percentage of hotels have a pool?`: conditions before the verb restrict the whole, those after it the part.
pub(super) fn percentage(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let at = reading.find(|meaning| *meaning == Meaning::Aggregate(Aggregate::Percentage))?;
    let record = (at..reading.marked.marks.len())
        .find(|at| reading.meaning(*at) == Some(&Meaning::Record))
        .unwrap_or(at);
    let is_verb = |at: &usize| {
        let text = reading.marked.text(&reading.marked.marks[*at]).to_lowercase();
        matches!(
            text.as_str(),
            "have"
                | "has"
                | "had"
                | "are"
                | "is"
                | "was"
                | "were"
                | "offer"
                | "offers"
                | "provide"
                | "provides"
                | "do"
                | "did"
                | "feature"
                | "include"
                | "accept"
                | "allow"
        )
    };
    let verb = (record + 1..reading.marked.marks.len()).find(is_verb).unwrap_or(record);
    let base = reading
        .bindings
        .bounds
        .iter()
        .filter(|bound| bound.at < verb && bound.at > at);
    let base: Vec<Condition> = base.map(|bound| bound.condition.clone()).collect();
    let base = if base.len() == all.len() { Vec::new() } else { base };
    Some((Shape::Percentage { base }, all.to_vec()))
}

/// The two sides that a question compares: two bounds of one column, or one that leaves a choice of two.
fn sides(reading: &Reading<'_>) -> Option<(Bound, Bound, Vec<Condition>)> {
    let is_equal = |bound: &Bound| {
        bound.condition.operator == Operator::Equal && !matches!(bound.condition.operand, Operand::Flag(_))
    };
    let bounds: Vec<Bound> = reading.bindings.bounds.iter().flat_map(parted).collect();
    let pairs = (0..bounds.len()).flat_map(|a| (a + 1..bounds.len()).map(move |b| (a, b)));
    let is_pair = |(a, b): &(usize, usize)| {
        let (a, b) = (&bounds[*a], &bounds[*b]);
        is_equal(a) && is_equal(b) && a.condition.column == b.condition.column && a.condition != b.condition
    };
    let (a, b) = { pairs }.find(is_pair)?;
    let rest = (0..bounds.len()).filter(|at| *at != a && *at != b);
    let rest = rest.map(|at| bounds[at].condition.clone()).collect();
    Some((bounds[a].clone(), bounds[b].clone(), rest))
}

/// A bound of two alternatives as two bounds; any other as it is.
fn parted(bound: &Bound) -> Vec<Bound> {
    let operands: Vec<Operand> = match &bound.condition.operand {
        Operand::Texts(texts) if texts.len() == 2 => {
            texts.iter().map(|text| Operand::Texts(vec![text.clone()])).collect()
        }
        Operand::Years(years) if years.len() == 2 => years.iter().map(|year| Operand::Years(vec![*year])).collect(),
        other => vec![other.clone()],
    };
    let with = |operand: Operand| Bound {
        condition: Condition {
            operand,
            ..bound.condition
        },
        at: bound.at,
    };
    operands.into_iter().map(with).collect()
}

/// The number that two sides are compared by.
fn compared(reading: &Reading<'_>) -> Option<Expr> {
    let is_record = reading.find(|meaning| *meaning == Meaning::Record).is_some();
    reading
        .value(Function::Sum)
        .or_else(|| is_record.then_some(Expr::Count))
}

/// `the difference in height between the two mills`, `between the highest and the lowest rating`.
pub(super) fn difference(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let is_ratio = reading.has(Aggregate::Ratio);
    if !reading.has(Aggregate::Difference) && !is_ratio {
        return None;
    }
    if let Some((a, b, rest)) = sides(reading) {
        let value = compared(reading)?;
        return Some((
            Shape::Difference {
                value,
                left: vec![a.condition],
                right: vec![b.condition],
                is_ratio,
            },
            rest,
        ));
    }
    let has = |wanted: bool| {
        reading
            .find(|meaning| matches!(meaning, Meaning::Extreme { is_max, .. } if *is_max == wanted))
            .is_some()
    };
    let (_, column) = reading.any_column(Kind::is_number)?;
    (has(true) && has(false) && !is_ratio).then(|| (Shape::Range(column), all.to_vec()))
}

/// `goals per match`: the sum of one column for each of another.
pub(super) fn ratio(reading: &Reading<'_>, all: &[Condition]) -> Option<Found> {
    let is_ratio = reading.has(Aggregate::Ratio);
    let each = reading.find(|meaning| *meaning == Meaning::Each);
    let at = match each {
        Some(at) => at,
        None if is_ratio => reading.find(|meaning| *meaning == Meaning::Aggregate(Aggregate::Ratio))?,
        None => return None,
    };
    let n = reading.marked.marks.len();
    let (above, below) = if each.is_some() {
        let next = (at + 1..n).find(|next| reading.meaning(*next) != Some(&Meaning::Word))?;
        (
            reading.column_in(0, at, Kind::is_number)?,
            (next, reading.column_at(next, Kind::is_number)?),
        )
    } else {
        let first = reading.column_in(at, n, Kind::is_number)?;
        (first, reading.column_in(first.0 + 1, n, Kind::is_number)?)
    };
    (above.1 != below.1).then(|| (Shape::Value(Expr::Ratio(above.1, below.1)), all.to_vec()))
}

/// `Are there more hotels in Rome than in Oslo?`, `Which had more goals, 1994 or 1998?`
pub(super) fn versus(reading: &Reading<'_>, _: &[Condition]) -> Option<Found> {
    let word = |text: &str| reading.marked.words.iter().any(|word| word.lower == text);
    let (measure, is_more) = compares(reading)?;
    let (a, b, rest) = sides(reading)?;
    let implied = || hinted(measure?, reading.catalogue, Kind::is_number).into_iter().next();
    let value = if word("average") {
        reading.value(Function::Mean)?
    } else if let Some(column) = implied().filter(|_| reading.any_column(Kind::is_number).is_none()) {
        Expr::Of(Function::Mean, column)
    } else {
        compared(reading)?
    };
    let label = |bound: &Bound| match &bound.condition.operand {
        Operand::Texts(texts) => texts.join(" or "),
        Operand::Years(years) => years.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "),
        Operand::Number(number) => number.to_string(),
        Operand::Date(date) => date.clone(),
        Operand::Flag(_) | Operand::Column(_) => String::new(),
    };
    let is_polar = reading.ask().is_some_and(|(_, ask)| ask == Ask::YesNo);
    let names = (!is_polar).then(|| (label(&a), label(&b)));
    Some((
        Shape::Versus {
            value,
            left: vec![a.condition],
            right: vec![b.condition],
            is_more,
            names,
        },
        rest,
    ))
}

/// What a comparison measures, where its word says that, and whether it asks for more of it.
fn compares(reading: &Reading<'_>) -> Option<(Option<&'static Measure>, bool)> {
    let words = &reading.marked.words;
    let phrases = (1..=2).flat_map(|n| words.windows(n));
    let phrases = phrases.map(|words| {
        words
            .iter()
            .map(|word| word.lower.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    });
    let phrases: Vec<String> = phrases.collect();
    let named = phrases
        .iter()
        .rev()
        .find_map(|phrase| adjective::find(phrase, Degree::Comparative));
    let plain = || {
        phrases.iter().find_map(|phrase| match phrase.as_str() {
            "more" | "greater" | "better" => Some(true),
            "fewer" | "less" | "worse" => Some(false),
            _ => None,
        })
    };
    let named = named.map(|(measure, is_more)| (Some(measure), is_more));
    named.or_else(|| plain().map(|is_more| (None, is_more)))
}

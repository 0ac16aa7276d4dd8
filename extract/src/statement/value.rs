//! Dates and numbers among tokens.

use super::token::Token;
use crate::record::literal::{Day, days, numbers};
use banyan_engine::Span;

/// What a date or number says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// A year, with month and day where given.
    Date(Day),
    /// A number, its scale ("million") worked in.
    Number(f64),
}

impl Value {
    pub(crate) fn is_date(self) -> bool {
        matches!(self, Self::Date(_))
    }

    /// The year of a date that says nothing else.
    pub(crate) fn bare_year(self) -> Option<u16> {
        match self {
            Self::Date(day) => day.year.filter(|_| day.month.is_none()),
            Self::Number(_) => None,
        }
    }

    /// Whether a label says the same: a date may leave out its month and day, or fill up a bare year with the first of
    /// January.
    pub(crate) fn is_said_by(self, label: Self) -> bool {
        match (self, label) {
            (Self::Date(said), Self::Date(label)) => {
                let is_filled = said.month.is_none() && (label.month, label.day) == (Some(1), Some(1));
                let is_same = (said.month, said.day) == (label.month, label.day);
                said.year == label.year && (is_same || is_filled || label.month.is_none())
            }
            (Self::Number(said), Self::Number(label)) => said.total_cmp(&label).is_eq(),
            _ => false,
        }
    }
}

/// The dates and numbers of a passage as token ranges, in order, without overlap.
pub(crate) fn values(text: &str, tokens: &[Token]) -> Vec<(usize, usize, Value)> {
    let dates = days(text).into_iter().filter(|day| day.year.is_some());
    let mut values: Vec<(Span, Value)> = dates.map(|day| (day.span, Value::Date(day))).collect();
    let figures = numbers(text).into_iter().filter(|number| !number.is_ordinal);
    for number in figures.filter(|number| number.span.of(text).starts_with(|ch: char| ch.is_ascii_digit())) {
        if !values.iter().any(|(span, _)| span.overlaps(number.span)) {
            values.push((number.span, bare(number.value, number.span, text)));
        }
    }
    values.sort_by_key(|(span, _)| *span);
    let range = |(span, value): (Span, Value)| {
        let first = tokens.partition_point(|token| token.span.start < span.start);
        let end = tokens.partition_point(|token| token.span.end <= span.end);
        (first < end).then_some((first, end, value))
    };
    values.into_iter().filter_map(range).collect()
}

/// A number by itself: four figures from 1000 to 2199 are a year.
fn bare(number: f64, span: Span, text: &str) -> Value {
    let year = span.of(text).parse().ok().filter(|year| (1000..=2199).contains(year));
    let date = |year| {
        Value::Date(Day {
            year: Some(year),
            month: None,
            day: None,
            span,
        })
    };
    year.map_or(Value::Number(number), date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::token::tokens;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let tokens = tokens(text);
        let said = |value: Value| match value {
            Value::Date(day) => day.iso(),
            Value::Number(number) => number.to_string(),
        };
        let found = values(text, &tokens).into_iter().map(|(first, end, value)| {
            let (start, end) = (tokens[first].span.start, tokens[end - 1].span.end);
            (Span { start, end }.of(text), said(value))
        });
        let found: Vec<_> = found.collect();
        let found: Vec<_> = found.iter().map(|(text, said)| (*text, said.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn dates_and_numbers_are_tokens_with_what_they_say() {
        check(
            "Born 3 May 1901, or in June 1906 and 1907.",
            &[("3 May 1901", "1901-05-03"), ("June 1906", "1906-06"), ("1907", "1907")],
        );
        check(
            "1,439.0 of 3.5 million, not the 12th or B52.",
            &[("1,439.0", "1439"), ("3.5 million", "3500000")],
        );
    }

    #[test]
    fn labels_say_dates_in_other_ways() {
        let value = |text: &str| values(text, &tokens(text))[0].2;
        assert!(value("1439.0").is_said_by(value("1,439")));
        assert!(value("1907").is_said_by(value("01 January 1907")) && value("3 May 1907").is_said_by(value("1907")));
        assert!(!value("May 1907").is_said_by(value("01 January 1907")));
    }
}

//! Dates and numbers among tokens, and the forms in which they can be written.

use super::token::{Kind, Token};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// What a date or number says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A year, with month and day where given; both count from 1.
    Date {
        year: u32,
        month: Option<u32>,
        day: Option<u32>,
    },
    /// A number without separators, its scale ("million") worked in.
    Number(String),
}

impl Value {
    pub(crate) fn is_date(&self) -> bool {
        matches!(self, Self::Date { .. })
    }

    pub(crate) fn is_year(&self) -> bool {
        matches!(self, Self::Date { month: None, .. })
    }
}

/// The dates and numbers of a passage as token ranges, in order, without overlap.
pub(crate) fn values(text: &str, tokens: &[Token]) -> Vec<(usize, usize, Value)> {
    let mut values = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let found = date(text, tokens, at).or_else(|| number(tokens, at));
        match found {
            Some((end, value)) => {
                values.push((at, end, value));
                at = end;
            }
            None => at += 1,
        }
    }
    values
}

/// The English name of a month, 1 to 12.
pub(crate) fn month_name(month: u32) -> Option<&'static str> {
    MONTHS.get(usize::try_from(month).ok()?.checked_sub(1)?).copied()
}

/// A date that begins at `at`: `3 May 1901`, `May 3, 1901`, `May 1901`, `1901-05-03`, `1901`.
fn date(text: &str, tokens: &[Token], at: usize) -> Option<(usize, Value)> {
    let token = |offset: usize| tokens.get(at + offset);
    if let Some(value) = iso(tokens[at].span.of(text)) {
        return Some((at + 1, value));
    }
    if let Some(month) = month(tokens.get(at)?) {
        let (next, comma) = (token(1)?, skip(tokens, at + 2));
        if let (Some(day), Some(year)) = (day(next), tokens.get(comma).and_then(year)) {
            return Some((comma + 1, full(year, month, day)));
        }
        // "January, 1 1942"
        let late = skip(tokens, at + 1);
        if let (Some(day), Some(year)) = (tokens.get(late).and_then(day), tokens.get(late + 1).and_then(year)) {
            return Some((late + 2, full(year, month, day)));
        }
        let year = tokens.get(late).and_then(year)?;
        return Some((
            late + 1,
            Value::Date {
                year,
                month: Some(month),
                day: None,
            },
        ));
    }
    if let Some(day) = day(&tokens[at]) {
        let of = at + 1 + usize::from(token(1).is_some_and(|token| token.lower == "of"));
        let last = skip(tokens, of + 1);
        if let (Some(month), Some(year)) = (tokens.get(of).and_then(month), tokens.get(last).and_then(year)) {
            return Some((last + 1, full(year, month, day)));
        }
    }
    let year = year(&tokens[at])?;
    let is_lone = (1000..=2199).contains(&year) && tokens[at].lower.len() == 4;
    is_lone.then_some((
        at + 1,
        Value::Date {
            year,
            month: None,
            day: None,
        },
    ))
}

fn full(year: u32, month: u32, day: u32) -> Value {
    Value::Date {
        year,
        month: Some(month),
        day: Some(day),
    }
}

/// The position after a comma, or the same.
fn skip(tokens: &[Token], at: usize) -> usize {
    at + usize::from(tokens.get(at).is_some_and(|token| token.is_mark(",")))
}

fn iso(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return None;
    };
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    ((1..=12).contains(&month) && (1..=31).contains(&day) && text.len() == 10).then(|| full(year, month, day))
}

fn month(token: &Token) -> Option<u32> {
    if !token.is_capital {
        return None;
    }
    let place = MONTHS.iter().position(|month| {
        let month = month.to_lowercase();
        month == token.lower
            || (token.lower.len() >= 3 && month[..3] == token.lower)
            || (token.lower == "sept" && month == "september")
    })?;
    u32::try_from(place + 1).ok()
}

fn day(token: &Token) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| token.lower.strip_suffix(end))
        .unwrap_or(&token.lower);
    let day = digits.parse().ok()?;
    (token.kind == Kind::Number && digits.len() <= 2 && (1..=31).contains(&day)).then_some(day)
}

fn year(token: &Token) -> Option<u32> {
    let is_year = token.kind == Kind::Number && (3..=4).contains(&token.lower.len());
    token.lower.parse().ok().filter(|_| is_year)
}

/// A number that begins at `at`, with its scale.
fn number(tokens: &[Token], at: usize) -> Option<(usize, Value)> {
    let token = &tokens[at];
    let bare: String = token.lower.chars().filter(|ch| *ch != ',').collect();
    let is_number = token.kind == Kind::Number
        && bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && bare.bytes().filter(|byte| *byte == b'.').count() <= 1;
    if !is_number {
        return None;
    }
    let zeros = tokens.get(at + 1).and_then(|next| match next.lower.as_str() {
        "thousand" => Some(3),
        "million" => Some(6),
        "billion" => Some(9),
        "trillion" => Some(12),
        _ => None,
    });
    Some(match zeros.and_then(|zeros| scaled(&bare, zeros)) {
        Some(value) => (at + 2, Value::Number(value)),
        None => (at + 1, Value::Number(bare)),
    })
}

/// `12.5` with six zeros is `12500000`; `None` where decimals would remain.
fn scaled(number: &str, zeros: usize) -> Option<String> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let rest = zeros.checked_sub(part.len())?;
    Some(format!("{whole}{part}{}", "0".repeat(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::token::tokens;
    use banyan_engine::Span;

    fn check(text: &str, expected: &[(&str, Value)]) {
        let tokens = tokens(text);
        let found: Vec<_> = values(text, &tokens)
            .into_iter()
            .map(|(first, end, value)| {
                let span = Span {
                    start: tokens[first].span.start,
                    end: tokens[end - 1].span.end,
                };
                (span.of(text), value)
            })
            .collect();
        assert_eq!(found, expected);
    }

    fn year(year: u32) -> Value {
        Value::Date {
            year,
            month: None,
            day: None,
        }
    }

    #[test]
    fn dates_are_read_in_every_order() {
        check(
            "Born 3 May 1901, on May 4th, 1902, the 5th of May 1903, January, 6 1904, or 1905-05-07.",
            &[
                ("3 May 1901", full(1901, 5, 3)),
                ("May 4th, 1902", full(1902, 5, 4)),
                ("5th of May 1903", full(1903, 5, 5)),
                ("January, 6 1904", full(1904, 1, 6)),
                ("1905-05-07", full(1905, 5, 7)),
            ],
        );
        let june = Value::Date {
            year: 1906,
            month: Some(6),
            day: None,
        };
        check(
            "In June 1906 and 1907 (1908).",
            &[("June 1906", june), ("1907", year(1907)), ("1908", year(1908))],
        );
    }

    #[test]
    fn numbers_lose_separators_and_take_their_scale() {
        let number = |text: &str| Value::Number(text.to_owned());
        check(
            "1,439.0 of 3.5 million and 01325, not the 12th or B52.",
            &[
                ("1,439.0", number("1439.0")),
                ("3.5 million", number("3500000")),
                ("01325", number("01325")),
            ],
        );
    }
}

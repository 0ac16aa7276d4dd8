//! Dates and numbers among tokens.

use super::token::{Kind, Token};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
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

    /// Whether a label says the same: a date may leave out its month and day, or fill up a bare year with the first of
    /// January.
    pub(crate) fn is_said_by(&self, label: &Self) -> bool {
        match (self, label) {
            (
                Self::Date { year, month, .. },
                Self::Date {
                    year: other,
                    month: of_label,
                    day,
                },
            ) => {
                let is_filled = month.is_none() && *of_label == Some(1) && *day == Some(1);
                self == label || (year == other && (of_label.is_none() || is_filled))
            }
            (Self::Number(a), Self::Number(b)) => a.trim_end_matches(".0") == b.trim_end_matches(".0"),
            _ => false,
        }
    }
}

/// The dates and numbers of a passage as token ranges, in order, without overlap.
pub(crate) fn values(text: &str, tokens: &[Token]) -> Vec<(usize, usize, Value)> {
    let mut values = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match date(text, tokens, at).or_else(|| number(tokens, at)) {
            Some((end, value)) => {
                values.push((at, end, value));
                at = end;
            }
            None => at += 1,
        }
    }
    values
}

/// A date that begins at `at`: `3 May 1901`, `3rd of May 1901`, `May 3, 1901`, `May 1901`, `1901-05-03`, `1901`.
fn date(text: &str, tokens: &[Token], at: usize) -> Option<(usize, Value)> {
    let full = |year, month, day| Value::Date { year, month, day };
    if let Some((year, month, day)) = iso(tokens[at].span.of(text)) {
        return Some((at + 1, full(year, Some(month), Some(day))));
    }
    // The position after commas and "of".
    let skip = |at: usize| {
        let is_filler = |token: &&Token| token.is_mark(",") || token.lower == "of";
        at + tokens[at.min(tokens.len())..]
            .iter()
            .take(1)
            .take_while(is_filler)
            .count()
    };
    if let Some(month) = month(&tokens[at]) {
        let next = skip(at + 1);
        let last = skip(next + 1);
        if let (Some(day), Some(year)) = (tokens.get(next).and_then(day), tokens.get(last).and_then(year)) {
            return Some((last + 1, full(year, Some(month), Some(day))));
        }
        let year = tokens.get(next).and_then(year)?;
        return Some((next + 1, full(year, Some(month), None)));
    }
    if let Some(day) = day(&tokens[at]) {
        let middle = skip(at + 1);
        let last = skip(middle + 1);
        if let (Some(month), Some(year)) = (tokens.get(middle).and_then(month), tokens.get(last).and_then(year)) {
            return Some((last + 1, full(year, Some(month), Some(day))));
        }
    }
    let year = year(&tokens[at]).filter(|year| (1000..=2199).contains(year))?;
    Some((at + 1, full(year, None, None)))
}

fn iso(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('-').map(|part| part.parse().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    ((1..=12).contains(&month) && (1..=31).contains(&day) && text.len() == 10).then_some((year, month, day))
}

fn month(token: &Token) -> Option<u32> {
    let lower = token.lower.as_str();
    let is_month =
        |month: &&str| *month == lower || month[..3] == *lower || (lower == "sept" && month.starts_with("sep"));
    let place = MONTHS.iter().position(|month| token.is_capital && is_month(month))?;
    u32::try_from(place + 1).ok()
}

fn day(token: &Token) -> Option<u32> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| token.lower.strip_suffix(end));
    let digits = bare.unwrap_or(&token.lower);
    let day = digits.parse().ok()?;
    (digits.len() <= 2 && (1..=31).contains(&day)).then_some(day)
}

fn year(token: &Token) -> Option<u32> {
    token
        .lower
        .parse()
        .ok()
        .filter(|_| (3..=4).contains(&token.lower.len()))
}

/// A number that begins at `at`, with its scale.
fn number(tokens: &[Token], at: usize) -> Option<(usize, Value)> {
    let token = &tokens[at];
    let bare = token.lower.replace(',', "");
    if token.kind != Kind::Number || !bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let zeros = match tokens.get(at + 1).map_or("", |next| next.lower.as_str()) {
        "thousand" => 3,
        "million" => 6,
        "billion" => 9,
        _ => return Some((at + 1, Value::Number(bare))),
    };
    let (whole, part) = bare.split_once('.').unwrap_or((&bare, ""));
    let zeros = "0".repeat(usize::saturating_sub(zeros, part.len()));
    Some((at + 2, Value::Number(format!("{whole}{part}{zeros}"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::token::tokens;
    use banyan_engine::Span;

    fn check(text: &str, expected: &[(&str, Value)]) {
        let tokens = tokens(text);
        let place = |first: usize, end: usize| Span {
            start: tokens[first].span.start,
            end: tokens[end - 1].span.end,
        };
        let found = values(text, &tokens).into_iter();
        let found: Vec<_> = found
            .map(|(first, end, value)| (place(first, end).of(text), value))
            .collect();
        assert_eq!(found, expected);
    }

    fn date(year: u32, month: Option<u32>, day: Option<u32>) -> Value {
        Value::Date { year, month, day }
    }

    #[test]
    fn dates_are_read_in_every_order() {
        check(
            "Born 3 May 1901, on May 4th, 1902, the 5th of May 1903, or 1905-05-07.",
            &[
                ("3 May 1901", date(1901, Some(5), Some(3))),
                ("May 4th, 1902", date(1902, Some(5), Some(4))),
                ("5th of May 1903", date(1903, Some(5), Some(5))),
                ("1905-05-07", date(1905, Some(5), Some(7))),
            ],
        );
        check(
            "In June 1906 and 1907.",
            &[
                ("June 1906", date(1906, Some(6), None)),
                ("1907", date(1907, None, None)),
            ],
        );
    }

    #[test]
    fn numbers_lose_separators_and_take_their_scale() {
        let number = |text: &str| Value::Number(text.to_owned());
        check(
            "1,439.0 of 3.5 million, not the 12th or B52.",
            &[("1,439.0", number("1439.0")), ("3.5 million", number("3500000"))],
        );
        assert!(number("1439.0").is_said_by(&number("1439")));
        assert!(date(1907, None, None).is_said_by(&date(1907, Some(1), Some(1))));
        assert!(!date(1907, Some(5), None).is_said_by(&date(1907, Some(1), Some(1))));
    }
}

//! Dates, whole or in part.

use banyan_engine::Span;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A date, or the part of it that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// The year, where it is written.
    pub year: Option<u16>,
    /// The month, 1 to 12, where it is written.
    pub month: Option<u8>,
    /// The day, 1 to 31, where it is written.
    pub day: Option<u8>,
    /// Where it stands.
    pub span: Span,
}

impl Day {
    /// `YYYY-MM-DD`, or as much of it as is known from the left; nothing without a year.
    pub fn iso(self) -> String {
        match (self.year, self.month, self.day) {
            (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
            (Some(year), ..) => format!("{year:04}"),
            _ => String::new(),
        }
    }

    /// Whether day, month and year are there.
    pub fn is_whole(self) -> bool {
        self.year.is_some() && self.month.is_some() && self.day.is_some()
    }
}

/// The names of the months in lower case, January first.
pub const MONTHS: [&str; 12] = [
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

/// The month that a word or its first three letters name.
fn month_of(word: &str) -> Option<u8> {
    let lower = word.trim_end_matches('.').to_lowercase();
    let at = MONTHS
        .iter()
        .position(|month| lower.len() >= 3 && month.starts_with(&lower))?;
    u8::try_from(at + 1).ok()
}

/// The dates of a text in order, without overlap: `3 May 1901`, `May 3, 1901`, `1901-05-03`, `03/05/1901` (day first, as
/// most of the world writes), `May 1901`, `3 May`. Cost O(length).
pub fn days(text: &str) -> Vec<Day> {
    let Some(pattern) = DAY.as_ref() else {
        return Vec::new();
    };
    pattern
        .captures_iter(text)
        .filter_map(|captures| day(&captures))
        .collect()
}

fn day(captures: &Captures<'_>) -> Option<Day> {
    let whole = captures.get(0)?;
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| captures.name(name))
            .map(|part| part.as_str())
    };
    let month = match text(&["m1", "m2", "m3"]) {
        Some(word) => Some(month_of(word)?),
        None => text(&["m4", "m5"]).and_then(|figures| figures.parse().ok()),
    };
    let found = Day {
        year: text(&["y1", "y2", "y3", "y4", "y5"]).and_then(|figures| figures.parse().ok()),
        month,
        day: text(&["d1", "d2", "d4", "d5"]).and_then(|figures| figures.parse().ok()),
        span: Span::new(whole.start(), whole.end()),
    };
    let is_date = found.month.is_none_or(|month| (1..=12).contains(&month))
        && found.day.is_none_or(|day| (1..=31).contains(&day));
    is_date.then_some(found)
}

/// The first number from 1000 to 2199 that stands alone or in a date.
pub fn year_of(text: &str) -> Option<u16> {
    let pattern = YEAR.as_ref()?;
    let found = pattern.captures(text)?;
    found.name("year")?.as_str().parse().ok()
}

const MONTH: &str = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?";

/// Patterns compile once, which tests hold, so `None` is impossible.
static YEAR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\d.,])(?P<year>(?:1\d|20|21)\d{2})(?:$|[^\d,]|,(?:$|\D))").ok());

static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let year = r"(?:1\d|20|21)\d{2}";
    let ordinal = "(?:st|nd|rd|th)?";
    Regex::new(&format!(
        r"\b(?P<y4>\d{{4}})[-/.](?P<m4>\d{{1,2}})[-/.](?P<d4>\d{{1,2}})\b|\b(?P<d5>\d{{1,2}})[/.](?P<m5>\d{{1,2}})[/.](?P<y5>\d{{4}})\b|\b(?P<d1>\d{{1,2}}){ordinal}\s+(?:of\s+)?(?P<m1>{MONTH})(?:,?\s+(?P<y1>{year}))?\b|\b(?P<m2>{MONTH})\s+(?P<d2>\d{{1,2}}){ordinal}(?:,?\s+(?P<y2>{year}))?\b|\b(?P<m3>{MONTH})\s+(?P<y3>{year})\b"
    ))
    .ok()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_many_spellings() {
        for text in [
            "3 May 1901",
            "May 3, 1901",
            "1901-05-03",
            "3rd of May 1901",
            "03/05/1901",
            "May 3rd 1901",
        ] {
            let found: Vec<String> = days(text).into_iter().map(Day::iso).collect();
            assert_eq!(found, ["1901-05-03"], "{text}");
        }
        assert_eq!(
            days("in May 1901").first().map(|day| day.iso()),
            Some("1901-05".to_owned())
        );
        assert_eq!(
            days("32 May 1901").first().map(|day| day.iso()),
            Some("1901-05".to_owned()).filter(|_| false)
        );
        assert_eq!(year_of("from 1998, 32 teams"), Some(1998));
        assert_eq!(year_of("1,998 people"), None);
    }
}

//! Dates that can be set against each other.

use banyan_extract::record::literal::MONTHS;

/// Whether a word in lower case is the name of a month.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

/// A date as year, month and day; 0 where the text does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    pub(crate) year: u32,
    pub(crate) month: u32,
    pub(crate) day: u32,
}

impl Date {
    /// Reads "3 May 1901", "May 3, 1901", "May 1901", "1901", "1901-05-03"; `None` without a year of three or four digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut date = Self {
            year: 0,
            month: 0,
            day: 0,
        };
        for word in text
            .split(|ch: char| !ch.is_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            let lower = word.to_lowercase();
            if let Some(month) = MONTHS.iter().position(|name| *name == lower) {
                date.month = u32::try_from(month).unwrap_or(0) + 1;
                continue;
            }
            let digits = lower.trim_end_matches(char::is_alphabetic);
            match (digits.len(), digits.parse::<u32>()) {
                (3 | 4, Ok(year)) if date.year == 0 => date.year = year,
                (1 | 2, Ok(small)) if date.year > 0 && date.month == 0 => date.month = small,
                (1 | 2, Ok(small)) if date.day == 0 => date.day = small,
                _ => {}
            }
        }
        (date.year > 0).then_some(date)
    }

    /// Days since the year 0, near enough to compare lengths of lives.
    pub(crate) fn days(self) -> u32 {
        self.year * 365 + self.month.saturating_sub(1) * 30 + self.day
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_any_order_are_read() {
        let check = |text: &str, expected: Option<(u32, u32, u32)>| {
            assert_eq!(
                Date::parse(text).map(|date| (date.year, date.month, date.day)),
                expected,
                "{text}"
            );
        };
        check("3 May 1901", Some((1901, 5, 3)));
        check("May 3rd, 1901", Some((1901, 5, 3)));
        check("1901-05-03", Some((1901, 5, 3)));
        check("20 March 851", Some((851, 3, 20)));
        check("1901", Some((1901, 0, 0)));
        check("May", None);
    }
}

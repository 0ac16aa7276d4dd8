//! Dates that can be set against each other.

use banyan_extract::record::literal::MONTHS;

/// Whether a word in lower case is the name of a month.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    Year,
    Month,
    Day,
}

impl Period {
    /// The period that a plural in lower case names.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word {
            "years" => Some(Self::Year),
            "months" => Some(Self::Month),
            "days" => Some(Self::Day),
            _ => None,
        }
    }
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

    /// Whole periods from this date to a later one; of dates without months the years apart. `None` where the dates do not
    /// tell months or days and the period needs them, or where the other date is earlier.
    pub(crate) fn until(self, other: Self, period: Period) -> Option<u32> {
        let knows = |date: Self| match period {
            Period::Year => true,
            Period::Month => date.month > 0,
            Period::Day => date.month > 0 && date.day > 0,
        };
        if !knows(self) || !knows(other) {
            return None;
        }
        if period == Period::Day {
            return u32::try_from(other.ordinal() - self.ordinal()).ok();
        }
        let has_days = self.day > 0 && other.day > 0;
        let is_short = u32::from(has_days && self.month == other.month && other.day < self.day);
        if period == Period::Month {
            let is_short = u32::from(has_days && other.day < self.day);
            return (other.year * 12 + other.month).checked_sub(self.year * 12 + self.month + is_short);
        }
        let has_months = self.month > 0 && other.month > 0;
        let is_short = if has_months {
            u32::from(other.month < self.month).max(is_short)
        } else {
            0
        };
        other.year.checked_sub(self.year + is_short)
    }

    /// Days since 1 March of the year 0 in the calendar of today, months counted from March, so that leap days come last.
    fn ordinal(self) -> i64 {
        let (year, month, day) = (i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let (year, month) = if month > 2 {
            (year, month - 3)
        } else {
            (year - 1, month + 9)
        };
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day - 1
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
    fn time_is_counted_in_whole_periods() {
        let check = |from: &str, to: &str, period: Period, expected: Option<u32>| {
            let (from, to) = (Date::parse(from).unwrap(), Date::parse(to).unwrap());
            assert_eq!(from.until(to, period), expected, "{from:?} {to:?}");
        };
        check("1901", "1950", Period::Year, Some(49));
        check("3 May 1901", "2 May 1950", Period::Year, Some(48));
        check("3 May 1901", "3 May 1950", Period::Year, Some(49));
        check("May 1901", "April 1950", Period::Year, Some(48));
        check("3 May 1901", "1950", Period::Year, Some(49));
        check("3 May 1901", "2 July 1901", Period::Month, Some(1));
        check("28 February 2000", "1 March 2000", Period::Day, Some(2));
        check("28 February 1900", "1 March 1900", Period::Day, Some(1));
        check("1 January 1999", "1 January 2000", Period::Day, Some(365));
        check("1901", "3 May 1902", Period::Day, None);
        check("1950", "1901", Period::Year, None);
    }

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
